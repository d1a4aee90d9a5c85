package io.weir.upstream.pool;

import io.weir.config.Ejection;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.latency.LatencyClass;
import io.weir.upstream.verdict.FalseAnswers;
import io.weir.upstream.verdict.Verdict;
import io.weir.upstream.verdict.Verdict.Effect;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Effect of one node's attempts on its health. Thread-safe.
 *
 * <ul>
 *   <li>A connection that cannot be made or breaks under a call takes the node out at once. Refused credentials do too. A
 *       reused connection that breaks before an answer begins says nothing, because the node may have closed it unused.
 *   <li>A server error, an unusable answer or a timeout is a fault. Consecutive faults, or a large share of faults, eject the
 *       node. A timeout counts only if the node had the call at least as long as a probe may take.
 *   <li>Consecutive faults in one class of calls, while the node answers others, put it last for that class; see {@link ClassFaults}.
 *   <li>A rate limit stops calls to the node for a while, but does not take it out. A server error that names a pause does both, an answer that names one only stops calls.
 *   <li>Several refuted answers within a short time take the node out for a while, also one that is down already; see {@link FalseAnswers}.
 *   <li>An error whose words name such a refusal or fault counts as that; see {@link AnswerJudge}.
 *   <li>Any other answer, including one that is too large, ends a series of faults. Only a good probe brings the node back.
 *   <li>An attempt that its caller gave up changes nothing.
 * </ul>
 */
final class NodeFaults {

    private final NodeState.Current state;
    private final Ejections.Member ejection;
    private final FalseAnswers falseAnswers;
    private final FaultShare share;
    private final ClassFaults classes;
    private final int maxConsecutive;
    private final long probeNanos;
    private final Runnable takenOut;
    private final LongSupplier clock;
    private volatile int consecutive;
    /** The epoch whose faults are counted. */
    private int epoch;

    /**
     * @param classes the faults in each class of calls
     * @param answers returns the number of good answers that the node has given
     * @param probeNanos time that a probe may take
     * @param takenOut runs on any thread when an attempt took the node out
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    NodeFaults(
            NodeState.Current state,
            Ejections.Member ejection,
            Ejection.Rules rules,
            ClassFaults classes,
            LongSupplier answers,
            long probeNanos,
            Runnable takenOut,
            LongSupplier clock) {
        this.state = state;
        this.ejection = ejection;
        this.falseAnswers = new FalseAnswers(clock);
        this.share = new FaultShare(rules, answers, clock);
        this.classes = classes;
        this.maxConsecutive = rules.faults();
        this.probeNanos = probeNanos;
        this.takenOut = takenOut;
        this.clock = clock;
    }

    /**
     * Applies the meaning of an attempt's outcome.
     *
     * @param of the class of the call; null if nobody chooses by it
     * @param epoch of the node's health when the attempt began
     * @param nanos time that it took
     */
    void apply(NodeOutcome outcome, @Nullable LatencyClass of, int epoch, long nanos) {
        Verdict verdict = outcome.verdict();
        if (verdict == null || verdict.effect() == Effect.ANSWERED) {
            answered(of);
            return;
        }
        if (!(outcome instanceof Failed failed) || verdict.effect() == Effect.NONE) {
            return;
        }
        long nowNanos = clock.getAsLong();
        if (verdict.effect() == Effect.THROTTLED || failed.retryAfterSeconds() > 0) {
            state.apply(now -> now.throttle(failed.retryAfterSeconds(), nowNanos));
        }
        boolean out = switch (verdict.effect()) {
            case OUT -> state.turn(now -> now.takeDown(epoch, failed.detail(), nowNanos));
            case FAULT -> (failed.fault() != Fault.TIMEOUT || nanos >= probeNanos) && fault(epoch, of, failed.detail());
            case NONE, ANSWERED, THROTTLED -> false;
        };
        if (out) {
            takenOut.run();
        }
    }

    private void answered(@Nullable LatencyClass of) {
        if (of != null) {
            classes.answered(of);
        }
        if (!state.get().standing().hasServed()) {
            state.apply(NodeState::withServed);
        }
        if (consecutive != 0) {
            consecutive = 0;
        }
    }

    /** Counts a fault. Returns whether the node is ejected because of it. */
    private synchronized boolean fault(int seen, @Nullable LatencyClass of, String detail) {
        if (seen != state.get().epoch()) {
            return false;
        }
        if (seen != epoch) {
            epoch = seen;
            consecutive = 0;
            share.begin();
        }
        int inRow = consecutive + 1;
        consecutive = inRow;
        boolean many = share.fault();
        if (maxConsecutive > 0 && inRow >= maxConsecutive) {
            // The whole node is at fault, and not one class of calls.
            classes.begin();
            return ejection.eject(
                    seen, Ejections.Reason.FAULTS, inRow + " faults in a row, the last: " + detail, Long.MAX_VALUE);
        }
        if (of != null && classes.fault(of, detail)) {
            ejection.countClass();
        }
        return many
                && ejection.eject(
                        seen,
                        Ejections.Reason.FAULT_SHARE,
                        share.faults() + " of the latest " + share.attempts() + " attempts failed, the last: " + detail,
                        Long.MAX_VALUE);
    }

    /** Notes that answers took too long. */
    void slow(int seen, LatencyOutlier.Finding finding) {
        if (ejection.eject(seen, Ejections.Reason.LATENCY, finding.detail(), finding.returnNanos())) {
            takenOut.run();
        }
    }

    /** Notes that a check refuted an answer of the node. */
    void refuted(String detail) {
        if (!falseAnswers.add()) {
            return;
        }
        long until = clock.getAsLong() + distrustedNanos();
        if (state.turn(now -> now.distrust("false answers, the last: " + detail, until))) {
            takenOut.run();
        }
    }

    /** Returns the nanoseconds that the node is still left out for false answers; 0 or less if it is not. */
    long distrustedNanos() {
        return falseAnswers.leftOutNanos();
    }

    /**
     * Share of one node's attempts that failed lately. Finds a node that fails often, but never several times in a row. Confined to
     * the lock of its owner.
     */
    private static final class FaultShare {

        private static final int WHOLE = 100;

        /** Time over which the share is counted: what lies further back says little about the next call. */
        private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(10);

        private final int percent;
        private final int minCalls;
        private final LongSupplier answers;
        private final LongSupplier clock;
        private long beganNanos;
        private long answersBefore;
        private int faults;

        /**
         * @param answers returns the number of good answers that the node has given
         * @param clock nanoseconds, as {@link System#nanoTime}
         */
        FaultShare(Ejection.Rules rules, LongSupplier answers, LongSupplier clock) {
            this.percent = rules.faultPercent();
            this.minCalls = rules.minCalls();
            this.answers = answers;
            this.clock = clock;
            begin();
        }

        /** Forgets all attempts. */
        void begin() {
            beganNanos = clock.getAsLong();
            answersBefore = answers.getAsLong();
            faults = 0;
        }

        /** Notes a fault. Returns whether too large a share of the attempts since the beginning of the window failed. */
        boolean fault() {
            if (clock.getAsLong() - beganNanos > WINDOW_NANOS) {
                begin();
            }
            faults++;
            long attempts = attempts();
            return percent > 0 && attempts >= minCalls && (long) WHOLE * faults >= percent * attempts;
        }

        /** Returns the number of attempts since the beginning of the window. */
        long attempts() {
            return faults + answers.getAsLong() - answersBefore;
        }

        /** Returns the number of those that failed. */
        int faults() {
            return faults;
        }
    }
}
