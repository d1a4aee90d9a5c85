package io.weir.pipeline.prefetch;

import io.netty.channel.EventLoop;

/** The proxy's own calls for whole blocks and receipts, whose answers are kept where that is right. Thread-safe. */
public interface BlockCalls {

    /**
     * Asks for what a fetch is for; its end is told to the gatherer.
     *
     * @param selector the block's hash or height as a parameter
     */
    void ask(Fetch fetch, String selector, EventLoop loop);
}
