package io.weir.subscription;

import io.weir.access.Holding;
import io.weir.config.NetworkConfig.SubscriptionConfig;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RpcReply;
import io.weir.limit.KeyBudgets;
import io.weir.subscription.delivery.LoopSubscriptions;
import io.weir.subscription.delivery.Subscription;
import io.weir.subscription.delivery.SubscriptionMeters;
import io.weir.subscription.stream.CriteriaLimits;
import org.jspecify.annotations.Nullable;

/** Limits on the open subscriptions of one network, by connection and key. Thread-safe. */
final class SubscriptionLimits {

    /** Subscriptions of one connection: more than clients open that follow one contract by each. What a key may have is a setting. */
    private static final int MAX_PER_CONNECTION = 1_000;

    private final int maxPerConnection;
    private final int maxPerKey;
    private final SubscriptionMeters meters;
    private final CriteriaLimits criteria;
    private final KeyBudgets keys;

    SubscriptionLimits(SubscriptionConfig config, SubscriptionMeters meters, CriteriaLimits criteria) {
        this(MAX_PER_CONNECTION, config, meters, criteria);
    }

    /** @param maxPerConnection subscriptions of one connection */
    SubscriptionLimits(
            int maxPerConnection, SubscriptionConfig config, SubscriptionMeters meters, CriteriaLimits criteria) {
        this.maxPerConnection = maxPerConnection;
        this.maxPerKey = config.maxPerKey();
        this.meters = meters;
        this.criteria = criteria;
        this.keys = new KeyBudgets(maxPerKey);
    }

    /**
     * Compares the limits of a connection with its subscriptions and one more. Called on the event loop of the connection.
     *
     * @return null, or the reply if a limit is exceeded
     */
    RpcReply.@Nullable Failure excess(Subscription subscription, LoopSubscriptions own) {
        if (own.count(subscription.session()) >= maxPerConnection) {
            return refusal("this connection", maxPerConnection);
        }
        return criteria.excess(own.criteria(subscription.session()), subscription.criteria());
    }

    /**
     * Takes what a subscription counts in the limits of its key. Its holding gives it back.
     *
     * @param kept bytes of its parameters that are kept as the client wrote them
     * @return null, or the reply if a limit is exceeded; then nothing is taken
     */
    RpcReply.@Nullable Failure take(Subscription subscription, long kept) {
        Holding holding = subscription.holding();
        if (!holding.tryTake(keys, 1)) {
            return refusal("this key", maxPerKey);
        }
        RpcReply.Failure excess = criteria.takeForSubscription(holding, subscription.criteria(), kept);
        if (excess != null) {
            holding.close();
        }
        return excess;
    }

    private RpcReply.Failure refusal(String owner, int max) {
        meters.refused();
        return RpcReply.failure(ErrorCode.LIMIT_EXCEEDED.error(
                "too many subscriptions of " + owner + " are open (expected: at most " + max + ")"));
    }
}
