/**
 * Bounds: budgets for the bytes and calls in flight, used by the listener and by the collectors of upstream answers, and pauses
 * between attempts that fail. Start at {@link io.weir.limit.Budget}.
 */
@NullMarked
package io.weir.limit;

import org.jspecify.annotations.NullMarked;
