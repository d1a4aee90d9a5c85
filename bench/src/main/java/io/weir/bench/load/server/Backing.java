package io.weir.bench.load.server;

import java.util.List;

/**
 * The nodes and the answer that a server is started with. Immutable.
 *
 * @param nodePorts the nodes behind it
 * @param constant what the bare server answers
 */
public record Backing(List<Integer> nodePorts, byte[] constant) {}
