package io.weir.pipeline.cache;

import io.weir.cache.CacheMeters;
import io.weir.cache.CallKey;
import io.weir.chain.HeadMoment;
import io.weir.chain.HeadTracker;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.RpcReply.FailureKind;
import io.weir.method.ChainCalls;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.CheckedParams;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.CallTrace;
import io.weir.upstream.LoopWaiter;
import io.weir.upstream.stream.SharedResult;
import io.weir.upstream.stream.SharedResult.StreamSharing;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Flights of one network that calls may join, within a bound. Thread-safe. */
final class Flights {

    /** Flights beyond this number are not joined. */
    static final int MAX = 10_000;

    private final ConcurrentHashMap<Identity, Flight> flights = new ConcurrentHashMap<>();
    private final HeadTracker head;
    private final CacheMeters meters;
    private final StreamSharing sharing;

    /**
     * Identity of calls that one answer serves. Immutable.
     *
     * @param leastHead decides, with {@code blockExists}, which nodes are asked
     * @param completeLogs whether an answer must be proven, for which other calls need not wait
     */
    private record Identity(CallKey key, long leastHead, boolean blockExists, boolean completeLogs) {}

    Flights(HeadTracker head, CacheMeters meters, StreamSharing sharing) {
        this.head = head;
        this.meters = meters;
        this.sharing = sharing;
    }

    CacheMeters meters() {
        return meters;
    }

    /** Returns the rules by which calls share the streams of large results. */
    StreamSharing sharing() {
        return sharing;
    }

    /**
     * Lets a call wait for the answer to the same call under way. If there is none, begins a flight that others may join.
     *
     * @param failures how often the call's answer has failed already
     * @return the flight that the call leads; null if the call waits
     */
    @Nullable
    Flight joinOrLead(CallContext context, CallKey key, Consumer<Flight.Landing> sink, int failures) {
        boolean completeLogs = context.caller().requiresLogs() && key.method().equals(ChainCalls.LOGS);
        Identity identity =
                new Identity(key, context.route().block(), context.route().blockExists(), completeLogs);
        Flight running = flights.get(identity);
        if (running != null && mayJoin(running, context) && running.join(context, sink)) {
            return null;
        }
        Flight mine = new Flight(head.now(), context.deadlineNanos(), failures);
        if (flights.size() >= MAX) {
            return mine;
        }
        mine.onEnd(() -> flights.remove(identity, mine));
        if (flights.putIfAbsent(identity, mine) == null) {
            return mine;
        }
        while (true) {
            Flight held =
                    flights.compute(identity, (id, other) -> other != null && mayJoin(other, context) ? other : mine);
            if (mine.equals(held)) {
                return mine;
            }
            if (held.join(context, sink)) {
                return null;
            }
        }
    }

    /**
     * Returns whether a call may join. A call from before the answer to a write must not answer a later call. A block that exists
     * has no later transactions, so a call about one block depends on the head alone.
     */
    private boolean mayJoin(Flight running, CallContext context) {
        boolean covered = isFixed(context) ? head.covers(running.begun()) : head.coversWrites(running.begun());
        return covered && running.takes(context);
    }

    /**
     * Returns whether the call names one block, so that its answer is as valid a moment later. Such an answer enters memory while
     * the leader's client gets it. A call that comes meanwhile shares it, and would find it in memory afterwards.
     */
    static boolean isFixed(CallContext context) {
        CheckedParams params = context.checkedParams();
        return params != null
                && (params.block() instanceof BlockSelector.Hash || params.block() instanceof BlockSelector.Height);
    }

    /** Closes all flights to new calls: a node may have answered them before the chain changed. */
    void closeAll() {
        flights.clear();
    }

    int size() {
        return flights.size();
    }

    /** One call under way to a node, and the calls that wait for the same answer. Thread-safe. */
    static final class Flight {

        private final HeadMoment begun;
        private final long deadlineNanos;
        private final int failures;
        /** Null as long as there is none, as in most flights. */
        private @Nullable List<LoopWaiter<Landing>> waiters;

        private @Nullable Runnable onEnd;
        /** Whether the answer has come. Calls that began before it may still join until the waiting calls have it. */
        private boolean answered;

        private long answeredNanos;
        private boolean landed;
        /** Landing of the calls that share the stream of the answer. Null while it has none. */
        private @Nullable Landing streaming;

        /**
         * End of a flight, for the calls that wait. Immutable.
         *
         * @param trace how the answer came about; nobody changes it
         * @param again whether a call with time left may try by itself
         * @param failures how often the answer has failed so far
         * @param stream the answer, if it goes on while it arrives; then {@code reply} is for calls for which it has no room
         */
        record Landing(
                RpcReply reply,
                CallTrace trace,
                boolean again,
                int failures,
                @Nullable SharedResult stream) {

            /** Landing of a call whose deadline comes before the answer. */
            static final Landing LATE =
                    new Landing(RpcReply.unavailable("no answer in time"), new CallTrace(), false, 0, null);
        }

        /**
         * @param begun the present moment at the head, which tells what happened before
         * @param deadlineNanos deadline of its leader
         * @param failures how often the answer has failed before
         */
        Flight(HeadMoment begun, long deadlineNanos, int failures) {
            this.begun = begun;
            this.deadlineNanos = deadlineNanos;
            this.failures = failures;
        }

        HeadMoment begun() {
            return begun;
        }

        /** Sets the action that runs when it ends. Called before other threads can see the flight. */
        void onEnd(Runnable action) {
            onEnd = action;
        }

        /**
         * Returns whether a call may wait for the answer: the flight has not landed, and the call began before anybody could see the
         * answer. A later call may come from a client that has the answer already. If the answer goes on while it arrives, the call must
         * be able to take it so. Called on the call's loop.
         */
        synchronized boolean takes(CallContext context) {
            if (landed || (answered && context.startNanos() - answeredNanos >= 0)) {
                return false;
            }
            SharedResult stream = streaming == null ? null : streaming.stream();
            return stream == null || (stream.isOpen() && context.takesStream());
        }

        /** Lets a call wait until its own deadline; returns false if it may not. Called on the call's loop. */
        boolean join(CallContext context, Consumer<Landing> sink) {
            LoopWaiter<Landing> waiter = new LoopWaiter<>(context.loop(), sink);
            Landing begun;
            synchronized (this) {
                if (!takes(context)) {
                    return false;
                }
                begun = streaming;
                if (begun == null) {
                    waiters = waiters == null ? new ArrayList<>() : waiters;
                    waiters.add(waiter);
                }
            }
            if (begun != null) {
                sink.accept(begun);
                return true;
            }
            waiter.giveUpAfter(context.deadlineNanos() - System.nanoTime(), Landing.LATE);
            return true;
        }

        /** Lets the waiting calls share an answer that goes on while it arrives, and later ones while it is open. Called once. */
        void stream(SharedResult result, CallTrace trace) {
            Landing landing = new Landing(RpcReply.NO_ROOM, trace.copy(), false, failures, result);
            List<LoopWaiter<Landing>> sharing;
            synchronized (this) {
                streaming = landing;
                sharing = takeWaiters();
            }
            sharing.forEach(waiter -> waiter.end(landing));
        }

        private List<LoopWaiter<Landing>> takeWaiters() {
            List<LoopWaiter<Landing>> taken = waiters == null ? List.of() : waiters;
            waiters = null;
            return taken;
        }

        /** Refuses all further calls. */
        void shut() {
            synchronized (this) {
                landed = true;
            }
            if (onEnd != null) {
                onEnd.run();
            }
        }

        /** Refuses calls that begin from now on. The leader calls it before its client can see the answer. */
        synchronized void answered() {
            answered = true;
            answeredNanos = System.nanoTime();
        }

        /**
         * Gives the answer to the waiting calls, each on its own event loop, and refuses others. Called once.
         *
         * @param maxFailures number of failures from which on all waiting calls fail
         */
        void land(RpcReply reply, CallTrace trace, int maxFailures) {
            List<LoopWaiter<Landing>> ending;
            synchronized (this) {
                landed = true;
                ending = takeWaiters();
            }
            shut();
            if (ending.isEmpty()) {
                return;
            }
            boolean failed = isFailed(reply);
            // A leader that ran out of time, or whose client is gone, says nothing about others.
            boolean late = failed && (System.nanoTime() - deadlineNanos >= 0 || reply.equals(RpcReply.CLIENT_GONE));
            int now = failures + (failed && !late ? 1 : 0);
            Landing landing = new Landing(reply, trace.copy(), failed && now < maxFailures, now, null);
            ending.forEach(waiter -> waiter.end(landing));
        }

        /** Returns whether no node answered: another call may succeed. */
        private static boolean isFailed(RpcReply reply) {
            return reply instanceof RpcReply.Failure failure
                    && (failure.kind() == FailureKind.UNAVAILABLE || failure.kind() == FailureKind.RATE_LIMITED);
        }
    }
}
