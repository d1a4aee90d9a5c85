/**
 * Tiers behind the memory, shared by all networks: files of one folder, and Redis, which is loaded on demand. Results survive in them, and
 * a slow, full, lost or dishonest tier does not harm calls. The package knows bytes and names, not the meaning of an answer. Start at
 * {@link io.weir.cache.tier.NetworkTier} and {@link io.weir.cache.tier.ByteTier}.
 */
@NullMarked
package io.weir.cache.tier;

import org.jspecify.annotations.NullMarked;
