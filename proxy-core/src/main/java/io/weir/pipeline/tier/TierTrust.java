package io.weir.pipeline.tier;

import io.weir.cache.tier.NetworkTier;
import io.weir.chain.ChainView;
import io.weir.method.CacheClass;
import io.weir.method.params.BlockSelector;

/**
 * What is put into a tier and believed when it comes back. Thread-safe.
 *
 * <p>Without verification all of it, as nodes are believed. With it, what an answer proves by itself is proven again. What it does
 * not prove (state, executed calls, where a block stands) is believed only of a tier that is the proxy's own, or where the operator
 * says so. What only its whole block proves (receipts, logs, counts, where a transaction or an uncle stands) is fetched again.
 *
 * @param verifies whether the network proves what can be proven
 */
record TierTrust(boolean verifies, ChainView view) {

    /** Whether answers of a rule are put there. */
    boolean stores(CacheClass rule, NetworkTier tier) {
        return isTrusted(tier) ? !verifies || !rule.needsItsBlock() : isBlock(rule);
    }

    /** Whether the answer to a call is believed once its content is proven. */
    boolean believes(Asked question, NetworkTier tier) {
        return stores(question.rule(), tier) && (isTrusted(tier) || isPlaced(question));
    }

    private boolean isTrusted(NetworkTier tier) {
        return !verifies || !tier.shared() || tier.unproven();
    }

    /** All of it is under its hash. */
    private static boolean isBlock(CacheClass rule) {
        return rule == CacheClass.BLOCK || rule == CacheClass.HEADER;
    }

    /** Whether the hash that the answer must have is known; that it has it is seen then. */
    private boolean isPlaced(Asked question) {
        return question.namesHash()
                || (question.params().block() instanceof BlockSelector.Height height
                        && view.hash(height.number()) != null);
    }
}
