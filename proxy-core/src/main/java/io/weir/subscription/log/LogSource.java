package io.weir.subscription.log;

import io.weir.jsonrpc.RawJson;
import io.weir.subscription.chain.StreamBlock;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Source of the logs of blocks, from any node. Confined to the event loop of the stream. */
@FunctionalInterface
public interface LogSource {

    /**
     * Requests the logs of a block.
     *
     * @param addresses whose logs are wanted, in normal form; none for all
     * @param sink receives them once, perhaps before this method returns; null if no node gave them
     */
    void fetch(StreamBlock block, List<RawJson> addresses, Consumer<@Nullable BlockLogs> sink);
}
