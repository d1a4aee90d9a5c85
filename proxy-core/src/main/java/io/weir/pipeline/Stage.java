package io.weir.pipeline;

/**
 * One step of a call's plan: answers the call, or passes it on to the next stage. Thread-safe; runs on the call's event loop and
 * never blocks.
 */
@FunctionalInterface
public interface Stage {

    /** Handles a call. The sink gets exactly one reply, on the call's event loop, now or later. */
    void handle(CallContext context, ReplySink sink);
}
