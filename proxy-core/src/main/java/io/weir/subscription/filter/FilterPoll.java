package io.weir.subscription.filter;

import io.weir.jsonrpc.RawJson;
import io.weir.limit.Reservation;
import io.weir.subscription.filter.ChangeJournal.Change;
import io.weir.subscription.filter.ChangeJournal.State;
import io.weir.subscription.stream.LogCriteria;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One poll of a filter: a walk over the changes that came before it, in turns. The filter moves only if the poll succeeds. Confined
 * to the event loop of its call.
 */
final class FilterPoll {

    /** Changes, logs and values of criteria that are looked at in one turn. */
    private static final int PER_TURN = 4_096;

    private static final int PER_READ = 64;

    private final StreamFilter filter;
    private final ChangeJournal journal;
    private final long maxBytes;
    private final Reservation reservation;
    private final long end;
    private final List<RawJson> parts = new ArrayList<>();
    private long bytes = 2;
    private long position;
    private int within;
    private boolean over;
    private boolean refused;
    private int left;

    /**
     * Begins a poll of a filter that no other one polls.
     *
     * @param maxBytes of the answer; one change always fits
     * @param reservation of the bytes in flight has room for the answer, else it is shorter; closed with the poll
     */
    FilterPoll(StreamFilter filter, ChangeJournal journal, long maxBytes, Reservation reservation) {
        this.filter = filter;
        this.journal = journal;
        this.maxBytes = maxBytes;
        this.reservation = reservation;
        this.position = filter.position();
        this.within = filter.within();
        this.end = journal.end(filter.kind());
    }

    /** Walks on for a turn. Returns whether the poll is over. */
    boolean walk() {
        left = PER_TURN;
        while (!over && left > 0) {
            List<Change> changes =
                    position < end ? journal.read(filter.kind(), position, Math.min(end, position + PER_READ)) : null;
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
            position++;
            within = 0;
        }
    }

    /** Takes what the filter wants of a change. Returns false if that is not all of it, because the answer is full. */
    private boolean take(Change change) {
        left--;
        return change instanceof Change.Value value ? add(value.text()) : takeLogs((Change.Logs) change);
    }

    private boolean takeLogs(Change.Logs change) {
        LogCriteria criteria = filter.criteria();
        if (criteria == null || change.sequence() <= filter.joined()) {
            return true;
        }
        int[] matching = change.postings().matching(criteria, looked -> left -= looked);
        while (within < matching.length) {
            // The newest log is taken back first.
            RawJson log = change.removed()
                    ? RawJson.of(change.logs().removedText(matching[matching.length - 1 - within]))
                    : change.logs().json(matching[within]);
            if (!add(log)) {
                return false;
            }
            within++;
        }
        return true;
    }

    private boolean add(RawJson part) {
        long next = bytes + part.length() + 1L;
        if (next > maxBytes && !parts.isEmpty()) {
            over = true;
            return false;
        }
        if (!reservation.tryAdd(part.length() + 1L)) {
            over = true;
            refused = true;
            return false;
        }
        parts.add(part);
        bytes = next;
        return true;
    }

    /** Returns whether the changes of the filter are at hand. */
    State state() {
        return journal.state(filter.kind(), position);
    }

    /** Returns the answer; null if there is no memory for the next change. */
    @Nullable
    RawJson result() {
        if (parts.isEmpty()) {
            return refused ? null : RawJson.EMPTY_ARRAY;
        }
        byte[] text = new byte[Math.toIntExact(bytes - 1)];
        int at = 0;
        for (RawJson part : parts) {
            text[at++] = (byte) (at == 1 ? '[' : ',');
            System.arraycopy(part.array(), part.offset(), text, at, part.length());
            at += part.length();
        }
        text[at] = ']';
        return RawJson.of(text);
    }

    /** Moves the filter past the answer, and hands the answer over. */
    void succeed(Runnable handOver) {
        filter.moveTo(position, within);
        filter.endPoll();
        reservation.handOver(handOver);
    }

    /** Leaves the filter where it is. */
    void fail() {
        filter.endPoll();
        reservation.close();
    }
}
