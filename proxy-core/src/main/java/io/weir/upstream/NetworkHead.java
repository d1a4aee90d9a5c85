package io.weir.upstream;

import io.netty.channel.EventLoop;
import io.weir.chain.HeadTracker;
import java.util.function.LongConsumer;

/** The head that a network's calls are held to, and asking its nodes where what is known is not fresh. Thread-safe. */
public interface NetworkHead {

    /** What is known of the head. */
    HeadTracker tracker();

    /**
     * Gives the head: at once where it is fresh, else once nodes have named theirs. Calls that come while nodes are being asked
     * share that, but none is served by what was asked before a write that was answered before the call.
     *
     * @param loop called on it; the sink runs on it too
     * @param deadlineNanos when to give up, on the clock of {@link System#nanoTime}
     * @param sink gets the head once; -1 where no node named one
     */
    void whenFresh(EventLoop loop, long deadlineNanos, LongConsumer sink);

    /**
     * Takes the number of a block that a node's answer named, so that it has that block.
     *
     * @param upstreamId the node's id in the configuration
     */
    void seen(String upstreamId, long number);
}
