package io.weir.subscription.filter;

import io.weir.access.Holding;
import io.weir.jsonrpc.RawJson;
import io.weir.limit.Budget;
import io.weir.limit.Reservation;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.method.params.kind.JsonArray;
import io.weir.pipeline.FirstParam;
import io.weir.subscription.delivery.EventSource;
import io.weir.subscription.delivery.StreamMember;
import io.weir.subscription.delivery.SubscriptionKind;
import io.weir.subscription.filter.ChangeJournal.Change;
import io.weir.subscription.filter.ChangeJournal.State;
import io.weir.subscription.stream.LogCriteria;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Filter of a client that holds a position in the journal. Thread-safe; one poll at a time moves it. */
final class StreamFilter implements StreamMember, ChangeJournal.Reader {

    private static final RawJson TRUE = RawJson.of("true");

    private final Request request;
    private final ChangeJournal journal;
    private final EventSource source;
    private final Holding holding;
    private final AtomicBoolean polled = new AtomicBoolean();
    private volatile long joined;
    private volatile long position;
    /** Number of the matching logs of the next change that were told. Guarded by {@link #polled}. */
    private int within;

    /**
     * Request for a filter. Immutable.
     *
     * @param criteria of the logs; null for other kinds
     * @param params of a filter of logs, in normal form; null for other kinds
     */
    record Request(
            SubscriptionKind kind,
            @Nullable LogCriteria criteria,
            @Nullable RawJson params) {

        static Request blocks(@Nullable FirstParam none) {
            return new Request(SubscriptionKind.NEW_HEADS, null, null);
        }

        static Request pending(@Nullable FirstParam whole) {
            boolean isWhole = whole != null && whole.value().equals(TRUE);
            return new Request(isWhole ? SubscriptionKind.WHOLE_PENDING : SubscriptionKind.PENDING, null, null);
        }

        static Request logs(@Nullable FirstParam filter) throws InvalidParamsException {
            if (filter == null) {
                throw InvalidParamsException.of("missing", "a filter of logs");
            }
            LogCriteria criteria = LogCriteria.read(filter.value());
            return new Request(SubscriptionKind.LOGS, criteria, filter.params().compact());
        }
    }

    /** Reader of the requests of one method. Thread-safe. */
    @FunctionalInterface
    interface Reader {

        /**
         * Reads the parameters of a call.
         *
         * @param first in normal form; null if there is none
         * @throws InvalidParamsException if they are about no later block
         */
        Request read(@Nullable FirstParam first) throws InvalidParamsException;
    }

    /**
     * @param source of its events, which it joins
     * @param holding what it has taken of the limits
     */
    StreamFilter(Request request, ChangeJournal journal, EventSource source, Holding holding) {
        this.request = request;
        this.journal = journal;
        this.source = source;
        this.holding = holding;
    }

    @Override
    public Holding holding() {
        return holding;
    }

    @Override
    public SubscriptionKind kind() {
        return request.kind();
    }

    @Override
    public @Nullable LogCriteria criteria() {
        return request.criteria();
    }

    /** Returns the parameters with which it was created. */
    @Nullable
    RawJson params() {
        return request.params();
    }

    @Override
    public void joined(long sequence) {
        joined = sequence;
    }

    @Override
    public void begin(long start) {
        position = start;
    }

    @Override
    public long position() {
        return position;
    }

    /**
     * Begins a poll. Returns null if another one is under way, which gets the changes.
     *
     * @param maxBytes of the answer; one change always fits
     * @param inFlight has room for the answer, else it is shorter
     * @param holder of these bytes until the poll ends
     */
    @Nullable
    Poll poll(long maxBytes, Budget inFlight, Object holder) {
        return polled.getAndSet(true) ? null : new Poll(maxBytes, inFlight.reserve(holder));
    }

    /** Leaves the stream. Called once, on any thread. */
    void ended() {
        journal.close(this);
        source.leave(this);
    }

    /**
     * One poll of the filter: a walk over the changes that came before it, in turns. The filter moves only if the poll succeeds. Confined
     * to the event loop of its call.
     */
    final class Poll {

        /** Changes, logs and values of criteria that are looked at in one turn. */
        private static final int PER_TURN = 4_096;

        private static final int PER_READ = 64;

        private final long maxBytes;
        private final Reservation reservation;
        private final long end;
        private final List<RawJson> parts = new ArrayList<>();
        private long bytes = 2;
        private long next;
        private int told;
        private boolean over;
        private boolean refused;
        private int left;

        private Poll(long maxBytes, Reservation reservation) {
            this.maxBytes = maxBytes;
            this.reservation = reservation;
            this.next = position;
            this.told = within;
            this.end = journal.end(kind());
        }

        /** Walks on for a turn. Returns whether the poll is over. */
        boolean walk() {
            left = PER_TURN;
            while (!over && left > 0) {
                List<Change> changes = next < end ? journal.read(kind(), next, Math.min(end, next + PER_READ)) : null;
                if (changes == null) {
                    over = true;
                } else {
                    walk(changes);
                }
            }
            return over;
        }

        private void walk(List<Change> changes) {
            for (Change change : changes) {
                if (left <= 0 || !take(change)) {
                    return;
                }
                next++;
                told = 0;
            }
        }

        /** Takes what the filter wants of a change. Returns false if that is not all of it, because the answer is full. */
        private boolean take(Change change) {
            left--;
            return change instanceof Change.Value value ? add(value.text()) : takeLogs((Change.Logs) change);
        }

        private boolean takeLogs(Change.Logs change) {
            LogCriteria criteria = criteria();
            if (criteria == null || change.sequence() <= joined) {
                return true;
            }
            int[] matching = change.postings().matching(criteria, looked -> left -= looked);
            while (told < matching.length) {
                // The newest log is taken back first.
                RawJson log = change.removed()
                        ? RawJson.of(change.logs().removedText(matching[matching.length - 1 - told]))
                        : change.logs().json(matching[told]);
                if (!add(log)) {
                    return false;
                }
                told++;
            }
            return true;
        }

        private boolean add(RawJson part) {
            long more = part.length() + 1L;
            if (bytes + more > maxBytes && !parts.isEmpty()) {
                over = true;
                return false;
            }
            if (!reservation.tryAdd(more)) {
                over = true;
                refused = true;
                return false;
            }
            parts.add(part);
            bytes += more;
            return true;
        }

        /** Returns whether the changes of the filter are at hand. */
        State state() {
            return journal.state(kind(), next);
        }

        /** Returns the answer; null if there is no memory for the next change. */
        @Nullable
        RawJson result() {
            return parts.isEmpty() && refused ? null : JsonArray.of(parts, RawJson.EMPTY_ARRAY, !parts.isEmpty());
        }

        /** Moves the filter past the answer, and hands the answer over. */
        void succeed(Runnable handOver) {
            within = told;
            position = next;
            polled.set(false);
            reservation.handOver(handOver);
        }

        /** Leaves the filter where it is. */
        void fail() {
            polled.set(false);
            reservation.close();
        }
    }
}
