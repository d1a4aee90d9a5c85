package io.weir.subscription.chain;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Source of blocks by hash, from any node. Confined to the event loop of the stream. */
public interface HeaderSource {

    /**
     * Requests a block.
     *
     * @param number of the block
     * @param sink receives it once, perhaps before this method returns; null if no node gave it
     */
    void fetch(String hash, long number, Consumer<@Nullable StreamBlock> sink);

    /**
     * Requests the block that nodes have at a height, which need not be the one that is wanted.
     *
     * @param sink as for {@link #fetch}
     */
    void fetchAt(long number, Consumer<@Nullable StreamBlock> sink);
}
