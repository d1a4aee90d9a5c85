package io.weir.pipeline.cache;

import com.codahale.metrics.MetricRegistry;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.access.BypassingCaller;
import io.weir.access.Caller;
import io.weir.access.RateGate;
import io.weir.cache.ResultMemory;
import io.weir.chain.HeadRound;
import io.weir.chain.HeadTracker;
import io.weir.config.NetworkConfig;
import io.weir.config.NetworkConfig.Hashing;
import io.weir.config.NetworkConfig.Verify;
import io.weir.config.UpstreamConfig;
import io.weir.config.WeirConfig.CacheConfig;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.load.Budget;
import io.weir.method.MethodCatalogue;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.metrics.Meters;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.Stage;
import io.weir.pipeline.head.FinalityMemory;
import io.weir.pipeline.head.HeadStage;
import io.weir.upstream.NetworkHead;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/** One network's cache before a node of a test's own; what it does is done at once. Confined to one thread. */
final class CacheFixture {

    static final NetworkId NETWORK = new NetworkId("testnet");

    /** Who may go past the cache, and does. */
    static final Caller BYPASSING = BypassingCaller.of(new Caller() {
        @Override
        public String name() {
            return "bypassing";
        }

        @Override
        public boolean mayUse(NetworkId network) {
            return true;
        }

        @Override
        public boolean mayCall(String method) {
            return true;
        }

        @Override
        public boolean mayBypassCache() {
            return true;
        }

        @Override
        public RateGate rate() {
            return Caller.PROXY.rate();
        }
    });

    final EmbeddedChannel channel = new EmbeddedChannel();
    final EventLoop loop = channel.eventLoop();
    final ResultMemory memory;
    final HeadTracker tracker;
    final NetworkCache cache;
    long nowNanos = TimeUnit.DAYS.toNanos(1);
    CallContext last;
    private final Stage node;
    private final NetworkHead head;
    private final Map<String, Stage> stages = new HashMap<>();

    /** Without verification, and with one upstream. */
    CacheFixture(Stage node, LongSupplier nodesHead) {
        this(node, nodesHead, Verify.OFF, 1);
    }

    CacheFixture(Stage node, LongSupplier nodesHead, Verify verify, int upstreams) {
        this.node = node;
        this.tracker = new HeadTracker(TimeUnit.SECONDS.toNanos(1), () -> nowNanos);
        this.head = new ModelHead(nodesHead);
        Meters meters = new Meters(new MetricRegistry());
        this.memory = ResultMemory.of(new CacheConfig(1 << 24, 1, 10, 1 << 24), new Budget(1 << 24), meters);
        this.cache = new NetworkCache(config(verify, upstreams), head, node, memory, meters, () -> nowNanos);
    }

    private static NetworkConfig config(Verify verify, int upstreams) {
        Map<String, UpstreamConfig> nodes = new HashMap<>();
        for (int i = 0; i < upstreams; i++) {
            nodes.put("node" + i, null);
        }
        return new NetworkConfig(
                NETWORK.name(),
                "ethereum",
                "1",
                Set.of(),
                nodes,
                verify,
                Hashing.AUTO,
                64,
                1_000,
                null,
                null,
                null,
                null);
    }

    /** Asks on the way that calls take, and gives the result's text, or the error's. */
    String ask(String method, String params) {
        return ask(method, params, Caller.PROXY);
    }

    String ask(String method, String params, Caller caller) {
        RpcCall call = new RpcCall(RawJson.of("1"), method, RawJson.of(params));
        CallContext context =
                new CallContext(call, caller, NETWORK, loop, System.nanoTime(), System.nanoTime() + 60_000_000_000L);
        last = context;
        try {
            if (MethodCatalogue.ethereum().knows(method)) {
                context.checked(
                        MethodCatalogue.ethereum().facts(method).params().check(RawJson.of(params), true));
            }
        } catch (InvalidParamsException e) {
            throw new IllegalArgumentException(e);
        }
        AtomicReference<RpcReply> reply = new AtomicReference<>();
        stage(method).handle(context, reply::set);
        channel.runPendingTasks();
        return reply.get() instanceof RpcReply.Result result ? result.value().toString() : String.valueOf(reply.get());
    }

    /** What the last call is told of the cache. */
    String status() {
        return last.trace().cacheStatus();
    }

    private Stage stage(String method) {
        if (!MethodCatalogue.ethereum().knows(method)) {
            return cache.beforeUnknown(node);
        }
        return stages.computeIfAbsent(
                method,
                name -> new HeadStage(
                        name,
                        head,
                        new FinalityMemory(64, () -> nowNanos),
                        cache.before(MethodCatalogue.ethereum().facts(name), node)));
    }

    /** Lets everybody see that the chain has changed. */
    void changed() {
        tracker.outdate();
    }

    private final class ModelHead implements NetworkHead {

        private final LongSupplier nodesHead;

        ModelHead(LongSupplier nodesHead) {
            this.nodesHead = nodesHead;
        }

        @Override
        public HeadTracker tracker() {
            return tracker;
        }

        @Override
        public void whenFresh(EventLoop eventLoop, long deadlineNanos, LongConsumer sink) {
            for (int i = 0; i < 3 && !tracker.fresh(); i++) {
                HeadRound round = tracker.begin();
                tracker.named(round, nodesHead.getAsLong(), true);
                tracker.end(round, true);
            }
            sink.accept(tracker.number());
        }

        @Override
        public void seen(String upstreamId, long number) {
            tracker.raise(number);
        }
    }
}
