package io.weir.pipeline;

/**
 * One step on a call's way: answers the call, or passes it on to the stage behind it. Thread-safe; runs on the call's event
 * loop and never blocks.
 */
@FunctionalInterface
public interface Stage {

    /** Takes a call over. The sink gets exactly one reply, on the call's event loop, now or later. */
    void handle(CallContext context, ReplySink sink);
}
