package io.weir.pipeline.send;

import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.RpcReply.FailureKind;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.CallTrace;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import java.util.ArrayList;
import java.util.List;

/** Transaction in flight, with the other calls that send the same one in the meantime. Thread-safe. */
final class PendingSend {

    private final long deadlineNanos;
    private final List<Waiter> waiters = new ArrayList<>(0);
    private boolean ended;

    private record Waiter(CallContext context, ReplySink sink) {}

    /** @param deadlineNanos when it ends at the latest */
    PendingSend(long deadlineNanos) {
        this.deadlineNanos = deadlineNanos;
    }

    /** Lets a call wait for the reply. Returns false if the reply has arrived, or could arrive too late for the call. */
    synchronized boolean coalesce(CallContext context, ReplySink sink) {
        if (ended || context.deadlineNanos() - deadlineNanos < 0) {
            return false;
        }
        waiters.add(new Waiter(context, sink));
        return true;
    }

    /**
     * Answers the waiting calls, each on its own event loop.
     *
     * @param again receives calls that have time left although the transaction's time is over
     */
    void end(RpcReply reply, CallTrace trace, Stage again) {
        boolean late = isUnanswered(reply) && System.nanoTime() - deadlineNanos >= 0;
        String upstream = trace.upstreamId();
        long upstreamNanos = trace.upstreamNanos();
        for (Waiter waiter : ending()) {
            CallContext context = waiter.context();
            Runnable deliver = () -> {
                if (late && context.millisLeft(System.nanoTime()) > 0) {
                    again.handle(context, waiter.sink());
                    return;
                }
                context.trace().markForwarded();
                if (upstream != null) {
                    context.trace().answeredBy(upstream, upstreamNanos);
                }
                waiter.sink().accept(reply);
            };
            context.loop().execute(() -> context.step(deliver));
        }
    }

    private synchronized List<Waiter> ending() {
        ended = true;
        return List.copyOf(waiters);
    }

    private static boolean isUnanswered(RpcReply reply) {
        return reply instanceof RpcReply.Failure failure && failure.kind() == FailureKind.UNAVAILABLE;
    }
}
