/**
 * Required abilities of a tier: storing bytes under names, and reporting its state. Start at {@link
 * io.weir.cache.tier.bytes.ByteTier}.
 */
@NullMarked
package io.weir.cache.tier.bytes;

import org.jspecify.annotations.NullMarked;
