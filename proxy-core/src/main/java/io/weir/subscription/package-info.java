/**
 * Subscriptions of one network's clients: the stages of {@code eth_subscribe} and {@code eth_unsubscribe}, and one stream of
 * events that serves all of them. Start at {@link io.weir.subscription.SubscriptionAssembly}.
 */
@NullMarked
package io.weir.subscription;

import org.jspecify.annotations.NullMarked;
