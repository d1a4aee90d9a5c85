package io.weir.pipeline.cache;

import io.netty.channel.EventLoop;
import io.weir.cache.CacheMeters;
import io.weir.cache.CacheMeters.LookupOutcome;
import io.weir.cache.CachedResult;
import io.weir.cache.SourceMarks;
import io.weir.cache.memory.ResultMemory;
import io.weir.cache.memory.ResultStore;
import io.weir.chain.CanonicalLinks;
import io.weir.chain.ChainListener;
import io.weir.chain.ChainView;
import io.weir.chain.Finality;
import io.weir.chain.HeadListener;
import io.weir.chain.HeadTracker;
import io.weir.chain.Reorg;
import io.weir.config.NetworkConfig;
import io.weir.config.NetworkConfig.Verify;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.AnswerKind;
import io.weir.method.CacheClass;
import io.weir.method.ChainCalls;
import io.weir.method.MethodFacts;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.CheckedParams;
import io.weir.method.params.KindParams;
import io.weir.method.params.MethodParams;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.pipeline.CacheStages;
import io.weir.pipeline.CacheStages.CachedReplies;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.Nodes;
import io.weir.pipeline.Stage;
import io.weir.pipeline.admission.CacheAdmission;
import io.weir.pipeline.admission.CacheRequest.CacheRequests;
import io.weir.pipeline.admission.CacheWriter;
import io.weir.pipeline.admission.CanonicalCheck;
import io.weir.pipeline.admission.PositionClaims;
import io.weir.pipeline.agree.Agreements;
import io.weir.pipeline.agree.Sampler;
import io.weir.pipeline.cache.BlockPrefetcher.BlockCalls;
import io.weir.pipeline.evidence.Anchors;
import io.weir.pipeline.evidence.MisbehaviourTracker;
import io.weir.pipeline.evidence.ProofStage;
import io.weir.pipeline.evidence.StateProofStage;
import io.weir.pipeline.evidence.VerificationContext;
import io.weir.pipeline.range.LogRanges;
import io.weir.pipeline.watch.BlockSource;
import io.weir.pipeline.watch.ChainWatch;
import io.weir.pipeline.watch.FinalityWatch;
import io.weir.pipeline.watch.KnownChain;
import io.weir.pipeline.watch.NetworkChain;
import io.weir.pipeline.watch.NodeBlocks;
import io.weir.pipeline.watch.ShownBlocks;
import io.weir.upstream.CallCause;
import io.weir.upstream.NetworkHead;
import io.weir.upstream.NetworkHead.ShownBlock;
import io.weir.upstream.stream.SharedResult.StreamSharing;
import io.weir.verify.AnswerProof;
import io.weir.verify.Verification;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The cache of one network; makes its stages: memory, coalescing, tiers, proofs. Thread-safe. */
public final class NetworkCache implements CacheStages {

    private static final Set<LookupOutcome> CALLS = EnumSet.allOf(LookupOutcome.class);
    private static final Set<LookupOutcome> HITS = EnumSet.of(LookupOutcome.HIT, LookupOutcome.DERIVED);

    private final NetworkConfig config;
    private final Nodes nodes;
    private final Meters meters;
    private final VerificationContext verification;
    private final NetworkMemory memory;
    private final CacheRequests requests;
    private final CacheAdmission admission;
    private final BlockFetcher fetcher;
    private final Flights flights;
    private final NetworkTiers tiers;
    private final Anchors anchors;
    private final LogRanges ranges;
    private final Agreements agreements;
    private final ChainChanges changes;

    /**
     * Makes a cache without results.
     *
     * @param space the name of its results in memory, which no other network has. A network that replaces one of the same name has
     *     another, because the replaced one still stores the answers to its last calls
     * @param verification what the network's verifications share; the cache's watches keep right what it knows of the chain
     */
    public NetworkCache(
            NetworkConfig config,
            String space,
            Nodes nodes,
            ResultMemory shared,
            Meters meters,
            VerificationContext verification) {
        this.config = config;
        this.nodes = nodes;
        this.meters = meters;
        this.verification = verification;
        NetworkId id = new NetworkId(config.name());
        CacheMeters counted = verification.meters();
        LongSupplier clock = verification.known().clock();
        HeadTracker head = nodes.head().tracker();
        boolean several = config.upstreams().size() > 1;
        ShownBlocks shown = new ShownBlocks();
        BlockSource blocks =
                new NodeBlocks(id, nodes.all(), config.verifies() ? verification.rules() : null, nodes.blocks(), shown);
        PrefetchBudget budget = budget(counted, clock);
        NetworkChain chain = chain(blocks, shown, budget);
        SourceMarks marks = SourceMarks.of(config.upstreams().keySet());
        CanonicalCheck canonical = new CanonicalCheck(chain, several, marks);
        this.fetcher = new BlockFetcher(id, budget);
        BlockPrefetcher prefetcher =
                new BlockPrefetcher(config.gather(), config.verifies(), head, fetcher, budget, clock);
        this.memory = new NetworkMemory(
                space,
                nodes.blocks().hasMembersOfEthereum(),
                verification.known().hasBlooms(),
                shared,
                counted,
                chain,
                canonical,
                prefetcher,
                new NetworkMemory.Aliases());
        this.tiers = NetworkTiers.of(config, shared, chain, blocks, marks, clock);
        this.anchors =
                new Anchors(chain, nodes, verification, config.upstreams().size());
        PositionClaims claims = new PositionClaims(verification.misbehaviour());
        this.requests = new CacheRequests(space, chain, shared.store(), head, clock);
        this.admission = admission(claims, marks, budget);
        this.flights = new Flights(
                head, counted, StreamSharing.of(shared.bytes(), meters.counter(Meter.STREAMS_CUT, config.name())));
        this.ranges = new LogRanges(config, nodes, chain, verification, anchors, tiers, shared.bytes(), meters, clock);
        this.agreements =
                new Agreements(config, nodes, verification.misbehaviour(), chain.finalized(), shared.bytes(), meters);
        this.changes = new ChainChanges(claims);
        verification.misbehaviour().onLiar(liar -> revoke(liar, marks));
        tiers.follow(space);
        follow(id);
    }

    private PrefetchBudget budget(CacheMeters counted, LongSupplier clock) {
        return new PrefetchBudget(
                config.gather(),
                meters,
                config.name(),
                () -> counted.lookups(CALLS),
                () -> counted.lookups(HITS),
                clock);
    }

    private NetworkChain chain(BlockSource blocks, ShownBlocks shown, PrefetchBudget budget) {
        NetworkHead head = nodes.head();
        ChainView view = verification.known().view();
        LongSupplier clock = verification.known().clock();
        Finality finalized = head.finality();
        if (config.verifies()) {
            finalized.prove(block -> block != null
                    && !(AnswerProof.check(AnswerKind.BLOCK, block, null, verification.rules())
                            instanceof Verification.Wrong));
        }
        long maxAge = TimeUnit.MILLISECONDS.toNanos(config.head().maxAgeMillis());
        return new NetworkChain(
                view,
                finalized,
                new ChainWatch(head, view, finalized, blocks, maxAge, budget::tryTake, clock),
                new FinalityWatch(head, clock),
                shown);
    }

    /** Returns the admission of results. None is sampled if nobody verifies answers or fetches more, or if there is no second node. */
    private CacheAdmission admission(PositionClaims claims, SourceMarks marks, PrefetchBudget budget) {
        ResultMemory shared = memory.shared();
        MisbehaviourTracker misbehaviour = verification.misbehaviour();
        CacheWriter writer = new CacheWriter(memory.network(), shared.store(), memory.meters(), marks);
        boolean samples = config.verify() != Verify.OFF
                && config.gather().enabled()
                && config.upstreams().size() > 1;
        return new CacheAdmission(
                memory.canonical(),
                writer,
                verification,
                fetcher::uncle,
                claims,
                anchors,
                new Sampler(
                        new NetworkId(config.name()),
                        nodes,
                        misbehaviour,
                        meters,
                        samples ? config.verifySample() : 0,
                        new Random()),
                budget::tryTake);
    }

    /** Drops all unproven results of a node that gave a false answer. */
    private void revoke(String liar, SourceMarks marks) {
        // The mark before the tiers, so that they store no old result as a new one; and after them, so that
        // no result that they gave in between stays in memory.
        marks.revoke(liar);
        tiers.abandonUnproven(liar);
        marks.revoke(liar);
        memory.meters().of(Meter.CACHE_REVOCATIONS).inc();
    }

    /** Begins to follow the chain. */
    private void follow(NetworkId id) {
        NetworkChain chain = memory.chain();
        KnownChain known = verification.known();
        known.follow(chain, nodes.head().tracker());
        nodes.head().listen((block, round, upstreamId) -> take(block, known, chain.shown()));
        chain.watch().start();
        chain.view().listen(changes);
        if (nodes.blocks().isOfEthereum()) {
            chain.finality().listen(loop -> anchors.confirmView(id, loop));
        }
        nodes.head().tracker().listen(changes);
    }

    /** Takes a block that a node shows as its newest. One proof of its header serves answers and those who follow the chain. */
    private void take(ShownBlock block, KnownChain known, ShownBlocks shown) {
        boolean told = shown.lacks(block);
        if (!told && known.header(block.link().hash()) != null) {
            return;
        }
        Verification<?> proof = known.show(block.text());
        // An announced header may lack members, so that it counts only if its hash proves it.
        boolean isBlock = block.kind() == AnswerKind.BLOCK;
        boolean counts = config.verifies()
                ? proof.value() != null || (isBlock && !(proof instanceof Verification.Wrong))
                : isBlock;
        if (told && counts) {
            shown.add(block);
        }
    }

    /**
     * Makes a cache without results, which are stored under the network's name.
     *
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    public static NetworkCache of(
            NetworkConfig config, Nodes nodes, ResultMemory memory, Meters meters, LongSupplier clock) {
        KnownChain known = KnownChain.of(config, new ChainView(), clock);
        CacheMeters counted = new CacheMeters(meters, config.name());
        VerificationContext verification =
                VerificationContext.of(config, memory.executor(), counted, nodes.faults(), known, nodes.all());
        return new NetworkCache(config, config.name(), nodes, memory, meters, verification);
    }

    /**
     * Removes all results from memory, because the network serves no more. They stay in the tiers behind it. Looks at every result,
     * so not on an event loop.
     */
    public void close() {
        ResultStore store = memory.shared().store();
        store.forget(memory.network());
        store.purge(memory.network(), result -> true);
    }

    /** Gets the result of a purge. */
    @FunctionalInterface
    public interface PurgeSink {

        /**
         * Takes the result, on any thread.
         *
         * @param removed the number of results removed from memory
         * @param everywhere whether the tiers behind memory will not return them after a restart either
         */
        void purged(long removed, boolean everywhere);
    }

    @Override
    public Stage demandStage(MethodFacts facts, Stage next) {
        Stage ofLogs = ranges.requireProofs(facts, next);
        return facts.needsState() ? new StateProofStage(facts, verification, anchors, nodes, ofLogs) : ofLogs;
    }

    @Override
    public Stage cacheStage(MethodFacts facts, Stage next) {
        CacheClass rule = storedRule(facts);
        if (rule == null) {
            return next;
        }
        CacheStage stage = new CacheStage(rule, facts.blockField(), memory, requests, admission, next);
        fetcher.register(facts, stage);
        return stage;
    }

    @Override
    public Stage coalesceStage(Stage next) {
        return new CoalesceStage(memory.network(), flights, memory.shared()::hasRoom, next);
    }

    @Override
    public Stage tierStage(MethodFacts facts, Stage next) {
        CacheClass rule = storedRule(facts);
        return rule == null || rule.isOfHead() || facts.params() instanceof KindParams
                ? next
                : tiers.before(rule, facts.blockField(), requests, next);
    }

    @Override
    public Stage proofStage(MethodFacts facts, Stage next) {
        return !verification.policy().waits() || rule(facts) == null
                ? next
                : new ProofStage(facts, verification, nodes, next);
    }

    @Override
    public Stage rangeStage(MethodFacts facts, Stage next) {
        return ranges.before(facts, next);
    }

    @Override
    public Stage agreeStage(MethodFacts facts, Stage next) {
        return agreements.before(facts, next);
    }

    @Override
    public @Nullable CachedReplies fastPath(MethodFacts facts) {
        CacheClass rule = storedRule(facts);
        return rule == null || rule.isOfHead() ? null : new FastPath(rule, memory, ranges);
    }

    @Override
    public void forgetAll() {
        changes.replaced();
    }

    private @Nullable CacheClass storedRule(MethodFacts facts) {
        return memory.shared().store().isOn() ? rule(facts) : null;
    }

    private static @Nullable CacheClass rule(MethodFacts facts) {
        return facts.params() == null ? null : facts.cacheClass();
    }

    /** Returns the methods that had answers which could not be verified, each with the node of the first one and the reason. */
    public Map<String, String> unverifiable() {
        return verification.misbehaviour().unverifiable();
    }

    /** Returns the ranges of blocks, such as {@code 0-99}, whose logs are proven and stored. */
    public List<String> completeLogs() {
        return ranges.complete();
    }

    public Anchors anchors() {
        return anchors;
    }

    public CacheMeters meters() {
        return memory.meters();
    }

    /**
     * Removes results from memory, on another thread. From the tiers behind it, removes all results of the network.
     *
     * @param done gets the result
     * @return false if that thread has too much to do; then nothing is removed
     */
    public boolean purge(Predicate<CachedResult> which, PurgeSink done) {
        return memory.shared().executor().tryRun(0, () -> {
            // In this order: a result that is being written to a tier checks for a purge just before it is written.
            long removed = memory.shared().store().purge(memory.network(), which);
            anchors.forget();
            ranges.forget();
            tiers.renew(everywhere -> done.purged(removed, everywhere));
        });
    }

    public NetworkChain chain() {
        return memory.chain();
    }

    /** Drops the network's results when their blocks are replaced, and has those of final blocks promoted. Thread-safe. */
    private final class ChainChanges implements HeadListener, ChainListener {

        private final PositionClaims claims;
        private final FinalPromotion promotion;

        ChainChanges(PositionClaims claims) {
            this.claims = claims;
            this.promotion =
                    new FinalPromotion(memory, tiers, verification.known().clock());
        }

        @Override
        public void wentBack(long from, long to) {
            if (to < memory.chain().finalized().number()) {
                replaced();
            }
        }

        /** Frees the memory of results that are stale from now on. Results of blocks that nobody contradicted stay. */
        @Override
        public void reorganised(Reorg reorg) {
            memory.meters().of(Meter.REORGS).inc();
            flights.closeAll();
            // A block that became final since the last check is the one that replaced the known one.
            long known = memory.chain().finalized().number();
            long settled = Math.min(known, memory.chain().finalized().settled());
            if (reorg.mayReplace(reorg.ancestor() < 0 ? known : settled)) {
                replaced();
            } else {
                memory.shared()
                        .executor()
                        .tryRun(
                                0,
                                () -> memory.shared()
                                        .store()
                                        .removeIf(
                                                memory.network(),
                                                result -> !result.lasting()
                                                        && result.block().number() >= reorg.replaced()));
            }
        }

        @Override
        public void finalized(CanonicalLinks links, long number) {
            ranges.takeFinal(links, number);
            promotion.begin(links, number);
        }

        /** Forgets everything: a final block was replaced, on a development chain that was reset or changed. */
        void replaced() {
            memory.chain().finalized().forget();
            anchors.forget();
            claims.forget();
            memory.shared().store().purge(memory.network(), result -> true);
            ranges.forget();
            tiers.renew(everywhere -> {});
        }
    }

    /** Sends the proxy's own calls for whole blocks and receipts through the stages of clients' calls. Thread-safe. */
    private static final class BlockFetcher implements BlockCalls {

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
            RpcCall block =
                    byHash ? ChainCalls.blockByHash(selector, true) : ChainCalls.blockByQuantity(selector, true);
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
}
