package io.weir.pipeline.tier;

import io.weir.cache.tier.NetworkTier;
import io.weir.chain.ChainView;
import io.weir.method.CacheClass;
import io.weir.method.params.BlockSelector;
import io.weir.pipeline.admission.CacheRequest;
import org.jspecify.annotations.Nullable;

/**
 * The rules for results that are stored in a tier, and trusted when they come back. Thread-safe.
 *
 * <p>Without verification, every result is stored and trusted, as nodes are. With verification:
 *
 * <ul>
 *   <li>A block or a header is verified again, and the receipts of a block by that block.
 *   <li>An unproven result (state, executed calls, the place of a block or a transaction) is trusted only from the proxy's own tier, or
 *       if the operator says so.
 *   <li>Any other result that only its whole block proves is derived from the block and its receipts.
 * </ul>
 *
 * @param verifies whether the network proves what can be proven
 */
record TierTrust(boolean verifies, ChainView view) {

    /**
     * Returns whether results of a class are stored in a tier.
     *
     * @param rule null for the place of a block or a transaction
     */
    boolean stores(@Nullable CacheClass rule, NetworkTier tier) {
        return rule == CacheClass.RECEIPTS || (rule == null ? isTrusted(tier) : provesItself(rule, tier));
    }

    private boolean provesItself(CacheClass rule, NetworkTier tier) {
        return isTrusted(tier) ? !verifies || !rule.needsItsBlock() : isBlock(rule);
    }

    /** Returns whether an answer of a tier to this very call is trusted once its content is verified. */
    boolean believes(CacheRequest request, NetworkTier tier) {
        return provesItself(request.rule(), tier) && (isTrusted(tier) || isPlaced(request));
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
