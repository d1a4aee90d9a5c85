package io.weir.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.codahale.metrics.MetricRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.access.Caller;
import io.weir.access.TestCaller;
import io.weir.cache.AnswerFacts;
import io.weir.cache.SourceMarks;
import io.weir.cache.memory.ResultMemory;
import io.weir.cache.tier.EntryCodec;
import io.weir.cache.tier.HandTier;
import io.weir.cache.tier.Tier;
import io.weir.cache.tier.TierEntry;
import io.weir.cache.tier.TierStack;
import io.weir.chain.BlockLink;
import io.weir.chain.ChainView;
import io.weir.chain.Finality;
import io.weir.config.NetworkConfig;
import io.weir.config.WeirConfig.CacheConfig;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.limit.Budget;
import io.weir.method.CacheClass;
import io.weir.method.MethodFacts;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.metrics.Meters;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.Stage;
import io.weir.pipeline.admission.CacheRequest.CacheRequests;
import io.weir.pipeline.watch.FinalityWatch;
import io.weir.pipeline.watch.HandBlocks;
import io.weir.pipeline.watch.HandBlocks.Finalized;
import io.weir.pipeline.watch.NetworkChain;
import io.weir.pipeline.watch.ShownBlocks;
import io.weir.testing.NetworkSettings;
import io.weir.upstream.FakeHead;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * One network's tiers, held by a test: a near one of the proxy's own, and a far one, which others share if the network verifies. The chain's
 * final block is number 100. The clocks stand still. Confined to the test's thread.
 */
final class TierBench implements AutoCloseable {

    static final String NETWORK = "net";
    static final long FINAL = 100;
    static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** Who asks. */
    static final Caller CLIENT = TestCaller.BYPASSER;

    final HandTier near = new HandTier("near");
    final HandTier far = new HandTier("far");
    final HandBlocks blocks = new HandBlocks();
    final ChainView view = new ChainView();
    final MetricRegistry registry = new MetricRegistry();
    final EmbeddedChannel channel = new EmbeddedChannel();
    final ResultMemory memory;
    final SourceMarks marks = SourceMarks.of(List.of("a", "b"));
    final NetworkTiers tiers;
    final NetworkChain chain;
    /** Calls that the nodes got. */
    final List<CallContext> nodes = new ArrayList<>();

    long now = TimeUnit.DAYS.toNanos(1);
    CallContext last;
    private final FakeHead head = new FakeHead(TimeUnit.HOURS.toNanos(1));
    final Finality height = head.finality;

    TierBench(boolean verifies) {
        this(verifies, verifies, 1 << 24);
    }

    /**
     * Makes one.
     *
     * @param shared whether others share the far tier
     * @param bytes that may be in flight
     */
    TierBench(boolean verifies, boolean shared, long bytes) {
        near.shared = false;
        far.shared = shared;
        channel.freezeTime();
        head.named.add(1_000L);
        head.clock = () -> now;
        blocks.finalized = new Finalized(false, FINAL, blocks.hash(FINAL));
        FinalityWatch finality = new FinalityWatch(blocks.naming(head), () -> now);
        chain = new NetworkChain(view, height, null, finality, new ShownBlocks());
        Meters meters = new Meters(registry);
        EntryCodec codec = new EntryCodec(100, 1 << 20);
        TierStack stack = new TierStack(List.of(
                new Tier(near, codec, new Tier.Bounds(WAIT_NANOS, 8, 8, 1 << 20), meters),
                new Tier(far, codec, new Tier.Bounds(WAIT_NANOS, 8, 8, 1 << 20), meters)));
        memory = ResultMemory.of(new CacheConfig(1 << 24), new Budget(bytes), meters, stack);
        tiers = NetworkTiers.of(config(verifies), memory, chain, blocks, marks, () -> now);
        tiers.follow(NETWORK);
    }

    static NetworkConfig config(boolean verifies) {
        return NetworkSettings.of(NETWORK, "verify = " + (verifies ? "before-caching" : "off"));
    }

    /** A block of a chain as JSON, without transactions. */
    static String block(String branch, long number) {
        return "{\"number\":\"0x%x\",\"hash\":\"%s\",\"parentHash\":\"%s\",\"transactions\":[],\"uncles\":[]}"
                .formatted(number, HandBlocks.hash(branch, number), HandBlocks.hash(branch, number - 1));
    }

    /** Has the view know one block alone. */
    void know(String branch, long number) {
        BlockLink link = new BlockLink(number, HandBlocks.hash(branch, number), HandBlocks.hash(branch, number - 1));
        view.restart(List.of(link), "a");
    }

    /** Has a tier store an entry, whatever it says: another proxy may have written it. */
    void store(int tier, TierEntry entry) {
        tiers.seen(channel.eventLoop());
        open(tier);
        String name = tiers.get(tier).name();
        long before = count("stores", name, "stored");
        tiers.get(tier).offer(entry, () -> true);
        await().pollInterval(Duration.ofMillis(1)).until(() -> count("stores", name, "stored") > before);
    }

    /** Opens a tier's name space, as the first call does. */
    private void open(int tier) {
        tiers.get(tier).offer(entry("eth_getCode", "[]", "1", 0, null), () -> false);
        channel.runPendingTasks();
    }

    static TierEntry entry(String method, String params, String value, long number, String hash) {
        return new TierEntry(method, RawJson.of(params), RawJson.of(value), number, hash, 0);
    }

    /** Stores the answer to a call in a tier; if it names no block, the entry says that it is of an old one. */
    void store(int tier, String method, String params, String value) {
        CacheClass rule = MethodCatalogue.ethereum().facts(method).cacheClass();
        AnswerFacts named = rule.namesBlock() ? AnswerFacts.read(rule, RawJson.of(value)) : null;
        store(
                tier,
                named == null
                        ? entry(method, params, value, 1, null)
                        : entry(method, params, value, named.number(), named.hash()));
    }

    /** Asks for a client; the list gets the reply. */
    List<RpcReply> ask(String method, String params) {
        return ask(method, params, CLIENT);
    }

    List<RpcReply> ask(String method, String params, Caller caller) {
        List<RpcReply> replies = begin(method, params, caller);
        settle();
        return replies;
    }

    /** Asks, and does not wait for anything. */
    List<RpcReply> begin(String method, String params, Caller caller) {
        RpcCall call = new RpcCall(RawJson.of("1"), method, RawJson.of(params));
        long start = System.nanoTime();
        last = new CallContext(
                call, caller, new NetworkId(NETWORK), channel.eventLoop(), start, start + TimeUnit.HOURS.toNanos(1));
        try {
            last.checked(MethodCatalogue.ethereum().facts(method).params().check(call.params()));
        } catch (InvalidParamsException e) {
            throw new IllegalArgumentException(e);
        }
        return begin(method, last);
    }

    List<RpcReply> begin(String method, CallContext context) {
        List<RpcReply> replies = new ArrayList<>();
        context.looksBy((sink, ask) -> ask.run());
        stage(method).handle(context, replies::add);
        channel.runPendingTasks();
        return replies;
    }

    /** What stands before the nodes, which answer {@code "node"}. */
    Stage stage(String method) {
        CacheRequests requests = new CacheRequests(NETWORK, chain, memory.store(), head.tracker(), () -> now);
        MethodFacts facts = MethodCatalogue.ethereum().facts(method);
        return tiers.before(facts.cacheClass(), facts.blockField(), requests, (context, sink) -> {
            nodes.add(context);
            sink.accept(new RpcReply.Result(RawJson.of("\"node\"")));
        });
    }

    /** Waits until what came from tiers was looked at. */
    void settle() {
        for (int i = 0; i < 4; i++) {
            channel.runPendingTasks();
            awaitVerifier();
            channel.runPendingTasks();
        }
    }

    private void awaitVerifier() {
        CountDownLatch done = new CountDownLatch(1);
        while (!memory.executor().tryRun(0, done::countDown)) {
            Thread.onSpinWait();
        }
        try {
            assertThat(done.await(30, TimeUnit.SECONDS)).as("verified in time").isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Lets time pass on the event loop. */
    void pass(long nanos) {
        channel.advanceTimeBy(nanos, TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();
        channel.runPendingTasks();
    }

    /** How many lookups or stores of a tier came to that. */
    long count(String what, String tier, String outcome) {
        return registry.getCounters().entrySet().stream()
                .filter(entry -> entry.getKey().contains("cache_tier_" + what)
                        && entry.getKey().contains(tier)
                        && entry.getKey().contains(outcome))
                .mapToLong(entry -> entry.getValue().getCount())
                .sum();
    }

    @Override
    public void close() {
        memory.close();
        channel.finishAndReleaseAll();
    }
}
