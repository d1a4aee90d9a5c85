/**
 * Runs that show whether subscriptions survive the loss of nodes, and what they cost. Start reading at
 * {@link io.weir.bench.subscription.SubscriptionTorture}.
 */
@NullMarked
package io.weir.bench.subscription;

import org.jspecify.annotations.NullMarked;
