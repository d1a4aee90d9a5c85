package io.weir.pipeline.tier;

import io.weir.cache.tier.NetworkTier;
import io.weir.chain.ChainView;
import io.weir.method.CacheClass;
import io.weir.method.params.BlockSelector;
import io.weir.pipeline.admission.CacheRequest;

/**
 * The rules for results that are stored in a tier, and trusted when they come back. Thread-safe.
 *
 * <p>Without verification, every result is stored and trusted, as nodes are. With verification:
 *
 * <ul>
 *   <li>A result that proves itself is verified again.
 *   <li>An unproven one (state, executed calls, the place of a block) is trusted only from the proxy's own tier, or if the operator
 *       says so.
 *   <li>A result that only its whole block proves is fetched again: receipts, logs, counts, places of transactions and uncles.
 * </ul>
 *
 * @param verifies whether the network proves what can be proven
 */
record TierTrust(boolean verifies, ChainView view) {

    /** Returns whether results of a class are stored in a tier. */
    boolean stores(CacheClass rule, NetworkTier tier) {
        return isTrusted(tier) ? !verifies || !rule.needsItsBlock() : isBlock(rule);
    }

    /** Returns whether an answer of a tier is trusted once its content is verified. */
    boolean believes(CacheRequest request, NetworkTier tier) {
        return stores(request.rule(), tier) && (isTrusted(tier) || isPlaced(request));
    }

    /** Returns whether an answer without a proof is trusted. */
    boolean isTrusted(NetworkTier tier) {
        return !verifies || !tier.shared() || tier.unproven();
    }

    /**
     * Returns whether unproven results of a tier may be stored in nearer ones. Others write to a shared tier, and may revoke what
     * they wrote: a copy would outlast that.
     */
    boolean passesOn(NetworkTier tier) {
        return !verifies || !tier.shared();
    }

    /** The hash of such a result covers all of it. */
    private static boolean isBlock(CacheClass rule) {
        return rule == CacheClass.BLOCK || rule == CacheClass.HEADER;
    }

    /** Returns whether the hash that the answer must have is known; the check compares it. */
    private boolean isPlaced(CacheRequest request) {
        return request.namesHash()
                || (request.params().block() instanceof BlockSelector.Height height
                        && view.hash(height.number()) != null);
    }
}
