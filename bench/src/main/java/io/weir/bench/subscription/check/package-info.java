/**
 * Checks of the notifications of one subscription against the chain. {@link io.weir.bench.subscription.check.HeadCheck} and
 * {@link io.weir.bench.subscription.check.LogCheck} hold the rules.
 */
@NullMarked
package io.weir.bench.subscription.check;

import org.jspecify.annotations.NullMarked;
