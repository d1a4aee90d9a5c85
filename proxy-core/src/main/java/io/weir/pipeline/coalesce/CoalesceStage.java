package io.weir.pipeline.coalesce;

import io.weir.access.BypassingCaller;
import io.weir.cache.CallKey;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.CheckedParams;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.CallGuard;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import java.util.function.Predicate;

/**
 * Sends a call to a node once, however many ask the same meanwhile: the first one leads, the others wait for its answer, each
 * until its own deadline. Where the leader's answer fails to come, those who have time left try again, led by one of them. Only
 * for methods that are safe to repeat. Thread-safe.
 */
public final class CoalesceStage implements Stage {

    /** Leaders one after the other that each found no node to answer; the time of a call that gave up does not count. */
    private static final int MAX_FAILURES = 2;

    private final String network;
    /** What a call is told for which there is no room to hold the answer. */
    public static final RpcReply NO_ROOM = RpcReply.unavailable("overloaded: no room for the answer");

    private final Flights flights;
    private final Predicate<RpcReply> room;
    private final Stage next;

    /**
     * Makes the stage of one method.
     *
     * @param room whether one more may hold an answer, now
     */
    public CoalesceStage(String network, Flights flights, Predicate<RpcReply> room, Stage next) {
        this.room = room;
        this.network = network;
        this.flights = flights;
        this.next = next;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        if (context.caller() instanceof BypassingCaller) {
            next.handle(context, sink);
        } else {
            handle(context, sink, 0);
        }
    }

    private void handle(CallContext context, ReplySink sink, int failures) {
        RawJson params = context.call().params();
        CallKey key = new CallKey(network, context.call().method(), params == null ? RawJson.EMPTY_ARRAY : params);
        Flight flight = flights.joinOrLead(
                context, key, landing -> context.step(() -> landed(landing, context, sink)), failures);
        if (flight != null) {
            CallGuard guard = new CallGuard(context, reply -> {
                if (!isFixed(context)) {
                    // First: the client that sees this answer may ask again on another loop before the sink returns.
                    flight.answered();
                }
                try {
                    sink.accept(reply);
                } finally {
                    flight.land(reply, context.trace(), MAX_FAILURES);
                }
            });
            guard.pass(next);
        }
    }

    /**
     * Whether the call names one block, so that its answer is as right a moment later. Such an answer enters memory while the sink
     * runs: a call that comes meanwhile shares it, and would find it in memory afterwards.
     */
    private static boolean isFixed(CallContext context) {
        CheckedParams params = context.checkedParams();
        return params != null
                && (params.block() instanceof BlockSelector.Hash || params.block() instanceof BlockSelector.Height);
    }

    private void landed(Flight.Landing landing, CallContext context, ReplySink sink) {
        if (landing.again() && context.deadlineNanos() - System.nanoTime() > 0) {
            handle(context, sink, landing.failures());
            return;
        }
        landing.tell(context.trace());
        flights.meters().countCollapsed();
        sink.accept(room.test(landing.reply()) ? landing.reply() : NO_ROOM);
    }
}
