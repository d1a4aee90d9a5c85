package io.weir.upstream;

import io.netty.channel.EventLoop;
import io.weir.chain.FinalityAgreement;
import io.weir.method.params.BlockTag;
import java.util.function.Consumer;

/** Blocks with the tags {@code safe} and {@code finalized} of a network of several nodes. Thread-safe. */
public interface NetworkFinality {

    /**
     * Delivers the block on which nodes agree: at once if they were asked lately, otherwise after two of them have named
     * theirs. Calls that arrive while nodes are being asked share the request.
     *
     * @param loop the caller's event loop; the sink runs on it too
     * @param deadlineNanos when to give up, on the clock of {@link System#nanoTime}
     */
    void whenKnown(EventLoop loop, BlockTag tag, long deadlineNanos, Consumer<FinalityAgreement.Agreed> sink);

    /** Notes that a number was used for a tag, so that no lower one is used later. */
    void used(BlockTag tag, long number);
}
