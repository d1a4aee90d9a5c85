package io.weir.pipeline.evidence;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.ChainCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Fetcher of one block's uncles one after the other, before its answer is served or cached. Confined to its call's event loop. */
public final class UncleFetcher {

    private final String block;
    private final int count;
    private final Source source;
    private final BiConsumer<List<RawJson>, @Nullable RpcReply> sink;
    private final List<RawJson> found = new ArrayList<>(2);

    /** Sender of calls for single uncles. Decides which nodes answer, how the answer is verified, and which budget it takes. */
    @FunctionalInterface
    public interface Source {

        /**
         * Sends one call.
         *
         * @param index of the uncle
         * @param sink receives the reply once, on the loop, and whether a result counts
         */
        void send(RpcCall call, int index, BiConsumer<RpcReply, Boolean> sink);
    }

    private UncleFetcher(String block, int count, Source source, BiConsumer<List<RawJson>, @Nullable RpcReply> sink) {
        this.block = block;
        this.count = count;
        this.source = source;
        this.sink = sink;
    }

    /**
     * Fetches all uncles of a block; called on the event loop.
     *
     * @param block its hash
     * @param count how many uncles it has
     * @param sink receives them once, on the loop, in order, and the reply without its uncle, after which no further one is fetched; null
     *     if all were found
     */
    public static void fetch(
            String block, int count, Source source, BiConsumer<List<RawJson>, @Nullable RpcReply> sink) {
        new UncleFetcher(block, count, source, sink).next();
    }

    private void next() {
        int index = found.size();
        if (index == count) {
            sink.accept(List.copyOf(found), null);
            return;
        }
        source.send(ChainCalls.uncle(block, index), index, (reply, counts) -> {
            if (counts
                    && reply instanceof RpcReply.Result uncle
                    && !uncle.value().equals(RawJson.NULL)) {
                found.add(uncle.value());
                next();
            } else {
                sink.accept(List.copyOf(found), reply);
            }
        });
    }
}
