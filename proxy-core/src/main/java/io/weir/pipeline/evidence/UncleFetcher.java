package io.weir.pipeline.evidence;

import io.weir.jsonrpc.RpcCall;
import io.weir.method.ChainCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Fetches the uncles of one block one after the other, before its answer is served or cached. Confined to its call's event loop.
 *
 * @param <U> type of the reply to a call for one uncle
 */
public final class UncleFetcher<U> {

    private final String block;
    private final int count;
    private final Source<U> source;
    private final Consumer<Uncles<U>> sink;
    private final List<U> found = new ArrayList<>(2);

    /**
     * Sends calls for single uncles. Decides which nodes answer, how the answer is verified, and which budget it takes.
     *
     * @param <U> type of the reply
     */
    public interface Source<U> {

        /**
         * Sends one call.
         *
         * @param index of the uncle
         * @param sink receives the reply once, on the loop
         */
        void send(RpcCall call, int index, Consumer<U> sink);

        /** Returns whether a reply has the uncle; without it no further uncle is fetched. */
        boolean isFound(U reply);
    }

    /**
     * Uncles of a block. Immutable.
     *
     * @param found the replies that have uncles, in order
     * @param failed the reply without its uncle; null if all were found
     * @param <U> type of a reply
     */
    public record Uncles<U>(List<U> found, @Nullable U failed) {

        public Uncles {
            found = List.copyOf(found);
        }
    }

    private UncleFetcher(String block, int count, Source<U> source, Consumer<Uncles<U>> sink) {
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
     * @param sink receives them once, on the loop
     */
    public static <U> void fetch(String block, int count, Source<U> source, Consumer<Uncles<U>> sink) {
        new UncleFetcher<>(block, count, source, sink).next();
    }

    private void next() {
        int index = found.size();
        if (index == count) {
            sink.accept(new Uncles<>(found, null));
            return;
        }
        source.send(ChainCalls.uncle(block, index), index, reply -> {
            if (source.isFound(reply)) {
                found.add(reply);
                next();
            } else {
                sink.accept(new Uncles<>(found, reply));
            }
        });
    }
}
