package io.weir.pipeline.cache;

import io.weir.cache.CachedResult.BlockRef;
import io.weir.cache.SourceMarks;
import io.weir.chain.CanonicalLinks;
import io.weir.chain.ChainListener;
import io.weir.chain.HeadListener;
import io.weir.chain.Reorg;
import io.weir.method.ResultKind;
import io.weir.pipeline.admission.CanonicalCheck;
import io.weir.pipeline.admission.PositionClaims;
import io.weir.pipeline.coalesce.Flights;
import io.weir.pipeline.evidence.Anchors;
import io.weir.pipeline.tier.NetworkTiers;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/** Drops one network's results when their blocks are replaced, and promotes those of final blocks. Thread-safe. */
final class ChainChanges implements HeadListener, ChainListener {

    /** Rest after a search for final results, by the time that it took: it looks at all results. */
    private static final int REST_FACTOR = 50;

    private final CacheParts cache;
    private final CanonicalCheck canonical;
    private final Anchors anchors;
    private final PositionClaims claims;
    private final NetworkTiers tiers;
    private final Flights flights;
    private final LongSupplier clock;
    private final AtomicBoolean promoting = new AtomicBoolean();
    private volatile long restUntilNanos;

    /** @param clock nanoseconds, as {@link System#nanoTime} */
    ChainChanges(
            CacheParts cache,
            CanonicalCheck canonical,
            Anchors anchors,
            PositionClaims claims,
            NetworkTiers tiers,
            Flights flights,
            LongSupplier clock) {
        this.cache = cache;
        this.canonical = canonical;
        this.anchors = anchors;
        this.claims = claims;
        this.tiers = tiers;
        this.flights = flights;
        this.clock = clock;
        this.restUntilNanos = clock.getAsLong();
    }

    @Override
    public void rose(long number) {
        // The next call that needs the chain view checks it.
    }

    @Override
    public void wentBack(long from, long to) {
        if (to < cache.chain().finalized().number()) {
            replaced();
        }
    }

    /** Frees the memory of results that are stale from now on. Results of blocks that nobody contradicted stay. */
    @Override
    public void reorganised(Reorg reorg) {
        cache.meters().countReorg();
        flights.closeAll();
        // A block that became final since the last check is the one that replaced the known one.
        long known = cache.chain().finalized().number();
        long settled = Math.min(known, cache.chain().watch().settled());
        if (reorg.mayReplace(reorg.ancestor() < 0 ? known : settled)) {
            replaced();
        } else {
            cache.memory()
                    .executor()
                    .tryRun(
                            0,
                            () -> cache.memory()
                                    .store()
                                    .removeIf(
                                            cache.network(),
                                            result -> !result.lasting()
                                                    && result.block().number() >= reorg.replaced()));
        }
    }

    /**
     * Promotes the results of final blocks, so that they go to the tiers and outlast the chain view. An event that comes while
     * the search for them rests is made up for by the next one.
     */
    @Override
    public void finalized(CanonicalLinks links, long number) {
        if (clock.getAsLong() - restUntilNanos < 0 || !promoting.compareAndSet(false, true)) {
            return;
        }
        long purges = cache.memory().store().purges();
        if (!cache.memory().executor().tryRun(0, () -> promote(links, number, purges))) {
            promoting.set(false);
        }
    }

    private void promote(CanonicalLinks links, long number, long purges) {
        long began = clock.getAsLong();
        try {
            Map<Long, String> whole = new HashMap<>();
            cache.memory()
                    .store()
                    .promoteIf(cache.network(), result -> isFinal(result.block(), links, number), purges, result -> {
                        String hash = result.block().hash();
                        boolean block = result.kind() == ResultKind.BLOCK || result.kind() == ResultKind.RECEIPT;
                        if (block && hash != null) {
                            whole.put(result.block().number(), hash);
                        }
                    });
            // Calls by number find such a block by its height alone from now on, by the word of several nodes.
            whole.forEach((block, hash) -> cache.blocks().noteFinal(block, hash, purges, SourceMarks.NONE));
        } finally {
            restUntilNanos = clock.getAsLong() + REST_FACTOR * (clock.getAsLong() - began);
            promoting.set(false);
        }
    }

    private boolean isFinal(BlockRef block, CanonicalLinks links, long number) {
        return block.number() <= number
                && block.hash() != null
                && block.hash().equals(links.hash(block.number()))
                && canonical.isFinal(block.number());
    }

    /** Forgets everything: a final block was replaced, on a development chain that was reset or changed. */
    void replaced() {
        cache.chain().finalized().forget();
        anchors.forget();
        claims.forget();
        cache.memory().store().purge(cache.network(), result -> true);
        tiers.renew(everywhere -> {});
    }
}
