package io.weir.pipeline.cache;

import io.weir.cache.CachedResult;
import io.weir.cache.CachedResult.BlockRef;
import io.weir.chain.ChainListener;
import io.weir.chain.HeadListener;
import io.weir.chain.Reorg;
import io.weir.method.ResultKind;
import io.weir.pipeline.admission.CanonicalCheck;
import io.weir.pipeline.admission.PositionClaims;
import io.weir.pipeline.coalesce.Flights;
import io.weir.pipeline.proof.Anchors;
import io.weir.pipeline.tier.NetworkTiers;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Drops one network's results when their blocks are replaced, and promotes those of final blocks. Thread-safe. */
final class ChainChanges implements HeadListener, ChainListener {

    private final CacheParts cache;
    private final CanonicalCheck canonical;
    private final Anchors anchors;
    private final PositionClaims claims;
    private final NetworkTiers tiers;
    private final Flights flights;

    ChainChanges(
            CacheParts cache,
            CanonicalCheck canonical,
            Anchors anchors,
            PositionClaims claims,
            NetworkTiers tiers,
            Flights flights) {
        this.cache = cache;
        this.canonical = canonical;
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

    /** Promotes the results of blocks that are final. Nothing is known of the other blocks from now on. */
    @Override
    public void left(Map<Long, String> hashes) {
        Map<Long, String> last = new HashMap<>(hashes);
        last.keySet().removeIf(number -> !canonical.isFinal(number));
        if (!last.isEmpty()) {
            long purges = cache.memory().store().purges();
            cache.memory().executor().tryRun(0, () -> promote(last, purges));
        }
    }

    private void promote(Map<Long, String> last, long purges) {
        Set<BlockRef> whole = new HashSet<>();
        cache.memory().store().promoteIf(cache.network(), result -> isOf(result, last), purges, result -> {
            if (result.kind() == ResultKind.BLOCK || result.kind() == ResultKind.RECEIPT) {
                whole.add(result.block());
            }
        });
        // Calls by number find such a block by its height alone from now on.
        last.forEach((number, hash) -> {
            if (whole.contains(new BlockRef(number, hash, CachedResult.ANY_STAMP))) {
                cache.blocks().noteFinal(number, hash, purges);
            }
        });
    }

    private static boolean isOf(CachedResult result, Map<Long, String> blocks) {
        BlockRef block = result.block();
        return block.hash() != null && block.hash().equals(blocks.get(block.number()));
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
