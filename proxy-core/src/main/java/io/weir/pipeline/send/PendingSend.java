package io.weir.pipeline.send;

import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.RpcReply.FailureKind;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.CallTrace;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import java.util.ArrayList;
import java.util.List;

/** A transaction under way, and the other calls that send the very same one meanwhile. Thread-safe. */
final class PendingSend {

    private final long deadlineNanos;
    private final List<Passenger> passengers = new ArrayList<>(0);
    private boolean landed;

    private record Passenger(CallContext context, ReplySink sink) {}

    /**
     * Begins one.
     *
     * @param deadlineNanos when it ends at the latest
     */
    PendingSend(long deadlineNanos) {
        this.deadlineNanos = deadlineNanos;
    }

    /** Has a call wait for the reply; false where that came already, or could come too late for it. */
    synchronized boolean join(CallContext context, ReplySink sink) {
        if (landed || context.deadlineNanos() - deadlineNanos < 0) {
            return false;
        }
        passengers.add(new Passenger(context, sink));
        return true;
    }

    /**
     * Answers those who wait, each on its own event loop.
     *
     * @param again where a call goes that has time left although this flight had not
     */
    void land(RpcReply reply, CallTrace trace, Stage again) {
        boolean late = isUnanswered(reply) && System.nanoTime() - deadlineNanos >= 0;
        String upstream = trace.upstreamId();
        long upstreamNanos = trace.upstreamNanos();
        for (Passenger passenger : ending()) {
            CallContext context = passenger.context();
            Runnable told = () -> {
                if (late && context.millisLeft(System.nanoTime()) > 0) {
                    again.handle(context, passenger.sink());
                    return;
                }
                context.trace().markForwarded();
                if (upstream != null) {
                    context.trace().answeredBy(upstream, upstreamNanos);
                }
                passenger.sink().accept(reply);
            };
            context.loop().execute(() -> context.step(told));
        }
    }

    private synchronized List<Passenger> ending() {
        landed = true;
        return List.copyOf(passengers);
    }

    private static boolean isUnanswered(RpcReply reply) {
        return reply instanceof RpcReply.Failure failure && failure.kind() == FailureKind.UNAVAILABLE;
    }
}
