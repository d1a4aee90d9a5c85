package io.weir.pipeline.coalesce;

import io.weir.chain.HeadRound;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.RpcReply.FailureKind;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.CallTrace;
import io.weir.pipeline.watch.LoopWaiter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A call on its way to a node, and those that wait for the same answer. Thread-safe. */
final class Flight {

    private final HeadRound round;
    private final long deadlineNanos;
    private final int failures;
    private final List<LoopWaiter<Landing>> waiters = new ArrayList<>(0);
    private @Nullable Runnable onEnd;
    /** Whether the answer has come, and then since when; calls that began before it may still join until it has landed. */
    private boolean answered;

    private long answeredNanos;
    private boolean landed;

    /**
     * How it ended, for those who wait.
     *
     * @param hit whether no node gave the answer
     * @param verified what was proven of it, as clients are told; empty where nothing was
     * @param again whether one that has time left may try by itself
     * @param failures how often the answer has failed to come so far
     */
    record Landing(
            RpcReply reply,
            @Nullable String upstreamId,
            long upstreamNanos,
            boolean degraded,
            boolean lackedData,
            boolean hit,
            String verified,
            boolean again,
            int failures) {

        /** What a call hears whose time is over before the answer is there. */
        static final Landing LATE =
                new Landing(RpcReply.unavailable("no answer in time"), null, 0, false, false, false, "", false, 0);

        void tell(CallTrace trace) {
            trace.markCollapsed();
            if (hit) {
                trace.markHit(verified);
                return;
            }
            trace.markForwarded();
            if (upstreamId != null) {
                trace.answeredBy(upstreamId, upstreamNanos);
            }
            if (degraded) {
                trace.markDegraded();
            }
            trace.lackedData(lackedData);
            trace.markVerified(verified);
        }
    }

    /**
     * Begins one.
     *
     * @param round begun with it, which tells what happened before
     * @param deadlineNanos when its leader gives up
     * @param failures how often the answer has failed to come before
     */
    Flight(HeadRound round, long deadlineNanos, int failures) {
        this.round = round;
        this.deadlineNanos = deadlineNanos;
        this.failures = failures;
    }

    HeadRound round() {
        return round;
    }

    /** Runs an action when it ends; set before others can know of it. */
    void onEnd(Runnable action) {
        onEnd = action;
    }

    /**
     * Whether a call may wait for the answer: it has not landed, and the call began before anybody could see it. What began later
     * may be asked by a client that has the answer already.
     */
    synchronized boolean takes(CallContext context) {
        return !landed && !(answered && context.startNanos() - answeredNanos >= 0);
    }

    /** Has a call wait, until its own deadline at the latest; false where it may not. Called on its loop. */
    boolean join(CallContext context, Consumer<Landing> sink) {
        LoopWaiter<Landing> waiter = new LoopWaiter<>(context.loop(), sink);
        synchronized (this) {
            if (!takes(context)) {
                return false;
            }
            waiters.add(waiter);
        }
        waiter.giveUpAfter(context.deadlineNanos() - System.nanoTime(), Landing.LATE);
        return true;
    }

    /** Refuses the calls that begin from now on. The leader calls it before its client can see the answer. */
    synchronized void answered() {
        answered = true;
        answeredNanos = System.nanoTime();
    }

    /**
     * Gives the answer to the calls that wait, each on its own event loop, and refuses others. Called once.
     *
     * @param mostFailures from which on a failure is everybody's
     */
    void land(RpcReply reply, CallTrace trace, int mostFailures) {
        List<LoopWaiter<Landing>> ending;
        synchronized (this) {
            landed = true;
            ending = List.copyOf(waiters);
            waiters.clear();
        }
        if (onEnd != null) {
            onEnd.run();
        }
        if (ending.isEmpty()) {
            return;
        }
        boolean failed = isFailed(reply);
        // A leader whose time was over says nothing of those who have more.
        boolean late = failed && System.nanoTime() - deadlineNanos >= 0;
        int now = failures + (failed && !late ? 1 : 0);
        Landing landing = new Landing(
                reply,
                trace.upstreamId(),
                trace.upstreamNanos(),
                trace.degraded(),
                trace.lackedData(),
                trace.hit(),
                trace.verified(),
                failed && now < mostFailures,
                now);
        ending.forEach(waiter -> waiter.end(landing));
    }

    /** Whether no node answered: another call may have better luck. */
    private static boolean isFailed(RpcReply reply) {
        return reply instanceof RpcReply.Failure failure
                && (failure.kind() == FailureKind.UNAVAILABLE || failure.kind() == FailureKind.RATE_LIMITED);
    }
}
