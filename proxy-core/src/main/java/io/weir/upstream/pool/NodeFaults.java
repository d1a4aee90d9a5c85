package io.weir.upstream.pool;

import io.weir.config.Ejection;
import io.weir.config.NetworkConfig.HealthConfig;
import io.weir.upstream.LatencyClass;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.verdict.Verdict;
import io.weir.upstream.verdict.Verdict.Effect;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;
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
 *   <li>Consecutive faults in one class of calls, while the node answers others, put it last for that class, unless all nodes fail it. After a
 *       time one call tries again. The time doubles with each trial that fails, and a good answer of the class ends it.
 *   <li>A rate limit stops calls to the node for a while, but does not take it out. A server error that names a pause does both, an answer
 *       that names one only stops calls.
 *   <li>Several refuted answers within a short time take the node out for a while, also one that is down already; see {@link FalseAnswers}.
 *   <li>An error whose words name such a refusal or fault counts as that; see {@link AnswerJudge}.
 *   <li>Any other answer, including one that is too large, ends a series of faults. Only a good probe brings the node back.
 *   <li>An attempt that its caller gave up changes nothing.
 * </ul>
 */
final class NodeFaults {

    /** Reason for which a node is ejected, or comes last for a class of calls. */
    enum Reason {
        /** Several consecutive faults. */
        FAULTS,
        /** Several consecutive faults in one class of calls, while the node answers others. */
        CLASS_FAULTS,
        /** A large share of failed attempts. */
        FAULT_SHARE,
        /** Much slower answers than those of the other nodes. */
        LATENCY
    }

    private static final int WHOLE = 100;
    /** Of a delay. */
    private static final int MAX_DOUBLINGS = 30;

    /** Share of the nodes that may be ejected at once: those that are left must carry the load of all. */
    private static final int MAX_EJECTED_PERCENT = 50;

    private final Node node;
    private final Node.Pool pool;
    private final NodeMeters meters;
    private final FalseAnswers falseAnswers;
    private final FaultShare share;
    private final ClassFaults classes;
    private final int maxConsecutive;
    private final LongSupplier clock;
    private volatile int consecutive;
    /** The epoch whose faults are counted. */
    private int epoch;

    NodeFaults(
            Node node,
            Node.Pool pool,
            NodeMeters meters,
            Ejection.Rules rules,
            IntUnaryOperator random,
            LongSupplier clock) {
        this.node = node;
        this.pool = pool;
        this.meters = meters;
        this.falseAnswers = new FalseAnswers(clock);
        this.share = new FaultShare(rules, meters::answers, clock);
        this.classes = new ClassFaults(rules.faults(), random, clock);
        this.maxConsecutive = rules.faults();
        this.clock = clock;
    }

    /**
     * Applies the meaning of an attempt's outcome.
     *
     * @param of the class of the call; null if nobody chooses by it
     * @param epoch of the node's health when the attempt began
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
            node.apply(now -> now.throttle(failed.retryAfterSeconds(), nowNanos));
        }
        boolean out = switch (verdict.effect()) {
            case OUT -> node.turn(now -> now.takeDown(epoch, failed.detail(), nowNanos));
            case FAULT ->
                (failed.fault() != Fault.TIMEOUT || nanos >= HealthProbe.TIMEOUT_NANOS)
                        && fault(epoch, of, failed.detail());
            case NONE, ANSWERED, THROTTLED -> false;
        };
        if (out) {
            pool.takenOut(node);
        }
    }

    private void answered(@Nullable LatencyClass of) {
        if (of != null) {
            classes.answered(of);
        }
        if (!node.state().standing().hasServed()) {
            node.apply(NodeState::withServed);
        }
        if (consecutive != 0) {
            consecutive = 0;
        }
    }

    /** Counts a fault. Returns whether the node is ejected because of it. */
    private synchronized boolean fault(int seen, @Nullable LatencyClass of, String detail) {
        if (seen != node.state().epoch()) {
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
            return eject(seen, Reason.FAULTS, inRow + " faults in a row, the last: " + detail, Long.MAX_VALUE);
        }
        if (of != null && classes.fault(of, detail)) {
            meters.ejections.count(Reason.CLASS_FAULTS);
        }
        return many
                && eject(
                        seen,
                        Reason.FAULT_SHARE,
                        share.faults + " of the latest " + share.attempts() + " attempts failed, the last: " + detail,
                        Long.MAX_VALUE);
    }

    /**
     * Ejects the node, unless too few would be left.
     *
     * @param seen the epoch of the attempts that say so
     * @param returnNanos time in which a probe must be answered before the node returns
     * @return whether it was in until now
     */
    private boolean eject(int seen, Reason reason, String detail, long returnNanos) {
        synchronized (pool) {
            if (!mayEject()) {
                meters.ejectionsRefused.inc();
                return false;
            }
            if (!node.turn(now -> now.eject(seen, detail, returnNanos))) {
                return false;
            }
        }
        meters.ejections.count(reason);
        return true;
    }

    /**
     * Returns whether the node may be ejected. At most a share of the nodes is out at once for answers to calls, and never the last one that
     * calls may use. Nodes that cannot be reached are down, whatever their number.
     */
    private boolean mayEject() {
        int out = 1;
        boolean left = false;
        for (Node other : pool.nodes()) {
            if (other != node) {
                out += other.state().isEjected() ? 1 : 0;
                left |= other.state().isInPool();
            }
        }
        return left && WHOLE * out <= MAX_EJECTED_PERCENT * pool.nodes().size();
    }

    void slow(int seen, NodeLatency.Finding finding) {
        if (eject(seen, Reason.LATENCY, finding.detail(), finding.returnNanos())) {
            pool.takenOut(node);
        }
    }

    void refuted(String detail) {
        if (!falseAnswers.add()) {
            return;
        }
        long until = clock.getAsLong() + distrustedNanos();
        if (node.turn(now -> now.distrust("false answers, the last: " + detail, until))) {
            pool.takenOut(node);
        }
    }

    /** Returns whether calls of a class go to other nodes first. A call that tries again is told that they do not. */
    boolean isLeft(LatencyClass of) {
        return classes.isLeft(of);
    }

    /** Returns the classes that the node is left for and why, for the status; empty if there are none. */
    String detailOfClasses() {
        return classes.detail();
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

        /** Time over which the share is counted: what lies further back says little about the next call. */
        private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(10);

        private final int percent;
        private final int minCalls;
        private final LongSupplier answers;
        private final LongSupplier clock;
        private long beganNanos;
        private long answersBefore;
        private int faults;

        /** @param answers returns the number of good answers that the node has given */
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

        long attempts() {
            return faults + answers.getAsLong() - answersBefore;
        }
    }

    /** Consecutive faults of one node in each class of calls. Thread-safe. */
    private static final class ClassFaults {

        /** The most faults in a row; 0 if no number of them has an effect. */
        private final int max;

        private final IntUnaryOperator random;
        private final LongSupplier clock;
        private final List<Series> classes = new ArrayList<>();
        private volatile boolean anyLeft;

        /** Series of faults in one class. Guarded by the whole record, apart from the volatile members. */
        private static final class Series {
            volatile int faults;
            volatile boolean left;
            boolean trial;
            long untilNanos;
            int times;
            String last = "";
        }

        ClassFaults(int max, IntUnaryOperator random, LongSupplier clock) {
            this.max = max;
            this.random = random;
            this.clock = clock;
            for (int i = 0; i < LatencyClass.values().length; i++) {
                classes.add(new Series());
            }
        }

        @SuppressWarnings("EnumOrdinal") // The list has one element for each class, in their order.
        private Series series(LatencyClass of) {
            return classes.get(of.ordinal());
        }

        void answered(LatencyClass of) {
            Series series = series(of);
            if (series.faults != 0) {
                end(series);
            }
        }

        private synchronized void end(Series series) {
            series.faults = 0;
            series.times = 0;
            series.left = false;
            anyLeft = classes.stream().anyMatch(one -> one.left);
        }

        /** Notes a fault. Returns whether the node is left for the class because of it. */
        synchronized boolean fault(LatencyClass of, String detail) {
            Series series = series(of);
            series.faults++;
            series.last = detail;
            if (max == 0 || series.faults < max || (series.left && !series.trial)) {
                return false;
            }
            long delay = ReturnDelay.doubled(ReturnDelay.EJECTION_NANOS, series.times, ReturnDelay.MAX_EJECTION_NANOS);
            series.untilNanos = clock.getAsLong() + ReturnDelay.shortened(delay, random);
            series.times = Math.min(series.times + 1, MAX_DOUBLINGS);
            series.trial = false;
            series.left = true;
            anyLeft = true;
            return true;
        }

        void begin() {
            classes.forEach(this::end);
        }

        boolean isLeft(LatencyClass of) {
            return anyLeft && series(of).left && !mayTry(series(of));
        }

        private synchronized boolean mayTry(Series series) {
            long now = clock.getAsLong();
            if (now - series.untilNanos < 0) {
                return false;
            }
            // The others wait for what that one finds, or for this time if it went elsewhere.
            series.untilNanos = now + ReturnDelay.EJECTION_NANOS;
            series.trial = true;
            return true;
        }

        synchronized String detail() {
            StringBuilder text = new StringBuilder();
            for (LatencyClass of : LatencyClass.values()) {
                Series series = series(of);
                if (series.left) {
                    text.append(text.isEmpty() ? "" : "; ")
                            .append("comes last for calls of the class ")
                            .append(of.name().toLowerCase(Locale.ROOT))
                            .append(" after ")
                            .append(series.faults)
                            .append(" faults in a row, the last: ")
                            .append(series.last);
                }
            }
            return text.toString();
        }
    }

    /**
     * Count of one node's recently refuted answers, and the time for which it is left out because of them. A single one may be a
     * flipped bit and has no effect. {@link #MAX} of them within {@link #WINDOW_NANOS} take the node out for a minute. If that
     * happens again within an hour after the node came back, the time doubles, up to an hour. Thread-safe.
     */
    static final class FalseAnswers {

        /** Refuted answers within the window that take a node out. */
        static final int MAX = 3;

        /** Nanoseconds for which a refuted answer counts. */
        static final long WINDOW_NANOS = TimeUnit.MINUTES.toNanos(10);

        static final long FIRST_NANOS = TimeUnit.MINUTES.toNanos(1);
        static final long MAX_NANOS = TimeUnit.HOURS.toNanos(1);

        private final LongSupplier clock;
        private final long[] latest = new long[MAX];
        private int count;
        private long delayNanos;
        private long leftOutUntilNanos;

        FalseAnswers(LongSupplier clock) {
            this.clock = clock;
            this.leftOutUntilNanos = clock.getAsLong();
        }

        /** Adds one. Returns whether to leave the node out now. */
        synchronized boolean add() {
            long now = clock.getAsLong();
            if (leftOutUntilNanos - now > 0) {
                // These answers were in flight when the node was left out.
                return false;
            }
            System.arraycopy(latest, 1, latest, 0, MAX - 1);
            latest[MAX - 1] = now;
            count = Math.min(MAX, count + 1);
            if (count < MAX || now - latest[0] > WINDOW_NANOS) {
                return false;
            }
            boolean again = delayNanos > 0 && now - leftOutUntilNanos < MAX_NANOS;
            delayNanos = again ? Math.min(2 * delayNanos, MAX_NANOS) : FIRST_NANOS;
            leftOutUntilNanos = now + delayNanos;
            count = 0;
            return true;
        }

        /** Returns the nanoseconds that the node is still left out; 0 or less if it is not. */
        synchronized long leftOutNanos() {
            return leftOutUntilNanos - clock.getAsLong();
        }
    }

    /**
     * Time for which a node that calls took out cannot come back. An ejected node stays out for the least time of ejections, also the first
     * time. A node that went down may come back at once the first time, and then stays out for the down interval. If it goes out again before
     * it has proved itself, each further time doubles that, up to the longest time. It proves itself by answering calls and staying in for the
     * idle interval. Times of ejections are shortened by a random part, so that nodes do not return together. The delay limits the cost of a
     * node that answers probes but not calls. It does not apply while no node is healthy. Confined to the monitor's event loop.
     */
    static final class ReturnDelay {

        /** Least time of an ejection: a node that only had a pause is soon back. */
        static final long EJECTION_NANOS = TimeUnit.SECONDS.toNanos(1);

        /** Longest time: a node that came to itself may be missed for so long. */
        static final long MAX_EJECTION_NANOS = TimeUnit.SECONDS.toNanos(60);

        /** Random part of the time of an ejection, in percent. */
        private static final int JITTER_PERCENT = 20;

        private final long proofNanos;
        private final long downNanos;
        private final IntUnaryOperator random;
        private boolean returned;
        private long returnedNanos;
        private int times;

        ReturnDelay(HealthConfig health, IntUnaryOperator random) {
            this.proofNanos = TimeUnit.MILLISECONDS.toNanos(health.idleIntervalMillis());
            this.downNanos = TimeUnit.MILLISECONDS.toNanos(health.downIntervalMillis());
            this.random = random;
        }

        void returned(long nowNanos) {
            returned = true;
            returnedNanos = nowNanos;
        }

        /**
         * Notes that calls took the node out. Returns the nanoseconds that it stays out at least.
         *
         * @param served whether the node answered a call since it came back
         * @param ejected whether the node still answers probes
         */
        long wentOut(long nowNanos, boolean served, boolean ejected) {
            boolean proved = !returned || (served && nowNanos - returnedNanos >= proofNanos);
            times = proved ? 0 : Math.min(times + 1, MAX_DOUBLINGS);
            if (ejected) {
                return shortened(doubled(EJECTION_NANOS, times, MAX_EJECTION_NANOS), random);
            }
            return times == 0 ? 0 : doubled(downNanos, times - 1, proofNanos);
        }

        /** Returns a delay less a random part. */
        static long shortened(long delay, IntUnaryOperator random) {
            return delay - delay / WHOLE * random.applyAsInt(JITTER_PERCENT);
        }

        /** Returns a delay that was doubled some times, up to the longest one. */
        static long doubled(long first, int times, long max) {
            return first > max >> times ? max : first << times;
        }
    }
}
