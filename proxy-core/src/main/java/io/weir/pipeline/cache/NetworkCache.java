package io.weir.pipeline.cache;

import io.weir.cache.CacheMeters;
import io.weir.cache.CacheMeters.Lookup;
import io.weir.cache.CachedResult;
import io.weir.cache.CallKey;
import io.weir.cache.memory.ResultMemory;
import io.weir.cache.memory.ResultStore;
import io.weir.chain.ChainView;
import io.weir.chain.FinalizedHeight;
import io.weir.chain.HeadListener;
import io.weir.chain.HeadTracker;
import io.weir.chain.Reorg;
import io.weir.config.NetworkConfig;
import io.weir.config.NetworkConfig.Hashing;
import io.weir.config.NetworkConfig.Verify;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.CacheClass;
import io.weir.method.MethodFacts;
import io.weir.method.params.CheckedParams;
import io.weir.metrics.Meters;
import io.weir.pipeline.CacheStages;
import io.weir.pipeline.CachedReplies;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.Nodes;
import io.weir.pipeline.Stage;
import io.weir.pipeline.cache.admission.CacheAdmission;
import io.weir.pipeline.cache.admission.CacheRequest;
import io.weir.pipeline.cache.admission.CacheWriter;
import io.weir.pipeline.cache.admission.PositionClaims;
import io.weir.pipeline.cache.admission.ProvenBlockSink;
import io.weir.pipeline.cache.admission.VerifyingCacheWriter;
import io.weir.pipeline.cache.admission.VerifyingCacheWriter.Verifying;
import io.weir.pipeline.coalesce.CoalesceStage;
import io.weir.pipeline.coalesce.Flights;
import io.weir.pipeline.prefetch.BlockPrefetcher;
import io.weir.pipeline.proof.Proofs;
import io.weir.pipeline.tier.Asked;
import io.weir.pipeline.tier.NetworkTiers;
import io.weir.pipeline.watch.BlockSource;
import io.weir.pipeline.watch.ChainWatch;
import io.weir.pipeline.watch.FinalityWatch;
import io.weir.pipeline.watch.NetworkChain;
import io.weir.pipeline.watch.NodeBlocks;
import io.weir.upstream.NetworkHead;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The results in memory of one network, and what is known of its chain to keep them right. Thread-safe. */
public final class NetworkCache implements CacheStages {

    private final String network;
    private final ResultMemory memory;
    private final CacheMeters meters;
    private final HeadTracker head;
    private final NetworkChain chain;
    private final Proofs proofs;
    private final CacheAdmission keeper;
    private final PositionClaims claims;
    private final CachedBlocks kept;
    private final ProvenBlockSink evidence;
    private final BlockFetcher calls;
    private final BlockPrefetcher gatherer;
    private final Flights flights;
    private final NetworkTiers tiers;
    private final Aliases aliases = new Aliases();
    private final LongSupplier clock;

    /** Hears how a purge ended. */
    public interface PurgeSink {

        /**
         * It is done.
         *
         * @param removed from memory
         * @param everywhere whether the tiers behind memory will not give it back after a restart either
         */
        void purged(long removed, boolean everywhere);
    }

    /**
     * Begins without results.
     *
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    public NetworkCache(NetworkConfig config, Nodes nodes, ResultMemory memory, Meters meters, LongSupplier clock) {
        this.network = config.name();
        this.memory = memory;
        this.clock = clock;
        NetworkHead networkHead = nodes.head();
        this.head = networkHead.tracker();
        this.meters = new CacheMeters(meters, network);
        this.flights = new Flights(this.head, this.meters);
        boolean verifies = config.verify() != Verify.OFF && config.hashing() != Hashing.NONE;
        BlockSource blocks = new NodeBlocks(new NetworkId(network), nodes.all(), verifies);
        ChainView view = new ChainView();
        FinalizedHeight finalized = new FinalizedHeight();
        long maxAge = TimeUnit.MILLISECONDS.toNanos(config.headMaxAgeMillis());
        this.chain = new NetworkChain(
                view,
                finalized,
                new ChainWatch(networkHead, view, finalized, blocks, maxAge, clock),
                new FinalityWatch(finalized, networkHead, blocks, config.finalityDepth(), clock));
        this.proofs = new Proofs(config, nodes, chain, memory.executor(), this.meters);
        this.calls = new BlockFetcher(new NetworkId(network), this::gatherer);
        CacheWriter shelf = new CacheWriter(network, memory.store());
        this.claims = new PositionClaims(proofs.ledger());
        Verifying verifying = verifies ? new Verifying(proofs.ledger(), proofs.names(), claims) : null;
        this.keeper = new CacheAdmission(
                chain,
                new VerifyingCacheWriter(memory, shelf, calls::uncles, this.meters, view, verifying),
                proofs.anchors(),
                config.upstreams().size() > 1);
        this.evidence = new ProvenBlockSink(network, memory.store(), keeper, this.head, clock);
        this.kept = new CachedBlocks(network, memory.store(), chain, keeper);
        this.gatherer = new BlockPrefetcher(network, config.gather(), verifies, this.head, calls, meters, clock);
        this.tiers = new NetworkTiers(config, memory, chain, blocks, verifies, clock);
        view.listen(this::reorganised);
        chain.finality().listen(loop -> proofs.anchors().confirmView(new NetworkId(network), loop));
        this.head.listen(new Heads());
    }

    @Override
    public Stage cacheStage(MethodFacts facts, Stage next) {
        CacheClass rule = storedClass(facts);
        return rule == null ? next : new CacheStage(rule, facts.blockField(), this, next);
    }

    @Override
    public void fetchThrough(MethodFacts facts, Stage behindCache) {
        CacheClass rule = storedClass(facts);
        if (rule != null) {
            calls.take(facts, new CacheStage(rule, facts.blockField(), this, behindCache));
        }
    }

    @Override
    public Stage coalesceStage(Stage next) {
        return new CoalesceStage(network, flights, memory::hasRoom, next);
    }

    @Override
    public Stage tierStage(MethodFacts facts, Stage next) {
        CacheClass rule = storedClass(facts);
        return rule == null ? next : tiers.before(rule, this::asked, next);
    }

    @Override
    public Stage proofStage(MethodFacts facts, Stage next) {
        CacheClass rule = facts.params() == null ? null : facts.cacheClass();
        return rule == null ? next : proofs.before(facts, evidence, next);
    }

    @Override
    public Stage replacedStateStage(Stage next) {
        return new ReplacedStateStage(this::replaced, next);
    }

    @Override
    public @Nullable CachedReplies fastPath(MethodFacts facts) {
        CacheClass rule = storedClass(facts);
        return rule == null ? null : new FastPath(rule, this);
    }

    /** Returns the class under which results of a method are stored; null if they are not. */
    private @Nullable CacheClass storedClass(MethodFacts facts) {
        return facts.params() == null || !memory.store().isOn() ? null : facts.cacheClass();
    }

    /**
     * Serves a result from memory: counts the hit and notes it in the call's trace. Every hit passes here.
     *
     * @param whole whether the result is stored as it is served; otherwise it was cut out of a block
     * @param proven parts that were proven, as clients see them; empty if none was
     * @return the reply, or a failure if there is no room for it
     */
    RpcReply serve(CallContext context, CacheClass rule, RpcReply reply, boolean whole, String proven) {
        meters.count(rule.kind(), whole ? Lookup.HIT : Lookup.DERIVED);
        if (!memory.hasRoom(reply)) {
            return CoalesceStage.NO_ROOM;
        }
        if (whole) {
            context.trace().markHit(proven);
        } else {
            context.trace().markDerived(proven);
        }
        return reply;
    }

    /** What its calls and answers came to. */
    public CacheMeters meters() {
        return meters;
    }

    /**
     * Takes results away, on a thread of its own; of the tiers behind memory all that they have of the network.
     *
     * @param done hears how many, on some thread
     * @return whether it will be done; not, where that thread has too much to do
     */
    public boolean purge(Predicate<CachedResult> which, PurgeSink done) {
        return memory.executor().tryRun(0, () -> {
            // In this order: what is on its way to a tier looks for a purge once it knows where to.
            long removed = memory.store().purge(network, which);
            tiers.renew(everywhere -> done.purged(removed, everywhere));
        });
    }

    String network() {
        return network;
    }

    ResultStore store() {
        return memory.store();
    }

    /** As {@link CacheAdmission#standing}; the tiers behind memory hear of a result that is found to be final. */
    CacheAdmission.Standing standing(CallKey key, CachedResult result, boolean checked) {
        boolean lasted = result.lasting();
        CacheAdmission.Standing standing = keeper.standing(result, checked);
        if (!lasted && result.lasting()) {
            memory.store().promoted(key, result);
        }
        return standing;
    }

    NetworkChain chain() {
        return chain;
    }

    CacheAdmission keeper() {
        return keeper;
    }

    Aliases aliases() {
        return aliases;
    }

    CachedBlocks kept() {
        return kept;
    }

    BlockPrefetcher gatherer() {
        return gatherer;
    }

    CacheRequest question(
            CallKey key, CacheClass rule, CallContext context, CheckedParams params, Consumer<Boolean> settled) {
        return new CacheRequest(
                key,
                rule,
                context,
                params,
                head.begin(),
                clock.getAsLong(),
                keeper.slotOf(context, rule, params.block()),
                memory.store().purges(),
                settled);
    }

    /** As {@link #question}, for an answer that no node gives. */
    private Asked asked(CallKey key, CacheClass rule, CallContext context, CheckedParams params) {
        long now = clock.getAsLong();
        return new CacheRequest(
                key,
                rule,
                context,
                params,
                head.begin(),
                now,
                null,
                memory.store().purges(),
                kept -> {});
    }

    /** What is not given out any more need not take room either. */
    private void reorganised(Reorg reorg) {
        meters.countReorg();
        flights.closeAll();
        if (reorg.ancestor() < chain.finalized().number()) {
            replaced();
        } else {
            memory.executor()
                    .tryRun(
                            0,
                            () -> memory.store()
                                    .removeIf(
                                            network,
                                            result -> !result.lasting()
                                                    && result.block().number() > reorg.ancestor()));
        }
    }

    /** What was final is not: a development chain that was set back, or changed. Nothing that is known can be relied on. */
    private void replaced() {
        chain.finalized().forget();
        proofs.anchors().forget();
        claims.forget();
        memory.store().purge(network, result -> true);
        tiers.renew(everywhere -> {});
    }

    private final class Heads implements HeadListener {

        @Override
        public void rose(long number) {
            // The next call that needs to know looks at the chain.
        }

        @Override
        public void wentBack(long from, long to) {
            if (to < chain.finalized().number()) {
                replaced();
            }
        }
    }
}
