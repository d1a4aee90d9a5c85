/** Results as the bytes that tiers keep: their names, and a form in which nothing that comes back is believed. */
@NullMarked
package io.weir.cache.tier.entry;

import org.jspecify.annotations.NullMarked;
