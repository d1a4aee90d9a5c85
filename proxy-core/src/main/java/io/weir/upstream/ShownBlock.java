package io.weir.upstream;

import io.weir.chain.BlockLink;
import io.weir.jsonrpc.RawJson;
import io.weir.method.AnswerKind;

/**
 * Newest block as a node shows it. Nothing proves it yet. Immutable.
 *
 * @param text of the node
 * @param kind {@code BLOCK} for an answer, with the hashes of its transactions; {@code HEADER} for an announcement
 */
public record ShownBlock(BlockLink link, RawJson text, AnswerKind kind) {}
