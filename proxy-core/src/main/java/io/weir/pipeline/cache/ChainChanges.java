package io.weir.pipeline.cache;

import io.weir.chain.HeadListener;
import io.weir.chain.Reorg;
import io.weir.pipeline.admission.PositionClaims;
import io.weir.pipeline.coalesce.Flights;
import io.weir.pipeline.proof.Anchors;
import io.weir.pipeline.tier.NetworkTiers;

/** Drops one network's results when their blocks are replaced. Thread-safe. */
final class ChainChanges implements HeadListener {

    private final CacheParts cache;
    private final Anchors anchors;
    private final PositionClaims claims;
    private final NetworkTiers tiers;
    private final Flights flights;

    ChainChanges(CacheParts cache, Anchors anchors, PositionClaims claims, NetworkTiers tiers, Flights flights) {
        this.cache = cache;
        this.anchors = anchors;
        this.claims = claims;
        this.tiers = tiers;
        this.flights = flights;
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

    /** Frees the memory of results that are stale from now on. */
    void reorganised(Reorg reorg) {
        cache.meters().countReorg();
        flights.closeAll();
        if (reorg.ancestor() < cache.chain().finalized().number()) {
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
                                                    && result.block().number() > reorg.ancestor()));
        }
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
