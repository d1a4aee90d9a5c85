package io.weir.pipeline.gas;

import com.codahale.metrics.Counter;
import io.netty.channel.EventLoop;
import io.weir.access.Caller;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.ChainCalls;
import io.weir.method.params.BlockTag;
import io.weir.method.params.CallObject;
import io.weir.method.params.CheckedParams;
import io.weir.method.params.kind.HexText;
import io.weir.method.params.kind.JsonObject;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Stage that limits the gas of a call to a multiple of the head block's gas limit. A call below the last known bound
 * continues at once; only one above it waits for the present bound. If that is not available, the gas stays, because nodes
 * have their own bounds. Thread-safe.
 */
public record GasCapStage(HeadGasLimit head, long factor, Counter cuts, Stage next) implements Stage {

    /** Minimum gas limit of any chain's blocks, from the Yellow Paper. */
    private static final long MIN_LIMIT = 5000;

    @Override
    public void handle(CallContext context, ReplySink sink) {
        CheckedParams params = context.checkedParams();
        RawJson call = params == null ? null : params.callObject();
        Long gas = call == null ? null : CallObject.gas(call);
        if (params == null || call == null || gas == null || fits(gas, MIN_LIMIT)) {
            next.handle(context, sink);
        } else if (fits(gas, head.last())) {
            if (!head.isFresh()) {
                head.refresh(context.loop(), () -> {});
            }
            next.handle(context, sink);
        } else if (head.isFresh()) {
            cut(context, params, call, gas);
            next.handle(context, sink);
        } else {
            head.refresh(context.loop(), () -> {
                cut(context, params, call, gas);
                next.handle(context, sink);
            });
        }
    }

    private void cut(CallContext context, CheckedParams params, RawJson call, long gas) {
        long limit = head.last();
        if (limit != 0 && !fits(gas, limit)) {
            context.checked(params.withCallObject(CallObject.withGas(call, bound(limit))));
            cuts.inc();
        }
    }

    private boolean fits(long gas, long limit) {
        return Long.compareUnsigned(gas, bound(limit)) <= 0;
    }

    /** Returns the bound, unsigned. Development nodes may have limits so high that the multiple overflows. */
    private long bound(long limit) {
        return Math.multiplyHigh(factor, limit) != 0 || limit < 0 ? -1L : factor * limit;
    }

    /** Gas limit of a network's head block, as far as it is known. Thread-safe. */
    public interface HeadGasLimit {

        /** Returns the last known limit, an unsigned number; 0 if there is none yet. */
        long last();

        /** Returns whether nodes were asked for it so recently that they need not be asked again. */
        boolean isFresh();

        /**
         * Asks a node for the limit.
         *
         * @param loop the caller's event loop
         * @param then runs on that loop once, when the limit is known or unavailable; may run before this method returns
         */
        void refresh(EventLoop loop, Runnable then);
    }

    /**
     * Gas limit from the head block of the nodes, requested on demand only. A request is sent at most once every few seconds,
     * whatever its outcome, and all waiting calls share it. Thread-safe.
     */
    public static final class PolledGasLimit implements HeadGasLimit {

        /** The limit changes by a thousandth at most from block to block. */
        private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(3);

        private static final long ASKING_NANOS = TimeUnit.SECONDS.toNanos(2);
        private static final int LONG_DIGITS = 16;
        private static final NameTable GAS_LIMIT = NameTable.of(Set.of("gasLimit"));
        private static final RpcCall HEAD = ChainCalls.blockByTag(BlockTag.LATEST);

        private final NetworkId network;
        private final Stage nodes;
        private final LongSupplier clock;
        private final AtomicReference<@Nullable CompletableFuture<Void>> underWay = new AtomicReference<>();
        private volatile KnownLimit found = new KnownLimit(0, false, 0);

        /**
         * @param nodes sends calls to the network's nodes
         * @param clock nanoseconds, as {@link System#nanoTime}
         */
        public PolledGasLimit(NetworkId network, Stage nodes, LongSupplier clock) {
            this.network = network;
            this.nodes = nodes;
            this.clock = clock;
        }

        @Override
        public long last() {
            return found.limit();
        }

        @Override
        public boolean isFresh() {
            KnownLimit now = found;
            return now.asked() && clock.getAsLong() - now.atNanos() < FRESH_NANOS;
        }

        @Override
        public void refresh(EventLoop loop, Runnable then) {
            CompletableFuture<Void> mine = new CompletableFuture<>();
            CompletableFuture<Void> running = underWay.compareAndExchange(null, mine);
            if (running == null) {
                running = mine;
                ask(loop, mine);
            }
            running.thenRun(() -> {
                if (loop.inEventLoop()) {
                    then.run();
                } else {
                    loop.execute(then);
                }
            });
        }

        private void ask(EventLoop loop, CompletableFuture<Void> waiters) {
            long now = System.nanoTime();
            CallContext context = new CallContext(HEAD, Caller.PROXY, network, loop, now, now + ASKING_NANOS);
            nodes.handle(context, reply -> {
                long limit = reply instanceof RpcReply.Result result ? gasLimit(result.value()) : 0;
                found = new KnownLimit(limit == 0 ? last() : limit, true, clock.getAsLong());
                underWay.set(null);
                waiters.complete(null);
            });
        }

        /** Returns the limit in a block as nodes send it; 0 if it has none. */
        private static long gasLimit(RawJson block) {
            try {
                RawJson limit = block.first() == '{' ? JsonObject.member(block, GAS_LIMIT) : null;
                HexText text = limit == null ? null : HexText.read(limit);
                return text == null || text.significantDigits() > LONG_DIGITS ? 0 : text.toLong();
            } catch (IllegalArgumentException e) {
                return 0;
            }
        }

        /**
         * Last known limit. Immutable.
         *
         * @param asked whether a request was sent yet
         */
        private record KnownLimit(long limit, boolean asked, long atNanos) {}
    }
}
