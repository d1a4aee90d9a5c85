package io.weir.subscription.stream;

import io.weir.jsonrpc.RawJson;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Source of blocks, from any node. Confined to the event loop of the stream. */
public interface StreamSource {

    /**
     * Requests a block.
     *
     * @param number of the block
     * @param sink receives it once, perhaps before this method returns; null if no node gave it
     */
    void fetch(String hash, long number, Consumer<@Nullable StreamBlock> sink);

    /** Source of the logs of blocks, from any node. Confined to the event loop of the stream. */
    @FunctionalInterface
    interface Logs {

        /**
         * Requests the logs of a block.
         *
         * @param addresses whose logs are wanted, in normal form; none for all
         * @param sink receives them once, perhaps before this method returns; null if no node gave them
         */
        void fetch(StreamBlock block, List<RawJson> addresses, Consumer<@Nullable BlockLogs> sink);
    }
}
