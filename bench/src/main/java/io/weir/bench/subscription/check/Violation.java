package io.weir.bench.subscription.check;

/** A notification that must not be, or one that is missing. Thread-safe. */
public final class Violation extends Exception {

    private static final long serialVersionUID = 1;

    public Violation(String message) {
        super(message);
    }
}
