/** Positions of records, in tables of primitives. Start at {@link io.weir.cache.index.PositionIndex}. */
@NullMarked
package io.weir.cache.index;

import org.jspecify.annotations.NullMarked;
