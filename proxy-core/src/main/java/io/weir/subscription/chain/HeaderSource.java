package io.weir.subscription.chain;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Source of blocks by hash, from any node. Confined to the event loop of the stream. */
@FunctionalInterface
public interface HeaderSource {

    /**
     * Requests a block.
     *
     * @param number of the block
     * @param sink receives it once, perhaps before this method returns; null if no node gave it
     */
    void fetch(String hash, long number, Consumer<@Nullable StreamBlock> sink);
}
