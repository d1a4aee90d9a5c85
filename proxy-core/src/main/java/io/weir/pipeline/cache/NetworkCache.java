package io.weir.pipeline.cache;

import io.weir.cache.CacheMeters;
import io.weir.cache.CacheMeters.LookupOutcome;
import io.weir.cache.CachedResult;
import io.weir.cache.SourceMarks;
import io.weir.cache.memory.ResultMemory;
import io.weir.cache.memory.ResultStore;
import io.weir.chain.ChainView;
import io.weir.chain.FinalizedHeight;
import io.weir.config.NetworkConfig;
import io.weir.config.NetworkConfig.Verify;
import io.weir.jsonrpc.NetworkId;
import io.weir.method.CacheClass;
import io.weir.method.MethodFacts;
import io.weir.method.params.KindParams;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.pipeline.CacheStages;
import io.weir.pipeline.CachedReplies;
import io.weir.pipeline.Nodes;
import io.weir.pipeline.Stage;
import io.weir.pipeline.admission.CacheAdmission;
import io.weir.pipeline.admission.CacheRequests;
import io.weir.pipeline.admission.CacheWriter;
import io.weir.pipeline.admission.CanonicalCheck;
import io.weir.pipeline.admission.PositionClaims;
import io.weir.pipeline.admission.VerifyingCacheWriter;
import io.weir.pipeline.admission.VerifyingCacheWriter.Verifying;
import io.weir.pipeline.agree.Agreements;
import io.weir.pipeline.evidence.Anchors;
import io.weir.pipeline.evidence.FullProof;
import io.weir.pipeline.evidence.MisbehaviourTracker;
import io.weir.pipeline.evidence.VerificationContext;
import io.weir.pipeline.cache.BlockPrefetcher.PrefetchLimits;
import io.weir.pipeline.proof.ProofStage;
import io.weir.pipeline.range.LogRanges;
import io.weir.pipeline.agree.Sampler;
import io.weir.pipeline.agree.Sampling;
import io.weir.pipeline.watch.BlockSource;
import io.weir.pipeline.watch.ChainWatch;
import io.weir.pipeline.watch.FinalityWatch;
import io.weir.pipeline.watch.KnownChain;
import io.weir.pipeline.watch.NetworkChain;
import io.weir.pipeline.watch.NodeBlocks;
import io.weir.upstream.NetworkHead;
import io.weir.upstream.stream.StreamSharing;
import io.weir.verify.ChainRules;
import io.weir.verify.Deviation;
import java.util.EnumSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The cache of one network; makes its stages: memory, coalescing, tiers, proofs. Thread-safe. */
public final class NetworkCache implements CacheStages {

    private final CacheParts cache;
    private final StageParts stages;
    private final ChainChanges changes;

    /**
     * The parts of the stages behind memory. Immutable; its members are thread-safe.
     *
     * @param serving whether calls wait until their results are proven
     */
    record StageParts(
            BlockFetcher fetcher,
            Flights flights,
            NetworkTiers tiers,
            FullProof proof,
            VerificationContext verification,
            Nodes nodes,
            boolean serving,
            LogRanges ranges,
            Agreements agreements) {}

    NetworkCache(CacheParts cache, StageParts stages, ChainChanges changes) {
        this.cache = cache;
        this.stages = stages;
        this.changes = changes;
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
        return of(config, config.name(), nodes, memory, meters, verification);
    }

    /**
     * Makes a cache without results.
     *
     * @param space the name of its results in memory, which no other network has. A network that replaces one of the same name has
     *     another, because the replaced one still stores the answers to its last calls
     * @param verification what the network's verifications share; the cache's watches keep right what it knows of the chain
     */
    public static NetworkCache of(
            NetworkConfig config,
            String space,
            Nodes nodes,
            ResultMemory memory,
            Meters meters,
            VerificationContext verification) {
        return new CacheAssembly(config, space, nodes, memory, meters, verification).build();
    }

    /**
     * Removes all results from memory, because the network serves no more. They stay in the tiers behind it. Looks at every result,
     * so not on an event loop.
     */
    public void close() {
        cache.memory().store().forget(cache.network());
        cache.memory().store().purge(cache.network(), result -> true);
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
    public Stage cacheStage(MethodFacts facts, Stage next) {
        CacheClass rule = storedRule(facts);
        if (rule == null) {
            return next;
        }
        CacheStage stage = new CacheStage(rule, facts.blockField(), cache, next);
        stages.fetcher().register(facts, stage);
        return stage;
    }

    @Override
    public Stage coalesceStage(Stage next) {
        return new CoalesceStage(cache.network(), stages.flights(), cache.memory()::hasRoom, next);
    }

    @Override
    public Stage tierStage(MethodFacts facts, Stage next) {
        CacheClass rule = storedRule(facts);
        return rule == null || rule.isOfHead() || facts.params() instanceof KindParams
                ? next
                : stages.tiers().before(rule, facts.blockField(), cache.requests(), next);
    }

    @Override
    public Stage proofStage(MethodFacts facts, Stage next) {
        return !stages.serving() || rule(facts) == null || facts.params() instanceof KindParams
                ? next
                : new ProofStage(facts, stages.verification(), stages.nodes(), next);
    }

    @Override
    public Stage rangeStage(MethodFacts facts, Stage next) {
        return stages.ranges().before(facts, next);
    }

    @Override
    public Stage agreeStage(MethodFacts facts, Stage next) {
        return stages.agreements().before(facts, next);
    }

    @Override
    public @Nullable CachedReplies fastPath(MethodFacts facts) {
        CacheClass rule = storedRule(facts);
        return rule == null || rule.isOfHead() ? null : new FastPath(rule, cache);
    }

    @Override
    public void forgetAll() {
        changes.replaced();
    }

    private @Nullable CacheClass storedRule(MethodFacts facts) {
        return cache.memory().store().isOn() ? rule(facts) : null;
    }

    private static @Nullable CacheClass rule(MethodFacts facts) {
        return facts.params() == null ? null : facts.cacheClass();
    }

    /** Returns the methods that had answers which could not be verified, each with the node of the first one and the reason. */
    public Map<String, String> unverifiable() {
        return stages.verification().misbehaviour().unverifiable();
    }

    /** Returns the proof of results of calls that wait for it. */
    public FullProof proof() {
        return stages.proof();
    }

    /** Returns the counters of its calls and answers. */
    public CacheMeters meters() {
        return cache.meters();
    }

    /**
     * Removes results from memory, on another thread. From the tiers behind it, removes all results of the network.
     *
     * @param done gets the result
     * @return false if that thread has too much to do; then nothing is removed
     */
    public boolean purge(Predicate<CachedResult> which, PurgeSink done) {
        return cache.memory().executor().tryRun(0, () -> {
            // In this order: a result that is being written to a tier checks for a purge just before it is written.
            long removed = cache.memory().store().purge(cache.network(), which);
            stages.tiers().renew(everywhere -> done.purged(removed, everywhere));
        });
    }

    /** Returns what is known of the chain. */
    public NetworkChain chain() {
        return cache.chain();
    }

    /** Builds the cache of one network, its parts first. Confined to the thread that builds the network. */
    private static final class CacheAssembly {

        private static final Set<LookupOutcome> CALLS = EnumSet.allOf(LookupOutcome.class);
        private static final Set<LookupOutcome> HITS = EnumSet.of(LookupOutcome.HIT, LookupOutcome.DERIVED);

        private final NetworkConfig config;
        private final NetworkId id;
        private final String space;
        private final Nodes nodes;
        private final ResultMemory memory;
        private final Meters meters;
        private final KnownChain known;
        private final LongSupplier clock;
        private final VerificationContext verification;
        private final boolean verifies;

        /**
         * @param space the name of the network's results in memory
         */
        CacheAssembly(
                NetworkConfig config,
                String space,
                Nodes nodes,
                ResultMemory memory,
                Meters meters,
                VerificationContext verification) {
            this.config = config;
            this.id = new NetworkId(config.name());
            this.space = space;
            this.nodes = nodes;
            this.memory = memory;
            this.meters = meters;
            this.known = verification.known();
            this.clock = known.clock();
            this.verification = verification;
            this.verifies = config.verifies();
        }

        /** Builds the cache, which then follows the chain. */
        NetworkCache build() {
            ResultStore store = memory.store();
            CacheMeters cacheMeters = verification.meters();
            MisbehaviourTracker misbehaviour = verification.misbehaviour();
            ChainRules rules = verifies ? verification.rules() : null;
            BlockSource blocks =
                    new NodeBlocks(id, nodes.all(), rules, nodes.head().finality());
            PrefetchMeters prefetchMeters = new PrefetchMeters(meters, config.name());
            PrefetchBudget budget = budget(cacheMeters, prefetchMeters);
            NetworkChain chain = chain(blocks, budget);
            SourceMarks marks = SourceMarks.of(config.upstreams().keySet());
            NetworkTiers tiers = tiers(chain, blocks, marks);
            misbehaviour.onLiar(liars(tiers, marks, cacheMeters));
            Anchors anchors =
                    new Anchors(chain, nodes, verification, config.upstreams().size());
            PositionClaims claims = new PositionClaims(misbehaviour);
            BlockFetcher fetcher = new BlockFetcher(id, budget);
            Verifying verifying = verifies ? new Verifying(misbehaviour, verification.rules(), claims) : null;
            CanonicalCheck canonical =
                    new CanonicalCheck(chain, config.upstreams().size() > 1, marks);
            CacheWriter writer = new CacheWriter(space, store, cacheMeters, marks);
            VerifyingCacheWriter verified =
                    new VerifyingCacheWriter(memory, writer, fetcher::uncles, cacheMeters, chain.view(), verifying);
            CacheAdmission admission =
                    new CacheAdmission(canonical, writer, verified, anchors, sampling(), known, budget::tryTake);
            CacheRequests requests =
                    new CacheRequests(space, chain, store, nodes.head().tracker(), clock);
            CachedBlocks cached = new CachedBlocks(space, store, chain, canonical);
            BlockPrefetcher prefetcher = prefetcher(fetcher, new PrefetchLimits(budget, prefetchMeters, clock));
            CacheParts parts = new CacheParts(
                    space,
                    config.isOfEthereum(),
                    memory,
                    cacheMeters,
                    chain,
                    new CacheReader(store, canonical, cached, prefetcher),
                    cached,
                    prefetcher,
                    requests,
                    new ResponseCaching(chain, canonical, admission, cached, prefetcher, store.maxEntryBytes()));
            Flights flights = new Flights(nodes.head().tracker(), cacheMeters, sharing());
            FinalPromotion promotion = new FinalPromotion(parts, canonical, tiers, clock);
            ChainChanges changes = new ChainChanges(parts, anchors, claims, tiers, flights, promotion);
            follow(chain, anchors, changes);
            StageParts stages = stages(fetcher, flights, tiers, anchors, chain);
            return new NetworkCache(parts, stages, changes);
        }

        private StageParts stages(
                BlockFetcher fetcher, Flights flights, NetworkTiers tiers, Anchors anchors, NetworkChain chain) {
            // Without a block no result is proven, so that waiting would only cost more calls.
            boolean provable = !verification.rules().family().has(Deviation.NO_BLOCK_HASHES);
            return new StageParts(
                    fetcher,
                    flights,
                    tiers,
                    new FullProof(verification, nodes, anchors),
                    verification,
                    nodes,
                    config.verify() == Verify.BEFORE_SERVING && provable,
                    ranges(chain),
                    agreements(chain));
        }

        private PrefetchBudget budget(CacheMeters cacheMeters, PrefetchMeters prefetchMeters) {
            return new PrefetchBudget(
                    config.gather(),
                    prefetchMeters,
                    () -> cacheMeters.lookups(CALLS),
                    () -> cacheMeters.lookups(HITS),
                    clock);
        }

        private NetworkTiers tiers(NetworkChain chain, BlockSource blocks, SourceMarks marks) {
            NetworkTiers tiers = NetworkTiers.of(config, memory, chain, blocks, marks, clock);
            tiers.follow(space);
            return tiers;
        }

        private StreamSharing sharing() {
            return StreamSharing.of(memory.bytes(), meters.counter(Meter.STREAMS_CUT, config.name()));
        }

        private LogRanges ranges(NetworkChain chain) {
            return new LogRanges(config, nodes, chain, memory.bytes(), meters, clock);
        }

        private Agreements agreements(NetworkChain chain) {
            return new Agreements(
                    config, nodes, verification.misbehaviour(), chain.finalized(), memory.bytes(), meters);
        }

        /** Returns the receiver of nodes that gave a false answer: they lose all their unproven results. */
        private static Consumer<String> liars(NetworkTiers tiers, SourceMarks marks, CacheMeters cacheMeters) {
            return liar -> {
                // The mark before the tiers, so that they store no old result as a new one; and after them, so that
                // no result that they gave in between stays in memory.
                marks.revoke(liar);
                tiers.abandonUnproven(liar);
                marks.revoke(liar);
                cacheMeters.countRevocation();
            };
        }

        private BlockPrefetcher prefetcher(BlockFetcher fetcher, PrefetchLimits limits) {
            return new BlockPrefetcher(config.gather(), verifies, nodes.head().tracker(), fetcher, limits);
        }

        private NetworkChain chain(BlockSource blocks, PrefetchBudget budget) {
            NetworkHead head = nodes.head();
            ChainView view = known.view();
            FinalizedHeight finalized = new FinalizedHeight();
            // No depth stands for finality where a proof on another chain decides it.
            long depth = config.isOfEthereum() ? config.finalityDepth() : -1;
            long maxAge = TimeUnit.MILLISECONDS.toNanos(config.head().maxAgeMillis());
            return new NetworkChain(
                    view,
                    finalized,
                    new ChainWatch(head, view, finalized, blocks, maxAge, budget::tryTake, clock),
                    new FinalityWatch(finalized, head, blocks, depth, clock));
        }

        /** Returns the sampling of unproven results; of none if nobody verifies answers or fetches more, or if there is no second node. */
        private Sampling sampling() {
            boolean possible = config.verify() != Verify.OFF
                    && config.gather().enabled()
                    && config.upstreams().size() > 1;
            Sampler sampler = new Sampler(id, nodes, verification.misbehaviour(), meters);
            return new Sampling(possible ? config.verifySample() : 0, new Random(), sampler);
        }

        private void follow(NetworkChain chain, Anchors anchors, ChainChanges changes) {
            known.follow(chain, nodes.head().tracker());
            nodes.head()
                    .listen((block, round, upstreamId) ->
                            known.show(block.link().hash(), block.text()));
            chain.watch().start();
            chain.view().listen(changes);
            if (config.isOfEthereum()) {
                chain.finality().listen(loop -> anchors.confirmView(id, loop));
            }
            nodes.head().tracker().listen(changes);
        }
    }
}
