package io.weir.subscription;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.subscription.delivery.Subscription;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Source of the events of some kinds of subscriptions. Thread-safe. */
interface SubscriptionSource {

    /**
     * Adds a subscription.
     *
     * @param params of the call that subscribes
     * @param deadlineNanos when to give up, on the clock of {@link System#nanoTime}
     * @param joined receives null, in order with the events, once the source serves the subscription; else why it does not,
     *     and the subscription was not added
     */
    void join(
            Subscription subscription, RawJson params, long deadlineNanos, Consumer<RpcReply.@Nullable Failure> joined);

    /** Removes a subscription that was added. */
    void leave(Subscription subscription);
}
