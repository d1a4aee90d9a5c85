package io.weir.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Counter;
import com.codahale.metrics.MetricRegistry;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.access.Caller;
import io.weir.access.TestCaller;
import io.weir.cache.CacheMeters;
import io.weir.cache.memory.ResultMemory;
import io.weir.cache.tier.TierStack;
import io.weir.chain.ChainView;
import io.weir.chain.Finality;
import io.weir.chain.HeadMoment;
import io.weir.chain.HeadTracker;
import io.weir.config.NetworkConfig;
import io.weir.config.NetworkConfig.Verify;
import io.weir.config.WeirConfig.CacheConfig;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.limit.Budget;
import io.weir.method.ResultKind;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.method.params.BlockIds;
import io.weir.method.params.BlockTag;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.pipeline.CacheStages.CachedReplies;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ClientPresence;
import io.weir.pipeline.FinalCalls;
import io.weir.pipeline.Nodes;
import io.weir.pipeline.Stage;
import io.weir.pipeline.evidence.VerificationContext;
import io.weir.pipeline.head.HeadStage;
import io.weir.pipeline.head.MiningOnDemand;
import io.weir.pipeline.head.WriteStage.ChainChangeStage;
import io.weir.pipeline.plan.MethodPlans;
import io.weir.pipeline.watch.KnownChain;
import io.weir.testing.NetworkSettings;
import io.weir.testing.chain.ChainAnswer;
import io.weir.upstream.NetworkHead;
import io.weir.verify.VerifyExecutor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.awaitility.Awaitility;

/** One network's cache before a node of a test's own; what it does is done at once. Confined to one thread. */
public final class CacheFixture {

    static final NetworkId NETWORK = new NetworkId("testnet");

    private static final ClientPresence GONE = new ClientPresence() {
        @Override
        public void whenClientLeaves(Runnable action) {
            action.run();
        }

        @Override
        public boolean isGone() {
            return true;
        }
    };

    /** Who may go past the cache, and does. */
    public static final Caller BYPASSING = TestCaller.BYPASSER.fresh();

    final MetricRegistry registry = new MetricRegistry();
    final EmbeddedChannel channel = new EmbeddedChannel();
    final EventLoop loop = channel.eventLoop();
    private final MethodCatalogue catalogue = MethodCatalogue.ethereum();
    private final List<EmbeddedChannel> connections = new ArrayList<>();
    final ResultMemory memory;
    final HeadTracker tracker;
    final NetworkCache cache;
    final KnownChain known;
    long nowNanos = TimeUnit.DAYS.toNanos(1);
    CallContext last;
    /** Whether the clients of all further calls leave before an answer. */
    boolean clientsLeave;

    private long othersHits;
    private final Stage node;
    final NetworkHead head;
    private final Map<String, Stage> stages = new HashMap<>();

    /** Without verification, and with one upstream. */
    CacheFixture(Stage node, LongSupplier nodesHead) {
        this(node, nodesHead, Verify.OFF, 1);
    }

    /** With further settings of the network, such as {@code gather.enabled = off}. */
    CacheFixture(Stage node, LongSupplier nodesHead, Verify verify, int upstreams, String... settings) {
        this(node, nodesHead, TierStack.NONE, config(verify, upstreams, settings), new ChainView());
    }

    /** Without verification, with one upstream, and with tiers. */
    CacheFixture(Stage node, LongSupplier nodesHead, TierStack tiers) {
        this(node, nodesHead, tiers, config(Verify.OFF, 1), new ChainView());
    }

    /** Without verification, with one upstream, and with a view of the chain that has another bound. */
    CacheFixture(Stage node, LongSupplier nodesHead, ChainView view) {
        this(node, nodesHead, TierStack.NONE, config(Verify.OFF, 1), view);
    }

    private CacheFixture(Stage node, LongSupplier nodesHead, TierStack tiers, NetworkConfig config, ChainView view) {
        this.node = node;
        this.tracker = new HeadTracker(TimeUnit.SECONDS.toNanos(1), () -> nowNanos);
        this.head = new ModelHead(nodesHead);
        Meters meters = new Meters(registry);
        registerOthersHits();
        this.memory = ResultMemory.of(
                new CacheConfig(1 << 24), new VerifyExecutor(10, 1 << 24), new Budget(1 << 24), meters, tiers);
        this.known = KnownChain.of(config, view, () -> nowNanos);
        this.cache = new NetworkCache(
                config,
                config.name(),
                new Nodes(
                        head,
                        node,
                        ids -> node,
                        id -> node,
                        (id, flaw, detail, costs) -> {},
                        List::of,
                        null,
                        BlockIds.ETHEREUM),
                memory,
                meters,
                VerificationContext.of(
                        config,
                        memory.executor(),
                        new CacheMeters(meters, config.name()),
                        (id, flaw, detail, costs) -> {},
                        known,
                        node));
        // The proxy's own calls go by them too.
        MethodCatalogue.ethereum().all().forEach(facts -> stage(facts.name()));
    }

    /** Has other clients get so many answers from memory all the time that whatever is fetched for this one is within the budget. */
    CacheFixture amongOthers() {
        othersHits = 100_000;
        return this;
    }

    private void registerOthersHits() {
        MetricRegistry names = new MetricRegistry();
        new Meters(names).counter(Meter.CACHE_LOOKUPS, NETWORK.name(), ResultKind.UNCLE.label(), "hit");
        registry.register(names.getCounters().firstKey(), new Counter() {
            @Override
            public long getCount() {
                inc(othersHits);
                return super.getCount();
            }
        });
    }

    private static NetworkConfig config(Verify verify, int upstreams, String... settings) {
        List<String> lines = new ArrayList<>(List.of(settings));
        lines.add(NetworkSettings.constant("verify", verify));
        // Samples are drawn by chance.
        lines.add("verify-sample = 0 %");
        lines.add(NetworkSettings.upstreams(upstreams));
        return NetworkSettings.of(NETWORK.name(), lines.toArray(String[]::new));
    }

    /** Asks on the way that calls take, and gives the result's text, or the error's. */
    String ask(String method, String params) {
        return ask(method, params, Caller.PROXY);
    }

    String ask(String method, String params, Caller caller) {
        return text(askLater(method, params, caller).get());
    }

    /** The answer's text once it is there. */
    String awaitAnswer(AtomicReference<RpcReply> reply) {
        Awaitility.await().until(() -> {
            channel.runPendingTasks();
            return reply.get() != null;
        });
        return text(reply.get());
    }

    /** Asks; the answer may come later. */
    AtomicReference<RpcReply> askLater(String method, String params, Caller caller) {
        RpcCall call = new RpcCall(RawJson.of("1"), method, RawJson.of(params));
        long now = System.nanoTime();
        CallContext context =
                new CallContext(call, caller, NETWORK, loop, now, now + 60_000_000_000L, clientsLeave ? GONE : null);
        last = context;
        RpcReply known = tryCached(context);
        if (known != null) {
            return new AtomicReference<>(known);
        }
        check(context);
        AtomicReference<RpcReply> reply = new AtomicReference<>();
        stage(method).handle(context, reply::set);
        channel.runPendingTasks();
        return reply;
    }

    private RpcReply tryCached(CallContext context) {
        String method = context.call().method();
        CachedReplies known = catalogue.knows(method) ? cache.fastPath(catalogue.facts(method)) : null;
        return known == null ? null : known.tryCached(context);
    }

    private static String text(RpcReply reply) {
        return reply instanceof RpcReply.Result result ? result.value().toString() : String.valueOf(reply);
    }

    /** A call under way. */
    record Asking(CallContext context, AtomicReference<RpcReply> reply) {

        /** What it was answered; null while it is not. */
        ChainAnswer answer() {
            RpcReply now = reply.get();
            if (now instanceof RpcReply.Failure failure) {
                return ChainAnswer.error(failure.error().code(), failure.error().message());
            }
            return now == null
                    ? null
                    : ChainAnswer.result(((RpcReply.Result) now).value().toString());
        }

        String status() {
            return context.trace().cacheStatus();
        }
    }

    /** Asks over one of several connections, and does not wait for the answer. */
    Asking start(String method, String params, int connection) {
        while (connections.size() <= connection) {
            connections.add(new EmbeddedChannel());
        }
        long now = Math.max(nowNanos, System.nanoTime());
        CallContext context = new CallContext(
                new RpcCall(RawJson.of("1"), method, RawJson.of(params)),
                Caller.PROXY,
                NETWORK,
                connections.get(connection).eventLoop(),
                now,
                now + TimeUnit.HOURS.toNanos(10));
        RpcReply known = tryCached(context);
        AtomicReference<RpcReply> reply = new AtomicReference<>(known);
        if (known != null) {
            return new Asking(context, reply);
        }
        check(context);
        stage(method).handle(context, answer -> {
            if (!reply.compareAndSet(null, answer)) {
                throw new IllegalStateException(method + params + " was answered twice");
            }
        });
        connections.forEach(EmbeddedChannel::runPendingTasks);
        return new Asking(context, reply);
    }

    private void check(CallContext context) {
        RpcCall call = context.call();
        try {
            if (catalogue.knows(call.method()) && catalogue.facts(call.method()).params() != null) {
                context.checked(catalogue.facts(call.method()).params().check(call.params()));
            }
        } catch (InvalidParamsException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Waits until what was to be verified is, and whoever waited for that, or a moment for a block, has heard of it. */
    void awaitVerified() {
        connections.forEach(connection -> connection.advanceTimeBy(100, TimeUnit.MILLISECONDS));
        for (int i = 0; i < 8; i++) {
            awaitVerifier();
            channel.runPendingTasks();
            connections.forEach(EmbeddedChannel::runPendingTasks);
        }
    }

    private void awaitVerifier() {
        if (memory.executor().isIdle()) {
            // To wait for a thread that has nothing to do takes most of a test's time on a busy machine.
            return;
        }
        CountDownLatch done = new CountDownLatch(1);
        while (!memory.executor().tryRun(0, done::countDown)) {
            Thread.onSpinWait();
        }
        try {
            assertThat(done.await(60, TimeUnit.SECONDS)).as("verified in time").isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** How many answers became that. */
    long counter(String keeping) {
        return registry.getCounters().entrySet().stream()
                .filter(entry -> entry.getKey().contains("cache_answers")
                        && entry.getKey().contains(keeping))
                .mapToLong(entry -> entry.getValue().getCount())
                .sum();
    }

    /** What the last call is told of the cache. */
    String status() {
        return last.trace().cacheStatus();
    }

    private Stage stage(String method) {
        if (!catalogue.knows(method)) {
            return new ChainChangeStage(
                    tracker, new MiningOnDemand("1", false, () -> nowNanos), cache::forgetAll, node);
        }
        return stages.computeIfAbsent(
                method,
                name -> new HeadStage(
                        catalogue.facts(name), head, MethodPlans.behindChecks(cache, catalogue.facts(name), node)));
    }

    /** Lets everybody see that the chain has changed. */
    void changed() {
        tracker.outdate();
    }

    private final class ModelHead implements NetworkHead {

        private final LongSupplier nodesHead;
        private final Finality finality;
        private final List<Runnable> waiting = new ArrayList<>();
        private boolean isFinalAsked;
        private long finalAskedNanos;

        ModelHead(LongSupplier nodesHead) {
            this.nodesHead = nodesHead;
            this.finality = new Finality(tracker, 1, 64, true, () -> nowNanos);
        }

        @Override
        public Finality finality() {
            return finality;
        }

        @Override
        public void whenAgreed(EventLoop eventLoop, BlockTag tag, long until, Consumer<Finality.Agreed> sink) {
            sink.accept(finality.agreed(tag));
        }

        @Override
        public void whenFinalKnown(EventLoop eventLoop, long maxAgeNanos, long until, Consumer<Boolean> sink) {
            if (!waiting.isEmpty()) {
                waiting.add(() -> sink.accept(false));
            } else if (isFinalAsked && nowNanos - finalAskedNanos < maxAgeNanos) {
                sink.accept(false);
            } else {
                isFinalAsked = true;
                finalAskedNanos = nowNanos;
                waiting.add(() -> sink.accept(true));
                whenFresh(
                        eventLoop,
                        until,
                        number -> FinalCalls.ask(node, NETWORK, eventLoop, number, finality, () -> {
                            List<Runnable> known = List.copyOf(waiting);
                            waiting.clear();
                            known.forEach(Runnable::run);
                        }));
            }
        }

        @Override
        public HeadTracker tracker() {
            return tracker;
        }

        @Override
        public void whenFresh(EventLoop eventLoop, long deadlineNanos, LongConsumer sink) {
            for (int i = 0; i < 3 && !tracker.fresh(); i++) {
                HeadMoment round = tracker.now();
                long named = nodesHead.getAsLong();
                tracker.named(round, named, true);
                tracker.end(round, named, true);
            }
            sink.accept(tracker.number());
        }

        @Override
        public void missing(long number) {
            tracker.outdate();
        }

        @Override
        public void seen(String upstreamId, long number) {
            tracker.raise(number);
        }
    }
}
