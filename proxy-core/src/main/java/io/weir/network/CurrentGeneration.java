package io.weir.network;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** The single reference to the generation that serves. Thread-safe: one writer, any number of readers. */
public final class CurrentGeneration {

    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final OperatorChanges changes = new OperatorChanges();
    private volatile Generation generation;

    public CurrentGeneration(Generation first) {
        this.generation = first;
    }

    public Generation get() {
        return generation;
    }

    public OperatorChanges changes() {
        return changes;
    }

    /** Runs an action, such as a change of a node, during which no other generation is published. It must be short. */
    public <T> T whileCurrent(Function<Generation, T> action) {
        synchronized (changes) {
            return action.apply(generation);
        }
    }

    /**
     * Replaces the generation for new requests. Requests in flight finish on the old one. The changes of operators that are to be kept
     * are in force before the first request.
     */
    public void publish(Generation next) {
        synchronized (changes) {
            changes.carryTo(next);
            generation = next;
        }
        listeners.forEach(Runnable::run);
    }

    /** Registers a listener, which runs after each replacement on the thread that publishes. */
    public void listen(Runnable listener) {
        listeners.add(listener);
    }
}
