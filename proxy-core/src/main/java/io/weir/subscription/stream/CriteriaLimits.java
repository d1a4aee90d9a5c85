package io.weir.subscription.stream;

import com.codahale.metrics.Counter;
import io.weir.access.Holding;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RpcReply;
import io.weir.limit.Budget;
import io.weir.limit.Budget.KeyBudgets;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import org.jspecify.annotations.Nullable;

/**
 * Limits on the addresses and topics in the criteria of one network's subscriptions and filters, and on the heap that those of all networks
 * take. Thread-safe.
 */
public final class CriteriaLimits {

    /** Heap of a subscription with its connection's and its caller's references to it, about. */
    private static final int SUBSCRIPTION_BYTES = 650;

    /** Heap of a filter with its place in the table, about. */
    private static final int FILTER_BYTES = 450;

    /** Addresses and topics that one key may watch: tens of MiB of heap, and more than a client of many contracts needs. */
    public static final int MAX_PER_KEY = 250_000;

    /** Addresses and topics that one connection may watch: a fifth of what a key may. */
    private static final int MAX_PER_CONNECTION = MAX_PER_KEY / 5;

    private final KeyBudgets keys;
    private final Counter overConnection;
    private final Counter overKey;
    private final Counter overMemory;
    private final Budget memory;

    /**
     * @param maxPerKey addresses and topics that one key may watch
     * @param memory the bytes of the subscriptions and filters of all networks
     */
    public CriteriaLimits(int maxPerKey, Meters meters, String network, Budget memory) {
        this.memory = memory;
        this.keys = new KeyBudgets(maxPerKey);
        this.overConnection = meters.counter(Meter.CRITERIA_REFUSED, network, "connection");
        this.overKey = meters.counter(Meter.CRITERIA_REFUSED, network, "key");
        this.overMemory = meters.counter(Meter.CRITERIA_REFUSED, network, "memory");
    }

    /**
     * Compares the limit of a connection with its subscriptions and one more.
     *
     * @param open the sum of their addresses and topics
     * @return null, or the reply if the limit is exceeded
     */
    public RpcReply.@Nullable Failure excess(long open, @Nullable LogCriteria criteria) {
        long sum = open + LogCriteria.count(criteria);
        return criteria == null || sum <= MAX_PER_CONNECTION
                ? null
                : refusal(overConnection, "subscriptions of this connection", sum, MAX_PER_CONNECTION);
    }

    /**
     * Takes what a subscription needs.
     *
     * @param kept bytes of its parameters that are kept as the client wrote them
     * @return null, or the reply if a limit is exceeded; then the holding must be closed
     */
    public RpcReply.@Nullable Failure takeForSubscription(Holding holding, @Nullable LogCriteria criteria, long kept) {
        return take(holding, criteria, kept + SUBSCRIPTION_BYTES + (criteria == null ? 0 : LogIndex.bytes(criteria)));
    }

    /** Takes what a filter needs, likewise. */
    public RpcReply.@Nullable Failure takeForFilter(Holding holding, @Nullable LogCriteria criteria, long kept) {
        return take(holding, criteria, kept + FILTER_BYTES);
    }

    private RpcReply.@Nullable Failure take(Holding holding, @Nullable LogCriteria criteria, long others) {
        int count = LogCriteria.count(criteria);
        long bytes = others + (criteria == null ? 0 : criteria.bytes());
        if (!holding.tryTake(keys, count)) {
            Budget ofKey = holding.own(keys);
            return refusal(overKey, "subscriptions and filters of this key", ofKey.taken() + count, ofKey.max());
        }
        if (!holding.tryTake(memory, bytes)) {
            overMemory.inc();
            return RpcReply.failure(ErrorCode.LIMIT_EXCEEDED.error("the subscriptions and filters take too many bytes: "
                    + bytes + " more than " + memory.taken() + ' ' + holding.refused(memory, bytes)));
        }
        return null;
    }

    private static RpcReply.Failure refusal(Counter counter, String owner, long sum, long max) {
        counter.inc();
        return RpcReply.failure(ErrorCode.LIMIT_EXCEEDED.error(
                "too many addresses and topics in the " + owner + ": " + sum + " (expected: at most " + max + ")"));
    }
}
