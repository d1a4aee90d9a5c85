package io.weir.subscription;

import io.weir.subscription.delivery.Delivered;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Receivers of a network's events, each of which gets every event in order. Thread-safe. */
final class EventReceivers implements Consumer<Delivered> {

    private final List<Consumer<Delivered>> receivers = new CopyOnWriteArrayList<>();

    /** Adds a receiver of later events. */
    void add(Consumer<Delivered> receiver) {
        receivers.add(receiver);
    }

    @Override
    public void accept(Delivered event) {
        receivers.forEach(receiver -> receiver.accept(event));
    }
}
