package io.weir.network;

/** The single reference to the generation that serves. Thread-safe: one writer, any number of readers. */
public final class CurrentGeneration {

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
    }
}
