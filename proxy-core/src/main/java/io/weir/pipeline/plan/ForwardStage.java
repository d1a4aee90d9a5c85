package io.weir.pipeline.plan;

import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.upstream.UpstreamPool;
import java.util.function.Predicate;

/**
 * Last stage of most plans: chooses a node, asks it, and moves on to another one if that is safe. Thread-safe.
 *
 * @param repeatable whether a call of this method that may have been executed may be sent again
 */
record ForwardStage(AttemptParts parts, Predicate<String> repeatable) implements Stage {

    @Override
    public void handle(CallContext context, ReplySink sink) {
        UpstreamPool pool = parts.pool();
        Attempts attempts = new Attempts(parts, repeatable.test(context.call().method()), context, sink);
        if (pool.usable() || pool.probed()) {
            attempts.next();
        } else {
            // Right after the start no node's chain is known: the call could reach a node of another chain.
            pool.whenProbed(context.loop(), context.deadlineNanos(), () -> context.step(attempts::next));
        }
    }
}
