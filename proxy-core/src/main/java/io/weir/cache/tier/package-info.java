/**
 * Tiers behind memory, shared by all networks: where results outlive it, and what keeps a slow, full, lost or lying one from
 * costing anything. Knows bytes and names, not what an answer means. Start at {@link io.weir.cache.tier.NetworkTier} and {@link
 * io.weir.cache.tier.bytes.ByteTier}.
 */
@NullMarked
package io.weir.cache.tier;

import org.jspecify.annotations.NullMarked;
