package io.weir.chain;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The head of one network that calls are held to: one number for all upstreams and clients, so that nobody sees it go back
 * while upstreams differ. Thread-safe.
 *
 * <ul>
 *   <li>It rises as soon as an upstream that counts, or an answer, names a higher block.
 *   <li>It sinks only after two whole rounds, the second begun after the first had ended, in which every upstream that counts
 *       named a lower one: a reorganisation, a rollback, or the loss of the upstream that was ahead.
 *   <li>It is fresh while it was confirmed within the greatest age and nothing has made it doubtful since that round began: a
 *       write, an answer that named a higher block or lacked this one. A node may mine what it was sent a moment after it
 *       answered, so no round that begins in that moment makes the head fresh.
 * </ul>
 *
 * <p>What happens is put in order by a stamp, which grows with each event: time alone cannot tell whether a round that ends
 * now began before a write was answered.
 */
public final class HeadTracker {

    /** How long after the answer to a write the head may still change because of it. */
    static final long SETTLE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** What a round came to. */
    public enum Verdict {
        /** An upstream named the head, or a higher one. */
        CONFIRMED,
        /** All named a lower one, for the first time. */
        DOUBTED,
        /** All named a lower one again, and that is the head now. */
        WENT_BACK,
        /** Not all were heard, or the head rose meanwhile: the round says nothing. */
        UNKNOWN
    }

    /**
     * What is known.
     *
     * @param confirmedNanos when the round that confirmed the head last began, and its stamp
     * @param outdatedStamp of the last event that made the head doubtful
     * @param settledNanos what a round must not begin before, to make the head fresh
     * @param raisedStamp of the last rise
     * @param doubtStamp of the end of the first round in which all named a lower head; 0 where there was none
     */
    private record State(
            long number,
            long confirmedNanos,
            long confirmedStamp,
            long outdatedStamp,
            long settledNanos,
            long raisedStamp,
            long doubtStamp) {

        State risen(long higher, long stamp) {
            return new State(higher, confirmedNanos, confirmedStamp, outdatedStamp, settledNanos, stamp, 0);
        }

        State outdated(long stamp, long settled) {
            return new State(number, confirmedNanos, confirmedStamp, stamp, settled, raisedStamp, doubtStamp);
        }

        State confirmed(HeadRound round, long doubt) {
            boolean newer = round.stamp() > confirmedStamp;
            return new State(
                    number,
                    newer ? round.beganNanos() : confirmedNanos,
                    newer ? round.stamp() : confirmedStamp,
                    outdatedStamp,
                    settledNanos,
                    raisedStamp,
                    doubt);
        }

        State doubted(long doubt) {
            return new State(number, confirmedNanos, confirmedStamp, outdatedStamp, settledNanos, raisedStamp, doubt);
        }

        State sunk(long lower) {
            return new State(lower, confirmedNanos, confirmedStamp, outdatedStamp, settledNanos, raisedStamp, 0);
        }

        boolean isConfirmed() {
            return number >= 0 && confirmedStamp > outdatedStamp && confirmedNanos - settledNanos >= 0;
        }
    }

    private final long maxAgeNanos;
    private final LongSupplier clock;
    private final List<HeadListener> listeners = new CopyOnWriteArrayList<>();
    private volatile State state;
    private long stamps;

    /**
     * Begins without a head.
     *
     * @param maxAgeNanos for how long a head is fresh after it was asked for
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    public HeadTracker(long maxAgeNanos, LongSupplier clock) {
        this.maxAgeNanos = maxAgeNanos;
        this.clock = clock;
        long now = clock.getAsLong();
        this.state = new State(-1, now, 0, 0, now, 0, 0);
    }

    /** The head's number; -1 where none is known. */
    public long number() {
        return state.number();
    }

    /** Whether calls may be held to the head without asking. */
    public boolean fresh() {
        return isFresh(state);
    }

    private boolean isFresh(State now) {
        return now.isConfirmed() && clock.getAsLong() - now.confirmedNanos() < maxAgeNanos;
    }

    /** What is known of the head now. */
    public Head head() {
        State now = state;
        long age = now.confirmedStamp() == 0 ? -1 : clock.getAsLong() - now.confirmedNanos();
        return new Head(now.number(), age, isFresh(now));
    }

    /** Tells a listener what happens from now on. */
    public void listen(HeadListener listener) {
        listeners.add(listener);
    }

    /** Takes the number of a block that an answer named: a higher head than the known one, and perhaps not the highest. */
    public void raise(long number) {
        if (number > state.number()) {
            raiseSynchronized(number);
        }
    }

    private synchronized void raiseSynchronized(long number) {
        if (number > state.number()) {
            long stamp = ++stamps;
            state = state.risen(number, stamp).outdated(stamp, state.settledNanos());
            listeners.forEach(listener -> listener.rose(number));
        }
    }

    /** Notes that the head may be another: a write was sent, or an answer lacked the block. */
    public synchronized void outdate() {
        state = state.outdated(++stamps, state.settledNanos());
    }

    /** Notes that a write was answered: the head may be another, now or in a moment. */
    public synchronized void written() {
        state = state.outdated(++stamps, clock.getAsLong() + SETTLE_NANOS);
    }

    /** Begins a round; called before the first upstream is asked. */
    public synchronized HeadRound begin() {
        return new HeadRound(++stamps, clock.getAsLong(), !state.isConfirmed());
    }

    /** Whether a round began after the last event that made the head doubtful: its end serves calls that came since. */
    public boolean covers(HeadRound round) {
        return round.stamp() > state.outdatedStamp();
    }

    /**
     * Takes the head that an upstream named in a round.
     *
     * @param raises whether the upstream's word can raise the head; if not, it only speaks against a lower one
     */
    public synchronized void named(HeadRound round, long head, boolean raises) {
        round.named(head);
        boolean rises = raises && head > state.number();
        if (rises) {
            state = state.risen(head, ++stamps);
        }
        if (head >= state.number()) {
            state = state.confirmed(round, 0);
        }
        if (rises) {
            listeners.forEach(listener -> listener.rose(head));
        }
    }

    /**
     * Ends a round. A round that is dropped instead changes nothing.
     *
     * @param whole whether every upstream that counts has named its head in it
     */
    public synchronized Verdict end(HeadRound round, boolean whole) {
        long highest = round.highest();
        long before = state.number();
        if (highest >= before) {
            return highest < 0 ? Verdict.UNKNOWN : Verdict.CONFIRMED;
        }
        if (!whole || highest < 0 || round.stamp() < state.raisedStamp()) {
            return Verdict.UNKNOWN;
        }
        if (state.doubtStamp() == 0 || round.stamp() < state.doubtStamp()) {
            long doubt = state.doubtStamp() == 0 ? ++stamps : state.doubtStamp();
            // Where nothing speaks for a change, the next round is soon enough to tell.
            state = round.urgent() ? state.doubted(doubt) : state.confirmed(round, doubt);
            return Verdict.DOUBTED;
        }
        state = state.sunk(highest).confirmed(round, 0);
        listeners.forEach(listener -> listener.wentBack(before, highest));
        return Verdict.WENT_BACK;
    }
}
