package io.weir.pipeline.cache;

import io.weir.cache.CallKey;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.metrics.Meter;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.CallGuard;
import io.weir.pipeline.NeededProof;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.pipeline.cache.Flights.Flight;
import io.weir.upstream.ResultStream;
import io.weir.upstream.stream.SharedReader;
import io.weir.upstream.stream.SharedResult;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Stage that sends a call to a node once, however many clients make it at the same time. The first call leads. The others wait for
 * its answer, each until its own deadline. If the leader fails, those with time left try again, led by one of them. Only the leader
 * looks into memory ({@link CallContext.MemoryLook}). Only for methods that are safe to repeat. Thread-safe.
 *
 * @param room whether one more call may hold this answer now
 */
record CoalesceStage(String network, Flights flights, Predicate<RpcReply> room, Stage next) implements Stage {

    /** Leaders in a row that may find no node to answer. A leader that ran out of its own time does not count. */
    private static final int MAX_FAILURES = 2;

    @Override
    public void handle(CallContext context, ReplySink sink) {
        if (context.caller().bypassesCache()) {
            next.handle(context, sink);
        } else {
            handle(context, sink, 0);
        }
    }

    private void handle(CallContext context, ReplySink sink, int failures) {
        RawJson params = context.call().params();
        CallKey key = context.key(network, params == null ? RawJson.EMPTY_ARRAY : params);
        Member member = new Member(context, sink);
        Flight flight = flights.joinOrLead(context, key, member, failures);
        if (flight != null) {
            member.lead(flight);
        }
    }

    /** One call, which leads a flight or waits for another's. One object for all that it takes. Confined to the call's event loop. */
    private final class Member implements Consumer<Flight.Landing>, ReplySink, Stage, Runnable {

        private final CallContext context;
        private final ReplySink sink;
        private @Nullable Flight led;
        private @Nullable CallGuard guard;

        Member(CallContext context, ReplySink sink) {
            this.context = context;
            this.sink = sink;
        }

        @Override
        public void accept(Flight.Landing landing) {
            context.step(() -> landed(landing, context, sink));
        }

        /** Asks a node, only after the flight began: from then on, nobody else asks one for the same. */
        void lead(Flight flight) {
            led = flight;
            guard = new CallGuard(context, this);
            guard.pass(this);
        }

        @Override
        public void handle(CallContext call, ReplySink guarded) {
            CallContext.MemoryLook look = call.memoryLook();
            if (look == null) {
                run();
            } else {
                look.look(guarded, this);
            }
        }

        /** Passes the call on towards a node. */
        @Override
        public void run() {
            next.handle(context, Objects.requireNonNull(guard));
        }

        @Override
        public void accept(RpcReply reply) {
            Flight flight = Objects.requireNonNull(led);
            if (reply instanceof ResultStream result) {
                share(flight, result, context, sink);
                return;
            }
            if (!Flights.isFixed(context)) {
                // First: a client that sees this answer may ask again on another loop before the sink returns.
                flight.answered();
            }
            try {
                sink.accept(reply);
            } finally {
                flight.land(reply, context.trace(), MAX_FAILURES);
            }
        }
    }

    /** Lets the calls that wait share the stream of an answer, and those that come while it is open. */
    private void share(Flight flight, ResultStream result, CallContext context, ReplySink sink) {
        Runnable endVisible = Flights.isFixed(context) ? () -> {} : flight::answered;
        SharedResult shared =
                new SharedResult(result, context.holder(), context.loop(), flights.sharing(), endVisible, flight::shut);
        try {
            pass(shared.first(), sink);
        } finally {
            flight.stream(shared, context.trace());
        }
    }

    private static void pass(SharedReader reader, ReplySink sink) {
        try {
            sink.accept(reader);
        } finally {
            if (!reader.isBegun()) {
                // Nobody takes it.
                reader.close();
            }
        }
    }

    private void landed(Flight.Landing landing, CallContext context, ReplySink sink) {
        SharedResult stream = landing.stream();
        if (stream != null) {
            join(stream, landing, context, sink);
            return;
        }
        NeededProof proof = context.route().proof();
        boolean lacksUncles = landing.trace().lacksUncles() && (proof == null || proof.isOfUncles());
        if ((landing.again() || lacksUncles) && context.deadlineNanos() - System.nanoTime() > 0) {
            handle(context, sink, landing.failures());
            return;
        }
        context.trace().sharedFrom(landing.trace());
        flights.meters().of(Meter.CALLS_COALESCED).inc();
        sink.accept(room.test(landing.reply()) ? landing.reply() : RpcReply.NO_ROOM);
    }

    /** A call that cannot take the stream, or comes too late for it, goes to a node with others of its kind. */
    private void join(SharedResult stream, Flight.Landing landing, CallContext context, ReplySink sink) {
        SharedReader reader = context.takesStream() ? stream.join(context.loop(), context.holder()) : null;
        if (reader != null) {
            context.trace().sharedFrom(landing.trace());
            flights.meters().of(Meter.CALLS_COALESCED).inc();
            pass(reader, sink);
        } else if (context.takesStream() && stream.isOpen()) {
            sink.accept(landing.reply());
        } else {
            handle(context, sink, landing.failures());
        }
    }
}
