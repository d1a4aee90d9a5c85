package io.weir.network;

/** The one place that says which generation serves. Thread-safe: one writer, any number of readers. */
public final class CurrentGeneration {

    private volatile Generation generation;

    public CurrentGeneration(Generation first) {
        this.generation = first;
    }

    /** The generation that new requests begin with. */
    public Generation get() {
        return generation;
    }

    /** Lets new requests begin with another generation; those in flight finish on theirs. */
    public void publish(Generation next) {
        generation = next;
    }
}
