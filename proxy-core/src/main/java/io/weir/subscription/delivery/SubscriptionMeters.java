package io.weir.subscription.delivery;

import com.codahale.metrics.Counter;
import io.weir.access.MethodUsage;
import io.weir.metrics.EnumCounters;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Meters of one network's subscriptions. Thread-safe. */
public final class SubscriptionMeters {

    /** The name under which notifications count beside the methods of calls. */
    private static final String NOTIFICATION = "notification";

    private final Map<SubscriptionKind, AtomicLong> open = new EnumMap<>(SubscriptionKind.class);
    private final EnumCounters<SubscriptionKind> notifications;
    private final EnumCounters<Closing> closings;
    private final EnumCounters<Fetch> fetches;
    private final EnumCounters<SubscriptionKind> failures;
    private final Counter refused;
    private final MethodUsage usage;

    /** Reason for which a connection with subscriptions is closed. */
    public enum Closing {
        /** Its client reads too slowly. */
        SLOW,
        /** The stream could not go on. */
        LOST,
        /** A later configuration took the right to subscribe away from the key. */
        REVOKED
    }

    /** What is requested for subscriptions. */
    public enum Fetch {
        /** A block. */
        HEADER,
        /** The logs of a block. */
        LOGS,
        /** New pending transactions of a filter. */
        PENDING,
        /** The status of a transaction. */
        STATUS
    }

    public SubscriptionMeters(Meters meters, String network) {
        for (SubscriptionKind kind : SubscriptionKind.values()) {
            AtomicLong count = new AtomicLong();
            open.put(kind, count);
            meters.gauge(Meter.SUBSCRIPTIONS, count::get, network, kind.text());
        }
        notifications = new EnumCounters<>(
                meters, Meter.NOTIFICATIONS, SubscriptionKind.class, SubscriptionKind::text, network);
        failures = new EnumCounters<>(
                meters, Meter.SUBSCRIPTIONS_FAILED, SubscriptionKind.class, SubscriptionKind::text, network);
        closings = new EnumCounters<>(meters, Meter.SUBSCRIBERS_CLOSED, Closing.class, network);
        fetches = new EnumCounters<>(meters, Meter.SUBSCRIPTION_FETCHES, Fetch.class, network);
        refused = meters.counter(Meter.SUBSCRIPTIONS_REFUSED, network);
        usage = new MethodUsage(meters, network, NOTIFICATION);
    }

    /** Counts a subscription that begins or ends. */
    public void opened(SubscriptionKind kind, int change) {
        AtomicLong count = open.get(kind);
        if (count != null) {
            count.addAndGet(change);
        }
    }

    /**
     * Counts a notification.
     *
     * @param units its cost
     * @param bytes of the whole message
     */
    void notified(Subscription subscription, long units, long bytes) {
        notifications.count(subscription.kind());
        usage.count(subscription.caller().account(), units, bytes);
    }

    public void failed(SubscriptionKind kind) {
        failures.count(kind);
    }

    public void closed(Closing closing) {
        closings.count(closing);
    }

    public void fetched(Fetch fetch) {
        fetches.count(fetch);
    }

    /** Counts a subscription that was refused because too many were open. */
    public void refused() {
        refused.inc();
    }
}
