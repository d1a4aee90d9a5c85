package io.weir.chain;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Head of one network to which calls are held. It is one number for all upstreams and clients, so no client sees it go back
 * while upstreams differ. Thread-safe.
 *
 * <ul>
 *   <li>It rises as soon as an answer, or an upstream that counts, names a higher block. {@code HeadRules} says which
 *       words are forwarded to it.
 *   <li>It goes down only after two complete rounds in which every upstream that counts named a lower block. The second must
 *       begin after the first has ended. The cause is a reorganisation, a rollback, or the loss of the upstream that was
 *       ahead.
 *   <li>It is fresh if it was confirmed within the maximum age, or if the next block is not due yet by its schedule. After an
 *       answer that named a higher block, a node must confirm that block. An event since the beginning of a round makes the
 *       head doubtful instead. Such an event is a write, or an answer that lacked the head. A node may mine a transaction a
 *       moment after it answered, so no round that begins in that moment makes the head fresh.
 * </ul>
 *
 * <p>Events are ordered by a stamp that grows with each of them. Time alone cannot show whether a round that ends now began
 * before a write was answered.
 */
public final class HeadTracker {

    /** Nanoseconds after the answer to a write during which the head may still change because of it. */
    public static final long SETTLE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** Nanoseconds after a poll was due for which the known head is still fresh: the poll is under way. */
    static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /**
     * Network's head as known at one moment. Immutable.
     *
     * @param number the highest block; -1 if none is known
     * @param ageNanos time since the request that last confirmed it; -1 if none did
     * @param fresh whether calls may be held to it without asking nodes
     */
    public record Head(long number, long ageNanos, boolean fresh) {}

    /** Result of a round. */
    public enum RoundResult {
        /** An upstream named the head, or a higher one. */
        CONFIRMED,
        /** All named a lower head, for the first time. */
        DOUBTED,
        /** All named a lower head again. It is the head now. */
        WENT_BACK,
        /** Some upstreams did not answer, or the head rose in the meantime. The round has no result. */
        UNKNOWN
    }

    private final long maxAgeNanos;
    private final LongSupplier clock;
    private final @Nullable BlockSchedule schedule;
    private final List<HeadListener> listeners = new CopyOnWriteArrayList<>();
    private volatile ChainState state;
    /** Stamp of the last transaction that a node accepted without effect on the head. */
    private volatile long acceptedStamp;
    /** Whether the last write may have had no effect on the head, as most transactions on a chain with a block time. */
    private volatile boolean unsure;

    private long stamps;

    /** Creates a tracker without a head and without a schedule, with the clock of the other constructor. */
    public HeadTracker(long maxAgeNanos, LongSupplier clock) {
        this(maxAgeNanos, null, clock);
    }

    /**
     * Creates a tracker without a head.
     *
     * @param maxAgeNanos how long a head is fresh after it was requested; 0 if each call asks for it, whatever the schedule says
     * @param schedule predicts new blocks, guarded by the tracker; null if they follow no schedule
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    public HeadTracker(long maxAgeNanos, @Nullable BlockSchedule schedule, LongSupplier clock) {
        this.maxAgeNanos = maxAgeNanos;
        this.schedule = schedule;
        this.clock = clock;
        this.state = ChainState.unknown(clock.getAsLong());
    }

    /** Returns the head's number; -1 if none is known. */
    public long number() {
        return state.number();
    }

    /** Returns whether calls may be held to the head without asking nodes. */
    public boolean fresh() {
        return isFresh(state);
    }

    private boolean isFresh(ChainState now) {
        return now.isConfirmed() && clock.getAsLong() - now.confirmation().untilNanos() < 0;
    }

    /** Returns until when the last confirmation of the head is enough, on the clock. */
    public long freshUntilNanos() {
        return state.confirmation().untilNanos();
    }

    public Head head() {
        ChainState now = state;
        ChainState.Confirmation last = now.confirmation();
        long age = last.stamp() == 0 ? -1 : clock.getAsLong() - last.nanos();
        return new Head(now.number(), age, isFresh(now));
    }

    /** Returns whether an event made the head doubtful, so that all upstreams must be asked before calls use it. */
    public boolean isDoubtful() {
        return !state.isConfirmed();
    }

    /** Returns the time between blocks in nanoseconds; 0 if they follow no known schedule. */
    public synchronized long blockNanos() {
        return schedule == null ? 0 : schedule.blockNanos();
    }

    /** Returns whether nodes that were asked named no new head for more than a number of block times. */
    public synchronized boolean isOverdue(long blocks) {
        return schedule != null && schedule.isOverdue(blocks);
    }

    /** Returns when to ask for the next head, on the clock. */
    public synchronized long nextPollNanos() {
        long aged = state.confirmation().nanos() + maxAgeNanos;
        if (schedule == null) {
            return aged;
        }
        long next = schedule.nextPollNanos();
        // A longer age than a block time is the operator's wish to ask more rarely.
        boolean ages = schedule.blockNanos() == 0 || maxAgeNanos > schedule.blockNanos();
        return ages && aged - next > 0 ? aged : next;
    }

    /** Notes the time of a block, in seconds since 1970, if that block is the head. */
    public synchronized void timestamp(long block, long seconds) {
        if (schedule != null && block == state.number()) {
            schedule.timestamp(block, seconds);
        }
    }

    /** Notes the time between earlier blocks, in nanoseconds. */
    public synchronized void past(long blockNanos) {
        if (schedule != null) {
            schedule.past(blockNanos);
        }
    }

    /** Returns the highest head that counted, of whatever tier. */
    public KnownHead known() {
        return state.known();
    }

    /**
     * Notes a head that counts, without raising the head of calls to it.
     *
     * @param upstreamId the node on whose word it counts; null if its block was shown
     */
    public synchronized void accept(long head, @Nullable String upstreamId) {
        state = state.with(state.known().accepted(head, upstreamId, clock.getAsLong()));
    }

    /** Notes a head that two nodes reached, or that a node has shown. */
    public synchronized void confirm(long head) {
        state = state.with(state.known().confirmed(head));
    }

    /** Registers a listener of later events. */
    public void listen(HeadListener listener) {
        listeners.add(listener);
    }

    /**
     * Notes the number of a block that an answer named. If it is higher than the head, it becomes the head. It is not fresh,
     * because a still higher one may exist.
     */
    public synchronized void raise(long number) {
        if (number > state.number()) {
            long now = clock.getAsLong();
            state = state.risen(number, ++stamps).aged(now);
            scheduleAfter(number, now, false);
            listeners.forEach(listener -> listener.rose(number));
        }
    }

    /** Notes that the head may have changed, as when an answer lacked the block. */
    public synchronized void outdate() {
        state = state.outdated(++stamps, state.doubt().settledNanos());
    }

    /** Notes that a write was answered. The head may have changed, or change in a moment. */
    public synchronized void written() {
        state = state.outdated(++stamps, clock.getAsLong() + SETTLE_NANOS);
        unsure = false;
    }

    /** Notes that a write was answered, and that nobody knows whether writes change the head at once. */
    public synchronized void perhapsWritten() {
        written();
        unsure = true;
    }

    /** Returns whether a write was answered a moment ago, and nobody knows whether writes change the head at once. */
    public boolean isUnsure() {
        return unsure && clock.getAsLong() - state.doubt().settledNanos() < 0;
    }

    /** Notes that a node accepted a transaction. A later block will have it; the head stays as it is. */
    public synchronized void accepted() {
        acceptedStamp = ++stamps;
    }

    /** Returns the present moment. Events before it have happened; later ones come after it. */
    public synchronized HeadMoment now() {
        return new HeadMoment(++stamps, clock.getAsLong(), !state.isConfirmed(), false);
    }

    /**
     * Returns the moment at which a node announces a block unasked. The node may have sent it before the event that made the head
     * doubtful, so it removes no doubt.
     */
    public synchronized HeadMoment announced() {
        return new HeadMoment(state.isConfirmed() ? ++stamps : 0, clock.getAsLong(), false, true);
    }

    /** Notes whether a node announces new blocks. Polls then only find out whether an announcement is missing. */
    public synchronized void announces(boolean on) {
        if (schedule != null) {
            schedule.announces(on);
        }
    }

    public synchronized boolean isAnnounced() {
        return schedule != null && schedule.isAnnounced();
    }

    /**
     * Returns whether a moment is after the last event that made the head doubtful. If so, later calls may use what a node was asked
     * then.
     */
    public boolean covers(HeadMoment asked) {
        return asked.stamp() > state.doubt().stamp();
    }

    /** Returns whether a moment covers the head, and is after the last transaction that a node accepted. */
    public boolean coversWrites(HeadMoment asked) {
        return covers(asked) && asked.stamp() > acceptedStamp;
    }

    /**
     * Notes the head that an upstream named in a round.
     *
     * @param round when the round began, before the first upstream was asked
     * @param raises whether the upstream can raise the head; if not, it can only contradict a lower one
     * @return whether that confirms the head
     */
    public synchronized boolean named(HeadMoment round, long head, boolean raises) {
        boolean rises = raises && head > state.number();
        if (rises) {
            state = state.risen(head, ++stamps);
            scheduleAfter(head, round.nanos(), round.announced());
        }
        boolean confirms = head >= state.number();
        if (confirms) {
            // A repeated announcement is no poll that found nothing newer.
            if (schedule != null && !rises && !round.announced()) {
                schedule.unchanged(round.nanos());
            }
            state = state.confirmed(round, freshUntil(round), 0);
        }
        if (rises) {
            listeners.forEach(listener -> listener.rose(head));
        }
        if (confirms) {
            listeners.forEach(listener -> listener.confirmed(head, round.nanos()));
        }
        return confirms;
    }

    /**
     * Ends a round. A round that is never ended changes nothing.
     *
     * @param highest the highest head that was named in it; -1 if there is none
     * @param whole whether every upstream that counts has named its head in it
     */
    public synchronized RoundResult end(HeadMoment round, long highest, boolean whole) {
        long before = state.number();
        if (highest >= before) {
            return highest < 0 ? RoundResult.UNKNOWN : RoundResult.CONFIRMED;
        }
        if (!whole || highest < 0 || round.stamp() < state.raisedStamp()) {
            return RoundResult.UNKNOWN;
        }
        if (state.doubtStamp() == 0 || round.stamp() < state.doubtStamp()) {
            long doubt = state.doubtStamp() == 0 ? ++stamps : state.doubtStamp();
            // Without any sign of a change, the next round is soon enough.
            state = round.urgent() ? state.doubted(doubt) : state.confirmed(round, freshUntil(round), doubt);
            return RoundResult.DOUBTED;
        }
        scheduleAfter(highest, round.nanos(), false);
        state = state.sunk(highest, clock.getAsLong()).confirmed(round, freshUntil(round), 0);
        listeners.forEach(listener -> listener.wentBack(before, highest));
        return RoundResult.WENT_BACK;
    }

    private void scheduleAfter(long head, long nanos, boolean announced) {
        if (schedule != null && announced) {
            schedule.announced(head, nanos);
        } else if (schedule != null) {
            schedule.rose(head, nanos);
        }
    }

    private long freshUntil(HeadMoment round) {
        long aged = round.nanos() + maxAgeNanos;
        boolean foreseen = schedule != null && (schedule.blockNanos() > 0 || schedule.isAnnounced());
        if (schedule == null || maxAgeNanos == 0 || !foreseen) {
            return aged;
        }
        long polled = schedule.nextPollNanos() + POLL_NANOS;
        return polled - aged > 0 ? polled : aged;
    }
}
