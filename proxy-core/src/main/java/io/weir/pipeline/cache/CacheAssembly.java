package io.weir.pipeline.cache;

import io.weir.cache.CacheMeters;
import io.weir.cache.memory.ResultMemory;
import io.weir.cache.memory.ResultStore;
import io.weir.chain.ChainView;
import io.weir.chain.FinalizedHeight;
import io.weir.config.NetworkConfig;
import io.weir.config.NetworkConfig.Hashing;
import io.weir.config.NetworkConfig.Verify;
import io.weir.jsonrpc.NetworkId;
import io.weir.metrics.Meters;
import io.weir.pipeline.Nodes;
import io.weir.pipeline.admission.CacheAdmission;
import io.weir.pipeline.admission.CacheRequests;
import io.weir.pipeline.admission.CacheWriter;
import io.weir.pipeline.admission.CanonicalCheck;
import io.weir.pipeline.admission.PositionClaims;
import io.weir.pipeline.admission.ProvenBlockSink;
import io.weir.pipeline.admission.VerifyingCacheWriter;
import io.weir.pipeline.admission.VerifyingCacheWriter.Verifying;
import io.weir.pipeline.cache.NetworkCache.StageParts;
import io.weir.pipeline.coalesce.Flights;
import io.weir.pipeline.prefetch.BlockPrefetcher;
import io.weir.pipeline.prefetch.BlockPrefetcher.PrefetchLimits;
import io.weir.pipeline.prefetch.PrefetchBudget;
import io.weir.pipeline.prefetch.PrefetchMeters;
import io.weir.pipeline.proof.Proofs;
import io.weir.pipeline.tier.NetworkTiers;
import io.weir.pipeline.watch.BlockSource;
import io.weir.pipeline.watch.ChainWatch;
import io.weir.pipeline.watch.FinalityWatch;
import io.weir.pipeline.watch.NetworkChain;
import io.weir.pipeline.watch.NodeBlocks;
import io.weir.upstream.NetworkHead;
import io.weir.verify.ChainRules;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Builds the cache of one network, its parts first. Confined to the thread that builds the network. */
final class CacheAssembly {

    private final NetworkConfig config;
    private final NetworkId id;
    private final Nodes nodes;
    private final ResultMemory memory;
    private final Meters meters;
    private final LongSupplier clock;
    private final boolean verifies;

    /** @param clock nanoseconds, as {@link System#nanoTime} */
    CacheAssembly(NetworkConfig config, Nodes nodes, ResultMemory memory, Meters meters, LongSupplier clock) {
        this.config = config;
        this.id = new NetworkId(config.name());
        this.nodes = nodes;
        this.memory = memory;
        this.meters = meters;
        this.clock = clock;
        this.verifies = config.verify() != Verify.OFF && config.hashing() != Hashing.NONE;
    }

    /** Builds the cache, which then follows the chain. */
    NetworkCache build() {
        ResultStore store = memory.store();
        CacheMeters cacheMeters = new CacheMeters(meters, config.name());
        BlockSource blocks = new NodeBlocks(
                id,
                nodes.all(),
                verifies ? ChainRules.of(config) : null,
                nodes.head().finality());
        PrefetchMeters prefetchMeters = new PrefetchMeters(meters, config.name());
        PrefetchBudget budget = new PrefetchBudget(config.gather(), prefetchMeters, cacheMeters::lookups, clock);
        NetworkChain chain = chain(blocks, budget);
        Proofs proofs = new Proofs(config, nodes, chain, memory.executor(), cacheMeters);
        PositionClaims claims = new PositionClaims(proofs.ledger());
        BlockFetcher fetcher = new BlockFetcher(id, budget);
        Verifying verifying = verifies ? new Verifying(proofs.ledger(), proofs.rules(), claims) : null;
        CanonicalCheck canonical = new CanonicalCheck(chain, config.upstreams().size() > 1);
        CacheWriter writer = new CacheWriter(config.name(), store, cacheMeters);
        CacheAdmission admission = new CacheAdmission(
                canonical,
                writer,
                new VerifyingCacheWriter(memory, writer, fetcher::uncles, cacheMeters, chain.view(), verifying),
                proofs.anchors());
        CacheRequests requests = new CacheRequests(chain, store, nodes.head().tracker(), clock);
        CachedBlocks cached = new CachedBlocks(config.name(), store, chain, canonical);
        BlockPrefetcher prefetcher = new BlockPrefetcher(
                config.gather(),
                verifies,
                nodes.head().tracker(),
                fetcher,
                new PrefetchLimits(budget, prefetchMeters, clock));
        CacheParts parts = new CacheParts(
                config.name(),
                memory,
                cacheMeters,
                chain,
                new CacheReader(store, canonical, cached, prefetcher),
                cached,
                prefetcher,
                requests,
                new ResponseCaching(chain, canonical, admission, cached, prefetcher));
        NetworkTiers tiers = NetworkTiers.of(config, memory, chain, blocks, verifies, clock);
        Flights flights = new Flights(nodes.head().tracker(), cacheMeters);
        ChainChanges changes = new ChainChanges(parts, canonical, proofs.anchors(), claims, tiers, flights);
        follow(chain, proofs, changes);
        ProvenBlockSink evidence = new ProvenBlockSink(requests, admission);
        return new NetworkCache(parts, new StageParts(fetcher, flights, tiers, proofs, evidence), changes);
    }

    private NetworkChain chain(BlockSource blocks, PrefetchBudget budget) {
        NetworkHead head = nodes.head();
        ChainView view = new ChainView(config.head().maxLinks());
        FinalizedHeight finalized = new FinalizedHeight();
        long maxAge = TimeUnit.MILLISECONDS.toNanos(config.head().maxAgeMillis());
        return new NetworkChain(
                view,
                finalized,
                new ChainWatch(head, view, finalized, blocks, maxAge, budget::tryTake, clock),
                new FinalityWatch(finalized, head, blocks, config.finalityDepth(), clock));
    }

    private void follow(NetworkChain chain, Proofs proofs, ChainChanges changes) {
        chain.view().listen(changes);
        chain.finality().listen(loop -> proofs.anchors().confirmView(id, loop));
        nodes.head().tracker().listen(changes);
    }
}
