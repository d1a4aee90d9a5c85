package io.weir.pipeline.gas;

import io.netty.channel.EventLoop;

/** Gas limit of a network's head block, as far as it is known. Thread-safe. */
public interface HeadGasLimit {

    /** Returns the last known limit, an unsigned number; 0 if there is none yet. */
    long last();

    /** Returns whether nodes were asked for it so recently that they need not be asked again. */
    boolean isFresh();

    /**
     * Asks a node for the limit.
     *
     * @param loop the caller's event loop
     * @param then runs on that loop once, when the limit is known or unavailable; may run before this method returns
     */
    void refresh(EventLoop loop, Runnable then);
}
