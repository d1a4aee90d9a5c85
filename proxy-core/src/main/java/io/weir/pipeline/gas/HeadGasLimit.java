package io.weir.pipeline.gas;

import io.netty.channel.EventLoop;

/** The gas limit of a network's head block, as far as it is known. Thread-safe. */
public interface HeadGasLimit {

    /** The limit that was found last, an unsigned number; 0 where none was yet. */
    long last();

    /** Whether nodes were asked for it so lately that they need not be asked again. */
    boolean isFresh();

    /**
     * Asks a node for it.
     *
     * @param loop the event loop to ask from; called on it
     * @param then runs on that loop once, when the limit is there or cannot be had; may run before this method returns
     */
    void refresh(EventLoop loop, Runnable then);
}
