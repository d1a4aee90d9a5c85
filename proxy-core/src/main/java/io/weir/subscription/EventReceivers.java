package io.weir.subscription;

import io.weir.metrics.RateLimitedLogger;
import io.weir.subscription.delivery.Delivered;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.LoggerFactory;

/** Receivers of a network's events, each of which gets every event in order. Thread-safe. */
final class EventReceivers implements Consumer<Delivered> {

    private static final RateLimitedLogger LOG = new RateLimitedLogger(LoggerFactory.getLogger(EventReceivers.class));

    private final String network;
    private final List<Consumer<Delivered>> receivers = new CopyOnWriteArrayList<>();

    /** @param network for the log, which names each end of all subscriptions */
    EventReceivers(String network) {
        this.network = network;
    }

    /** Adds a receiver of later events. */
    void add(Consumer<Delivered> receiver) {
        receivers.add(receiver);
    }

    @Override
    public void accept(Delivered event) {
        if (event instanceof Delivered.End end) {
            String kind = end.kind() == null ? "" : " to " + end.kind().text();
            LOG.warn("the subscriptions" + kind + " of network " + network + " end: " + end.reason());
        }
        receivers.forEach(receiver -> receiver.accept(event));
    }
}
