/** Results as bytes for tiers: their names, and a format that is checked completely when it is read. */
@NullMarked
package io.weir.cache.tier.entry;

import org.jspecify.annotations.NullMarked;
