package io.weir.subscription.log;

import com.codahale.metrics.Counter;
import io.weir.config.NetworkConfig.SubscriptionConfig;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RpcReply;
import io.weir.limit.Budget;
import io.weir.limit.KeyBudgets;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import org.jspecify.annotations.Nullable;

/** Limits on the addresses and topics in the criteria of one network's subscriptions and filters. Thread-safe. */
public final class CriteriaLimits {

    private final int maxPerConnection;
    private final KeyBudgets keys;
    private final Counter overConnection;
    private final Counter overKey;

    public CriteriaLimits(SubscriptionConfig config, Meters meters, String network) {
        this.maxPerConnection = config.maxCriteriaPerConnection();
        this.keys = new KeyBudgets(config.maxCriteriaPerKey());
        this.overConnection = meters.counter(Meter.CRITERIA_REFUSED, network, "connection");
        this.overKey = meters.counter(Meter.CRITERIA_REFUSED, network, "key");
    }

    /**
     * Compares the limit of a connection with its subscriptions and one more.
     *
     * @param open the sum of their addresses and topics
     * @return null, or the reply if the limit is exceeded
     */
    public RpcReply.@Nullable Failure excess(long open, @Nullable LogCriteria criteria) {
        long sum = open + LogCriteria.count(criteria);
        return criteria == null || sum <= maxPerConnection
                ? null
                : refusal(overConnection, "subscriptions of this connection", sum, maxPerConnection);
    }

    /**
     * Takes the addresses and topics of a subscription or filter of a key.
     *
     * @return null, or the reply if the limit is exceeded; then nothing is taken
     */
    public RpcReply.@Nullable Failure take(String key, @Nullable LogCriteria criteria) {
        int count = LogCriteria.count(criteria);
        Budget budget = keys.of(key);
        return budget.tryTake(count)
                ? null
                : refusal(overKey, "subscriptions and filters of this key", budget.taken() + count, budget.max());
    }

    /** Gives back what was taken. */
    public void give(String key, @Nullable LogCriteria criteria) {
        keys.of(key).give(LogCriteria.count(criteria));
    }

    private static RpcReply.Failure refusal(Counter counter, String owner, long sum, long max) {
        counter.inc();
        return RpcReply.failure(ErrorCode.LIMIT_EXCEEDED.error(
                "too many addresses and topics in the " + owner + ": " + sum + " (expected: at most " + max + ")"));
    }
}
