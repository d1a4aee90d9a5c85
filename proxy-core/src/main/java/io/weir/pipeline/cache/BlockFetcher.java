package io.weir.pipeline.cache;

import io.netty.channel.EventLoop;
import io.weir.access.Caller;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.ChainCalls;
import io.weir.method.MethodFacts;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.CheckedParams;
import io.weir.method.params.MethodParams;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.prefetch.BlockCalls;
import io.weir.pipeline.prefetch.BlockPrefetcher;
import io.weir.pipeline.prefetch.Fetch;
import io.weir.pipeline.proof.UncleFetcher;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The proxy's own calls for whole blocks and receipts: on the way that a client's take, behind the memory. Thread-safe. */
final class BlockFetcher implements BlockCalls {

    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int HASH_LENGTH = 66;

    private final Map<String, Way> ways = new ConcurrentHashMap<>();
    private final NetworkId network;
    private final Supplier<BlockPrefetcher> gatherer;

    /** How calls of a method go. */
    private record Way(MethodParams params, CacheStage stage) {}

    /** @param gatherer decides on them; first asked for with the first call */
    BlockFetcher(NetworkId network, Supplier<BlockPrefetcher> gatherer) {
        this.network = network;
        this.gatherer = gatherer;
    }

    /** Notes how calls of a method go; before the first call. */
    void take(MethodFacts facts, CacheStage stage) {
        MethodParams params = facts.params();
        if (params != null) {
            ways.put(facts.name(), new Way(params, stage));
        }
    }

    @Override
    public void ask(Fetch fetch, String selector, EventLoop loop) {
        boolean byHash = selector.length() == HASH_LENGTH;
        RpcCall block = byHash ? ChainCalls.blockByHash(selector, true) : ChainCalls.blockByQuantity(selector, true);
        RpcCall call = fetch.isReceipts() ? ChainCalls.receipts(selector) : block;
        Way way = ways.get(call.method());
        if (way == null) {
            gatherer.get().settle(fetch, false, false);
            return;
        }
        CallContext context = context(call, loop);
        CheckedParams checked = checked(way, call);
        context.checked(checked);
        if (checked.block() instanceof BlockSelector.Height height) {
            context.needsBlock(height.number(), true);
        }
        way.stage().fetch(context, checked, fetch);
    }

    private CallContext context(RpcCall call, EventLoop loop) {
        long now = System.nanoTime();
        return new CallContext(call, Caller.PROXY, network, loop, now, now + TIMEOUT_NANOS);
    }

    /**
     * Fetches a block's uncles, of which there are a few, within the budget of extra fetches; called on the loop.
     *
     * @param sink receives all of them, on the loop; null if one is missing
     */
    void uncles(String block, int count, EventLoop loop, Consumer<@Nullable List<RawJson>> sink) {
        UncleFetcher.fetch(block, count, new Uncles(loop), uncles -> {
            boolean all = uncles.failed() == null;
            sink.accept(all ? uncles.found().stream().flatMap(Optional::stream).toList() : null);
        });
    }

    /** Fetches single uncles as a client's calls, each within the budget of extra fetches. Confined to its event loop. */
    private final class Uncles implements UncleFetcher.Source<Optional<RawJson>> {

        private final EventLoop loop;

        Uncles(EventLoop loop) {
            this.loop = loop;
        }

        @Override
        public void send(RpcCall call, int index, Consumer<Optional<RawJson>> sink) {
            Way way = ways.get(call.method());
            if (way == null || !gatherer.get().tryExtra()) {
                sink.accept(Optional.empty());
                return;
            }
            CallContext context = context(call, loop);
            context.checked(checked(way, call));
            way.stage()
                    .ask(
                            context,
                            reply -> sink.accept(
                                    reply instanceof RpcReply.Result result
                                                    && !result.value().equals(RawJson.NULL)
                                            ? Optional.of(result.value())
                                            : Optional.empty()));
        }

        @Override
        public boolean isFound(Optional<RawJson> reply) {
            return reply.isPresent();
        }
    }

    private static CheckedParams checked(Way way, RpcCall call) {
        try {
            return way.params().check(call.params(), false);
        } catch (InvalidParamsException e) {
            throw new IllegalStateException(e);
        }
    }
}
