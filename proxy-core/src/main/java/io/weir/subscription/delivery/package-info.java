/**
 * The subscriptions of one event loop's connections, and the delivery of events to them. Start at
 * {@link io.weir.subscription.delivery.LoopSubscriptions}.
 */
@NullMarked
package io.weir.subscription.delivery;

import org.jspecify.annotations.NullMarked;
