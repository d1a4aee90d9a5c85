package io.weir.upstream;

/** Attempt under way that its caller can give up. Confined to the attempt's event loop. */
@FunctionalInterface
public interface AttemptHandle {

    /**
     * Gives the attempt up. No outcome is delivered any more. Does nothing once the outcome was delivered. A call that was not sent
     * is never sent.
     */
    void cancel();
}
