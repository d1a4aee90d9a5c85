package io.weir.subscription.stream;

import io.weir.chain.BlockLink;
import io.weir.jsonrpc.RawJson;

/**
 * Block of the stream. Immutable.
 *
 * @param header in the form of a notification
 * @param bloomStart position of the bloom in the header, with its quote; -1 if the header has none
 */
public record StreamBlock(BlockLink link, RawJson header, int bloomStart) {}
