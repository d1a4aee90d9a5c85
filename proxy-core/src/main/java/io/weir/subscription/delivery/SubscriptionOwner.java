package io.weir.subscription.delivery;

/** Owner of what a subscription holds beside its connection. Thread-safe. */
@FunctionalInterface
public interface SubscriptionOwner {

    /** Handles the end of a subscription, once for each that was added. */
    void ended(Subscription subscription);
}
