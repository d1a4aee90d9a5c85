package io.weir.bench.load.server;

import java.util.List;

/**
 * What a server is started with. Immutable.
 *
 * @param nodePorts the nodes behind it
 * @param constant what the bare server answers
 */
public record Backing(List<Integer> nodePorts, byte[] constant) {}
