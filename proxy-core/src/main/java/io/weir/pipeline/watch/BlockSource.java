package io.weir.pipeline.watch;

import io.netty.channel.EventLoop;
import io.weir.chain.BlockLink;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Source of single blocks for the proxy itself. Thread-safe. */
public interface BlockSource {

    /**
     * Block with the upstream that named it. Immutable.
     *
     * @param upstreamId in the configuration
     */
    record Named(BlockLink link, String upstreamId) {}

    /** Requests a canonical block. The sink receives null if no acceptable answer comes. */
    void byNumber(EventLoop loop, long number, long deadlineNanos, Consumer<@Nullable Named> sink);

    /**
     * Requests a canonical block from a node that has a later one too.
     *
     * @param head the number of the later block
     */
    default void byNumber(EventLoop loop, long number, long head, long deadlineNanos, Consumer<@Nullable Named> sink) {
        byNumber(loop, number, deadlineNanos, sink);
    }

    /**
     * Requests canonical blocks together, as {@link #byNumber}.
     *
     * @param high the number of the first one; the others are below it
     * @param sink receives all of them in that order; null in place of each that does not come
     */
    default void downFrom(
            EventLoop loop, long high, int count, long head, long deadlineNanos, Consumer<@Nullable BlockLink[]> sink) {
        @Nullable BlockLink[] links = new BlockLink[count];
        int[] missing = {count};
        for (int i = 0; i < count; i++) {
            int at = i;
            byNumber(loop, high - i, head, deadlineNanos, named -> {
                links[at] = named == null ? null : named.link();
                if (--missing[0] == 0) {
                    sink.accept(links);
                }
            });
        }
    }

    /** Requests the block with this hash. The sink receives null if no acceptable answer comes. */
    void byHash(EventLoop loop, String hash, long deadlineNanos, Consumer<@Nullable Named> sink);

    /** Returns whether nodes do not have a block by its hash any more once it was replaced. */
    default boolean forgetsReplaced() {
        return false;
    }
}
