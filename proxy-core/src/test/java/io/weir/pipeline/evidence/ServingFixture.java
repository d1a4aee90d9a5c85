package io.weir.pipeline.evidence;

import static io.weir.testing.NetworkSettings.constant;
import static io.weir.testing.NetworkSettings.upstreams;

import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.weir.access.Caller;
import io.weir.access.TestCaller;
import io.weir.answer.Policy;
import io.weir.cache.CacheMeters;
import io.weir.cache.memory.ResultMemory;
import io.weir.cache.tier.TierStack;
import io.weir.chain.ChainView;
import io.weir.config.NetworkConfig;
import io.weir.config.NetworkConfig.Family;
import io.weir.config.NetworkConfig.Hashing;
import io.weir.config.NetworkConfig.Unverifiable;
import io.weir.config.NetworkConfig.Verify;
import io.weir.config.WeirConfig.CacheConfig;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.limit.Budget;
import io.weir.method.MethodFacts;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.Forwarding;
import io.weir.pipeline.HandNode;
import io.weir.pipeline.HandPool;
import io.weir.pipeline.Nodes;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.pipeline.cache.NetworkCache;
import io.weir.pipeline.plan.MethodPlans;
import io.weir.pipeline.plan.TestForwarding;
import io.weir.pipeline.watch.KnownChain;
import io.weir.pipeline.watch.NetworkChain;
import io.weir.testing.NetworkSettings;
import io.weir.upstream.NodeOutcome;
import io.weir.verify.ChainFamily;
import io.weir.verify.ChainRules;
import io.weir.verify.VerifyExecutor;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** One network that verifies, before nodes in a test's hands, with real threads. Confined to the test's thread. */
final class ServingFixture implements AutoCloseable {

    final HandPool pool = new HandPool();
    final ChainView view = new ChainView();
    final ResultMemory memory;
    private final DefaultEventLoop loop = new DefaultEventLoop();
    private final NetworkCache cache;
    private final Policy policy;
    private final KnownChain known;
    private final Forwarding forwarding;
    private final Stage nodes;
    private final Map<String, Stage> stages = new ConcurrentHashMap<>();

    /** What a client gets. */
    record Answer(RpcReply reply, String verified, String cache, String upstream) {

        JsonNode json() {
            if (!(reply instanceof RpcReply.Result result)) {
                throw new AssertionError(reply + " (expected: a result)");
            }
            return VectorChain.JSON.readTree(result.value().toString());
        }

        RpcReply.Failure failure() {
            return (RpcReply.Failure) reply;
        }
    }

    ServingFixture(Verify verify) {
        this(verify, Hashing.ETHEREUM, Unverifiable.REFUSE, 2);
    }

    ServingFixture(Verify verify, Hashing hashing, Unverifiable unverifiable, int upstreams) {
        this(verify, hashing, unverifiable, upstreams, TierStack.NONE);
    }

    ServingFixture(Verify verify, Hashing hashing, Unverifiable unverifiable, int upstreams, TierStack tiers) {
        this(
                tiers,
                constant("verify", verify),
                constant("hashing", hashing),
                constant("verify-unknown", unverifiable),
                upstreams(upstreams));
    }

    ServingFixture(Verify verify, Family family, int upstreams) {
        this(
                TierStack.NONE,
                constant("verify", verify),
                constant("hashing", Hashing.ETHEREUM),
                constant("family", family),
                upstreams(upstreams));
    }

    /** With Ethereum's rules, which the proxy is not told to be certain of. */
    ServingFixture(Verify verify, String chainId) {
        this(TierStack.NONE, constant("verify", verify), "chain-id = " + chainId, upstreams(2));
    }

    /** With a share of the results that nothing proves asked of another node too. */
    ServingFixture(int upstreams, String sample, TierStack tiers) {
        this(tiers, constant("hashing", Hashing.ETHEREUM), "verify-sample = " + sample, upstreams(upstreams));
    }

    /** With these settings of the network beside its two nodes. */
    static ServingFixture withSettings(String... settings) {
        return withSettings(TierStack.NONE, settings);
    }

    /** The same with tiers. */
    static ServingFixture withSettings(TierStack tiers, String... settings) {
        return new ServingFixture(
                100,
                tiers,
                Stream.concat(Stream.of(constant("hashing", Hashing.ETHEREUM), upstreams(2)), Stream.of(settings))
                        .toArray(String[]::new));
    }

    private ServingFixture(TierStack tiers, String... settings) {
        this(2, tiers, settings);
    }

    /** @param room for proofs that wait */
    private ServingFixture(int room, TierStack tiers, String... settings) {
        // Samples are drawn by chance: only for tests that ask for them.
        String[] lines = Stream.concat(Stream.of("verify-sample = 0 %"), Stream.of(settings))
                .toArray(String[]::new);
        NetworkConfig config = NetworkSettings.of("net", lines);
        if (config.upstreams().size() == 1) {
            pool.nodes.remove(pool.b);
        }
        memory = ResultMemory.of(
                new CacheConfig(1 << 26), new VerifyExecutor(room, 1 << 26), new Budget(1 << 26), pool.meters(), tiers);
        VerificationContext verification = VerificationContext.of(
                config,
                memory.executor(),
                new CacheMeters(pool.meters(), "net"),
                pool::refuted,
                KnownChain.of(config, view, System::nanoTime),
                this::callOwn);
        policy = verification.policy();
        known = verification.known();
        JudgeCheck judge = new JudgeCheck(verification, MethodCatalogue.ethereum()::facts);
        forwarding = TestForwarding.forwarding(pool, pool.registry, judge);
        nodes = forwarding.over(pool, true);
        cache = new NetworkCache(config, "net", Nodes.of(pool, forwarding), memory, pool.meters(), verification);
        judge.provesBy(nodes(), cache.anchors());
    }

    /** Makes a call of the proxy's own. Only evidence goes by memory: what a lie leads to must not be known when the next one is told. */
    private void callOwn(CallContext context, ReplySink sink) {
        if (context.route().proof() == null) {
            nodes.handle(context, sink);
            return;
        }
        MethodFacts facts = MethodCatalogue.ethereum().facts(context.call().method());
        try {
            context.checked(facts.params().check(context.call().params()));
        } catch (InvalidParamsException e) {
            throw new IllegalStateException(e);
        }
        stages.computeIfAbsent(facts.name(), name -> MethodPlans.behindChecks(cache, facts, nodes))
                .handle(context, sink);
    }

    /** Has a node answer as a chain does, but for what a test says. */
    static void serve(HandNode node, VectorChain chain, Function<RpcCall, NodeOutcome> instead) {
        node.answers = call -> {
            NodeOutcome other = instead.apply(call);
            return other == null ? chain.outcome(call) : other;
        };
    }

    static void serve(HandNode node, VectorChain chain) {
        serve(node, chain, call -> null);
    }

    Answer ask(String method, String params) {
        return ask(method, params, 60_000);
    }

    Answer ask(String method, String params, long millis) {
        return ask(method, params, millis, TestCaller.CLIENT);
    }

    Answer ask(String method, String params, long millis, Caller caller) {
        MethodFacts facts = MethodCatalogue.ethereum().facts(method);
        RpcCall call = new RpcCall(RawJson.of("1"), method, RawJson.of(params));
        long now = System.nanoTime();
        CallContext context = new CallContext(
                call, caller, new NetworkId("net"), loop, now, now + TimeUnit.MILLISECONDS.toNanos(millis));
        CompletableFuture<Answer> future = new CompletableFuture<>();
        try {
            context.checked(facts.params().check(RawJson.of(params)));
            Stage stage = MethodPlans.behindChecks(cache, facts, nodes);
            loop.execute(() -> stage.handle(
                    context,
                    reply -> future.complete(new Answer(
                            reply,
                            context.trace().verified(),
                            context.trace().cacheStatus(),
                            context.trace().upstreamId()))));
            return future.get(60, TimeUnit.SECONDS);
        } catch (InvalidParamsException | InterruptedException | ExecutionException | TimeoutException e) {
            throw new IllegalStateException(method + params, e);
        }
    }

    /** Returns how stages reach the nodes. */
    Nodes nodes() {
        return Nodes.of(pool, forwarding);
    }

    /** What tells blocks' places over these nodes, by what is known of a chain. */
    Anchors anchors(NetworkChain chain) {
        return new Anchors(chain, nodes(), verification(), 2);
    }

    /** Returns the part that all verifications of answers share. */
    VerificationContext verification() {
        CacheMeters meters = new CacheMeters(pool.meters(), "net");
        MisbehaviourTracker misbehaviour = new MisbehaviourTracker("net", Hashing.ETHEREUM, false, pool::refuted);
        NetworkConfig config = NetworkSettings.of("net");
        KnownChain known = KnownChain.of(config, new ChainView(), System::nanoTime);
        return new VerificationContext(
                memory.executor(),
                meters,
                misbehaviour,
                Policy.of(config, ChainFamily.ETHEREUM),
                false,
                ChainRules.ETHEREUM,
                known,
                this::callOwn);
    }

    /** Returns what the network judges of answers. */
    Policy policy() {
        return policy;
    }

    /** Has the network see a block, as one that a node shows as its newest. */
    void show(String block) {
        known.show(RawJson.of(block));
    }

    /** Does something on the event loop. */
    void onLoop(Consumer<EventLoop> action) {
        try {
            loop.submit(() -> action.accept(loop)).get(60, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Forgets all that is kept. */
    void forget() {
        memory.store().purge("net", result -> true);
    }

    /** Has the cache forget all, as after a call that replaces the chain of a development node. */
    void replaceChain() {
        onLoop(eventLoop -> cache.forgetAll());
    }

    /** Waits until what was to be kept is. */
    void settle() {
        try {
            loop.submit(() -> {}).get(60, TimeUnit.SECONDS);
            if (memory.executor().isIdle()) {
                return;
            }
            CompletableFuture<Boolean> done = new CompletableFuture<>();
            while (!memory.executor().tryRun(0, () -> done.complete(true))) {
                Thread.onSpinWait();
            }
            done.get(60, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Calls that reached nodes, without those about what is final. */
    long calls() {
        return pool.a.texts().stream().filter(one -> !one.contains("finalized")).count()
                + pool.b.texts().stream()
                        .filter(one -> !one.contains("finalized"))
                        .count();
    }

    @Override
    public void close() {
        memory.close();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
