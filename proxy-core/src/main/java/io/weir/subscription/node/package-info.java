/**
 * Subscriptions that single nodes serve: pending transactions, and kinds that the proxy does not know. Start at
 * {@link io.weir.subscription.node.PendingFeed} and {@link io.weir.subscription.node.PassedFeed}.
 */
@NullMarked
package io.weir.subscription.node;

import org.jspecify.annotations.NullMarked;
