package io.weir.pipeline.watch;

import io.netty.channel.EventLoop;
import io.weir.chain.BlockLink;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Where single blocks come from that nobody asked for but the proxy itself. Thread-safe. */
public interface BlockSource {

    /**
     * A block and who named it.
     *
     * @param upstreamId in the configuration
     */
    record Named(BlockLink link, String upstreamId) {}

    /**
     * What nodes say of the newest block that is final.
     *
     * @param untagged whether one answered, and has no such block
     * @param number the block's; -1 where none was named
     * @param hash the block's; null where none was named
     */
    record Finalized(
            boolean untagged, long number, @Nullable String hash) {}

    /** Asks for a canonical block; the sink gets null where none comes that could be right. */
    void byNumber(EventLoop loop, long number, long deadlineNanos, Consumer<@Nullable Named> sink);

    /** Asks for a block with this hash; the sink gets null where none comes that could be right. */
    void byHash(EventLoop loop, String hash, long deadlineNanos, Consumer<@Nullable Named> sink);

    /** Asks for the newest block that is final. */
    void finalized(EventLoop loop, long deadlineNanos, Consumer<Finalized> sink);
}
