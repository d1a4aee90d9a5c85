package io.weir.pipeline.cache;

import io.netty.channel.EventLoop;
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
import io.weir.pipeline.cache.BlockPrefetcher.BlockCalls;
import io.weir.upstream.CallCause;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Sends the proxy's own calls for whole blocks and receipts through the stages of clients' calls. Thread-safe. */
final class BlockFetcher implements BlockCalls {

    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int HASH_LENGTH = 66;

    private final Map<String, Route> routes = new ConcurrentHashMap<>();
    private final NetworkId network;
    private final PrefetchBudget budget;

    /** The stage that answers the calls of a method. */
    private record Route(MethodParams params, CacheStage stage) {}

    /** @param budget of the calls for uncles */
    BlockFetcher(NetworkId network, PrefetchBudget budget) {
        this.network = network;
        this.budget = budget;
    }

    /** Registers the stage of a method; called before the first call. */
    void register(MethodFacts facts, CacheStage stage) {
        MethodParams params = facts.params();
        if (params != null) {
            routes.put(facts.name(), new Route(params, stage));
        }
    }

    @Override
    public boolean send(Fetch fetch, String selector, EventLoop loop) {
        boolean byHash = selector.length() == HASH_LENGTH;
        RpcCall block = byHash ? ChainCalls.blockByHash(selector, true) : ChainCalls.blockByQuantity(selector, true);
        RpcCall call = fetch.isReceipts() ? ChainCalls.receipts(selector) : block;
        Route route = routes.get(call.method());
        if (route == null) {
            return false;
        }
        CallContext context = context(call, loop);
        CheckedParams checked = checked(route, call);
        context.checked(checked);
        if (checked.block() instanceof BlockSelector.Height height) {
            context.setRoute(context.route().toBlock(height.number(), true));
        }
        route.stage().fetch(context, checked, fetch);
        return true;
    }

    private CallContext context(RpcCall call, EventLoop loop) {
        long now = System.nanoTime();
        return new CallContext(call, CallCause.PREFETCH, network, loop, now, now + TIMEOUT_NANOS);
    }

    /**
     * Fetches an uncle within the budget of extra fetches; called on the loop.
     *
     * @param block the hash of the block that lists it
     * @param sink receives it on the loop; null if it is missing
     */
    void uncle(String block, int index, EventLoop loop, Consumer<@Nullable RawJson> sink) {
        RpcCall call = ChainCalls.uncle(block, index);
        Route route = routes.get(call.method());
        if (route == null || !budget.tryTake()) {
            sink.accept(null);
            return;
        }
        CallContext context = context(call, loop);
        context.checked(checked(route, call));
        route.stage().forward(context, reply -> {
            RawJson uncle = reply instanceof RpcReply.Result result ? result.value() : RawJson.NULL;
            sink.accept(uncle.equals(RawJson.NULL) ? null : uncle);
        });
    }

    private static CheckedParams checked(Route route, RpcCall call) {
        try {
            return route.params().check(call.params());
        } catch (InvalidParamsException e) {
            throw new IllegalStateException(e);
        }
    }
}
