package io.weir.subscription.delivery;

import com.codahale.metrics.Counter;
import io.weir.access.MethodUsage;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Meters of one network's subscriptions. Thread-safe. */
public final class SubscriptionMeters {

    /** The name under which notifications count beside the methods of calls. */
    private static final String NOTIFICATION = "notification";

    private final Map<SubscriptionKind, AtomicLong> open = new EnumMap<>(SubscriptionKind.class);
    private final Map<SubscriptionKind, Counter> notifications = new EnumMap<>(SubscriptionKind.class);
    private final Map<Closing, Counter> closings = new EnumMap<>(Closing.class);
    private final Map<Fetch, Counter> fetches = new EnumMap<>(Fetch.class);
    private final Map<SubscriptionKind, Counter> failures = new EnumMap<>(SubscriptionKind.class);
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
            notifications.put(kind, meters.counter(Meter.NOTIFICATIONS, network, kind.text()));
            failures.put(kind, meters.counter(Meter.SUBSCRIPTIONS_FAILED, network, kind.text()));
        }
        for (Closing closing : Closing.values()) {
            closings.put(closing, meters.counter(Meter.SUBSCRIBERS_CLOSED, network, word(closing)));
        }
        for (Fetch fetch : Fetch.values()) {
            fetches.put(fetch, meters.counter(Meter.SUBSCRIPTION_FETCHES, network, word(fetch)));
        }
        refused = meters.counter(Meter.SUBSCRIPTIONS_REFUSED, network);
        usage = new MethodUsage(meters, network, NOTIFICATION);
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
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
        count(notifications.get(subscription.kind()));
        usage.count(subscription.caller().account(), units, bytes);
    }

    /** Counts a subscription that ends with an error. */
    public void failed(SubscriptionKind kind) {
        count(failures.get(kind));
    }

    /** Counts a connection that is closed. */
    public void closed(Closing closing) {
        count(closings.get(closing));
    }

    /** Counts a request. */
    public void fetched(Fetch fetch) {
        count(fetches.get(fetch));
    }

    /** Counts a subscription that was refused because too many were open. */
    public void refused() {
        refused.inc();
    }

    private static void count(@Nullable Counter counter) {
        if (counter != null) {
            counter.inc();
        }
    }
}
