package io.weir.pipeline.range;

import com.codahale.metrics.MetricRegistry;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.access.Caller;
import io.weir.cache.CacheMeters;
import io.weir.chain.ChainView;
import io.weir.chain.Finalities;
import io.weir.chain.Finality;
import io.weir.config.NetworkConfig;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.limit.Budget;
import io.weir.method.MethodFacts;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.method.params.BlockTag;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.metrics.Meters;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.CallGuard;
import io.weir.pipeline.ClientPresence;
import io.weir.pipeline.Forwarding;
import io.weir.pipeline.HandNode;
import io.weir.pipeline.Nodes;
import io.weir.pipeline.Stage;
import io.weir.pipeline.evidence.Anchors;
import io.weir.pipeline.evidence.VerificationContext;
import io.weir.pipeline.plan.TestForwarding;
import io.weir.pipeline.watch.ChainWatch;
import io.weir.pipeline.watch.FinalityWatch;
import io.weir.pipeline.watch.ForkedBlocks;
import io.weir.pipeline.watch.KnownChain;
import io.weir.pipeline.watch.NetworkChain;
import io.weir.pipeline.watch.ShownBlocks;
import io.weir.testing.NetworkSettings;
import io.weir.upstream.FakeHead;
import io.weir.upstream.FixedPool;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamStatus.Health;
import io.weir.verify.VerifyExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Stage of ranges before nodes of a test's own, whose chain is final unless the test says otherwise. Confined to one thread. */
final class LogRangeFixture {

    static final long HEAD = 1_000_000;
    private static final NetworkId NETWORK = new NetworkId("testnet");
    private static final long AGE = TimeUnit.MINUTES.toNanos(1);
    private static final MethodFacts LOGS = MethodCatalogue.ethereum().facts("eth_getLogs");

    final MetricRegistry registry = new MetricRegistry();
    final FakeHead head = new FakeHead(AGE);
    final ForkedBlocks blocks = new ForkedBlocks();
    final Finality finalized = head.finality;
    final List<HandNode> nodes = new ArrayList<>();
    final Budget budget;
    final NetworkChain chain;
    final Stage stage;
    long nowNanos = TimeUnit.DAYS.toNanos(1);
    Caller caller = Caller.PROXY;
    private final EmbeddedChannel channel = new EmbeddedChannel();

    /** Chooses the first usable node. */
    private final class Pool extends FixedPool {

        Pool() {
            super(LogRangeFixture.this.head);
        }

        @Override
        public Choice choose(RpcCall call, List<Upstream> tried, long leastHead) {
            return nodes.stream()
                    .filter(node -> !tried.contains(node) && node.status().health() == Health.HEALTHY)
                    .findFirst()
                    .map(node -> new Choice(node, false))
                    .orElse(null);
        }
    }

    /**
     * Creates a stage.
     *
     * @param count of nodes, named a, b and so on
     * @param lines settings of the network
     */
    LogRangeFixture(int count, long budgetBytes, String... lines) {
        this.budget = new Budget(budgetBytes);
        Pool pool = new Pool();
        for (int i = 0; i < count; i++) {
            HandNode node = new HandNode(String.valueOf((char) ('a' + i)));
            nodes.add(node);
            pool.nodes.add(node);
        }
        List<String> all = new ArrayList<>(List.of(lines));
        all.add(0, NetworkSettings.upstreams(count));
        NetworkConfig config = NetworkSettings.of(NETWORK.name(), all.toArray(String[]::new));
        ChainView view = new ChainView(1_024);
        this.chain = new NetworkChain(
                view,
                finalized,
                new ChainWatch(head, view, finalized, blocks, AGE, headers -> true, System::nanoTime),
                new FinalityWatch(head, System::nanoTime),
                new ShownBlocks());
        head.finalBlocks = (loop, then) -> {
            head.finality.lacks(BlockTag.FINALIZED, "a");
            head.finality.conclude(BlockTag.FINALIZED, head.tracker().number(), true, true);
            then.run();
        };
        chain.watch().start();
        Meters meters = new Meters(registry);
        Forwarding forwarding = TestForwarding.forwarding(pool, registry);
        Nodes toNodes = Nodes.of(pool, forwarding);
        VerificationContext verification = VerificationContext.of(
                config,
                new VerifyExecutor(1, 1 << 20),
                new CacheMeters(meters, NETWORK.name()),
                toNodes.faults(),
                KnownChain.of(config, view, () -> nowNanos),
                toNodes.all());
        LogRanges ranges = new LogRanges(
                config,
                toNodes,
                chain,
                verification,
                new Anchors(chain, toNodes, verification, count),
                new NoStore(),
                budget,
                meters,
                () -> nowNanos);
        this.stage = ranges.before(LOGS, forwarding.over(pool, true));
        Finalities.raise(finalized, HEAD);
    }

    /** Stores nothing. */
    static class NoStore implements HeaderStore {

        @Override
        public boolean isUsed() {
            return false;
        }

        @Override
        public <T> void find(
                long run,
                long last,
                CallContext context,
                Function<RawJson, @Nullable T> opener,
                Consumer<@Nullable T> sink) {
            sink.accept(null);
        }

        @Override
        public void offer(long run, long last, String hash, RawJson text) {
            throw new UnsupportedOperationException("offer");
        }

        @Override
        public boolean hasReceipts(String hash) {
            return false;
        }

        @Override
        public void readNote(EventLoop loop, Consumer<@Nullable String> sink) {
            sink.accept(null);
        }

        @Override
        public void writeNote(String note, Consumer<Boolean> sink) {
            sink.accept(false);
        }
    }

    LogRangeFixture(int count, String... lines) {
        this(count, 1L << 30, lines);
    }

    /** Lets blocks be replaced: none is final, and nodes name the head. */
    void openChain() {
        finalized.forget();
        for (int i = 0; i < 10; i++) {
            head.named.add(HEAD);
        }
    }

    /** Lets nodes show other blocks in place of the ten newest. */
    void reorganise(String branch) {
        blocks.fork(branch, HEAD - 9);
        head.tracker().outdate();
    }

    CallContext context(String filter) {
        return context(filter, null);
    }

    CallContext context(String filter, @Nullable ClientPresence client) {
        RpcCall call = new RpcCall(RawJson.of("1"), "eth_getLogs", RawJson.of("[" + filter + "]"));
        long now = System.nanoTime();
        CallContext context = new CallContext(
                call, caller, NETWORK, channel.eventLoop(), now, now + TimeUnit.HOURS.toNanos(1), client);
        try {
            context.checked(Objects.requireNonNull(LOGS.params()).check(call.params()));
        } catch (InvalidParamsException e) {
            throw new IllegalArgumentException(e);
        }
        return context;
    }

    /** Sends a call; the list gets its reply. */
    List<RpcReply> send(CallContext context) {
        List<RpcReply> replies = new ArrayList<>();
        new CallGuard(context, replies::add).pass(stage);
        channel.runPendingTasks();
        return replies;
    }

    /** Asks for the logs of a range, and returns the result's text, or the error. */
    String ask(BlockRange range) {
        return text(send(context(filter(range))));
    }

    static String filter(BlockRange range) {
        return "{\"address\":\"0x%s\",\"fromBlock\":\"0x%x\",\"toBlock\":\"0x%x\",\"topics\":[]}"
                .formatted("ab".repeat(20), range.from(), range.to());
    }

    static String text(List<RpcReply> replies) {
        if (replies.size() != 1) {
            throw new AssertionError("replies: " + replies + " (expected: one)");
        }
        return replies.get(0) instanceof RpcReply.Result result
                ? result.value().toString()
                : ((RpcReply.Failure) replies.get(0)).error().code() + " "
                        + ((RpcReply.Failure) replies.get(0)).error().message();
    }

    /** Lets time pass on the event loop alone. */
    void passOnLoop(long nanos) {
        channel.advanceTimeBy(nanos, TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();
        channel.runPendingTasks();
    }

    void runLoop() {
        channel.runPendingTasks();
    }

    long counter(String id, String outcome) {
        return registry.getCounters().entrySet().stream()
                .filter(entry -> entry.getKey().matches(".*" + id + ".*\\b" + outcome + ".*"))
                .mapToLong(entry -> entry.getValue().getCount())
                .sum();
    }

    /** Returns the learned limit of a node. */
    long limit(String upstream) {
        String name = registry.getGauges().keySet().stream()
                .filter(id -> id.contains("log_range_limit") && id.endsWith(upstream))
                .findFirst()
                .orElseThrow();
        return (Long) registry.getGauges().get(name).getValue();
    }
}
