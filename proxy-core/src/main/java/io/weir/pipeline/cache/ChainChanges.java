package io.weir.pipeline.cache;

import io.weir.chain.CanonicalLinks;
import io.weir.chain.ChainListener;
import io.weir.chain.HeadListener;
import io.weir.chain.Reorg;
import io.weir.metrics.Meter;
import io.weir.pipeline.admission.PositionClaims;
import io.weir.pipeline.evidence.Anchors;
import io.weir.pipeline.range.LogRanges;

/** Drops one network's results when their blocks are replaced, and has those of final blocks promoted. Thread-safe. */
record ChainChanges(
        NetworkMemory memory,
        Anchors anchors,
        PositionClaims claims,
        NetworkTiers tiers,
        LogRanges ranges,
        Flights flights,
        FinalPromotion promotion)
        implements HeadListener, ChainListener {

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
