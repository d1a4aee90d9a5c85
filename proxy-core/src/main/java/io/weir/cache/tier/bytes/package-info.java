/** What a tier must be able to do: keep bytes under names, and say how it is. Start at {@link io.weir.cache.tier.bytes.ByteTier}. */
@NullMarked
package io.weir.cache.tier.bytes;

import org.jspecify.annotations.NullMarked;
