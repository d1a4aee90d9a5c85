package io.weir.pipeline.cache;

import io.weir.cache.CacheMeters;
import io.weir.cache.CachedResult;
import io.weir.cache.memory.ResultMemory;
import io.weir.chain.ChainView;
import io.weir.config.NetworkConfig;
import io.weir.method.CacheClass;
import io.weir.method.MethodFacts;
import io.weir.method.params.KindParams;
import io.weir.metrics.Meters;
import io.weir.pipeline.CacheStages;
import io.weir.pipeline.CachedReplies;
import io.weir.pipeline.Nodes;
import io.weir.pipeline.Stage;
import io.weir.pipeline.admission.ProvenBlockSink;
import io.weir.pipeline.agree.Agreements;
import io.weir.pipeline.coalesce.CoalesceStage;
import io.weir.pipeline.coalesce.Flights;
import io.weir.pipeline.proof.Proofs;
import io.weir.pipeline.range.LogRanges;
import io.weir.pipeline.tier.NetworkTiers;
import io.weir.pipeline.watch.KnownChain;
import io.weir.pipeline.watch.NetworkChain;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The cache of one network; makes its stages: memory, coalescing, tiers, proofs. Thread-safe. */
public final class NetworkCache implements CacheStages {

    private final CacheParts cache;
    private final StageParts stages;
    private final ChainChanges changes;

    /** The parts of the stages behind memory. Immutable; its members are thread-safe. */
    record StageParts(
            BlockFetcher fetcher,
            Flights flights,
            NetworkTiers tiers,
            Proofs proofs,
            ProvenBlockSink evidence,
            LogRanges ranges,
            Agreements agreements,
            KindCache ofKind) {}

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
        return of(config, config.name(), nodes, memory, meters, KnownChain.of(config, new ChainView(), clock));
    }

    /**
     * Makes a cache without results.
     *
     * @param space the name of its results in memory, which no other network has. A network that replaces one of the same name has
     *     another, because the replaced one still stores the answers to its last calls
     * @param known facts about the chain, which the cache's watches keep right
     */
    public static NetworkCache of(
            NetworkConfig config, String space, Nodes nodes, ResultMemory memory, Meters meters, KnownChain known) {
        return new CacheAssembly(config, space, nodes, memory, meters, known).build();
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
        if (facts.params() instanceof KindParams params) {
            return stages.ofKind().before(facts, params, next);
        }
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
        return rule == null || rule.isOfHead() ? next : stages.tiers().before(rule, cache.requests(), next);
    }

    @Override
    public Stage proofStage(MethodFacts facts, Stage next) {
        CacheClass rule = rule(facts);
        return rule == null ? next : stages.proofs().before(facts, stages.evidence(), next);
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
    public Stage replacedStateStage(Stage next) {
        return new ReplacedStateStage(changes::replaced, next);
    }

    private @Nullable CacheClass storedRule(MethodFacts facts) {
        return cache.memory().store().isOn() ? rule(facts) : null;
    }

    private static @Nullable CacheClass rule(MethodFacts facts) {
        return facts.params() == null ? null : facts.cacheClass();
    }

    /** Returns the methods that had answers which could not be verified, each with the node of the first one and the reason. */
    public Map<String, String> unverifiable() {
        return stages.proofs().misbehaviour().unverifiable();
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
}
