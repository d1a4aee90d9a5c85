package io.weir.network;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The single reference to the generation that serves. Thread-safe: one writer, any number of readers. */
public final class CurrentGeneration {

    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile Generation generation;

    public CurrentGeneration(Generation first) {
        this.generation = first;
    }

    /** Returns the generation for new requests. */
    public Generation get() {
        return generation;
    }

    /** Replaces the generation for new requests. Requests in flight finish on the old one. */
    public void publish(Generation next) {
        generation = next;
        listeners.forEach(Runnable::run);
    }

    /** Registers a listener, which runs after each replacement on the thread that publishes. */
    public void listen(Runnable listener) {
        listeners.add(listener);
    }
}
