package io.weir.pipeline.cache;

import io.netty.channel.EventLoop;

/** The proxy's own calls for whole blocks and receipts. Thread-safe. */
@FunctionalInterface
public interface BlockCalls {

    /**
     * Sends the call of a fetch to a node. The fetch is settled once its answer is stored or refused.
     *
     * @param selector the block's hash or height, as the text of a parameter
     * @return false if the network has no such call; then nothing was sent
     */
    boolean send(Fetch fetch, String selector, EventLoop loop);
}
