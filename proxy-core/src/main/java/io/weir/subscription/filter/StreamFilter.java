package io.weir.subscription.filter;

import io.weir.access.Holding;
import io.weir.jsonrpc.RawJson;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.pipeline.FirstParam;
import io.weir.subscription.delivery.EventSource;
import io.weir.subscription.delivery.StreamMember;
import io.weir.subscription.delivery.SubscriptionKind;
import io.weir.subscription.stream.LogCriteria;
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

    /** Returns the sequence number of the last logs before it. */
    long joined() {
        return joined;
    }

    @Override
    public void begin(long start) {
        position = start;
    }

    @Override
    public long position() {
        return position;
    }

    /** Begins a poll. Returns false if another one is under way, which gets the changes. */
    boolean tryPoll() {
        return !polled.getAndSet(true);
    }

    /** Returns the number of the matching logs at its position that were told. Called by the poll that is under way. */
    int within() {
        return within;
    }

    /** Moves it on. Called by the poll that is under way. */
    void moveTo(long next, int told) {
        within = told;
        position = next;
    }

    /** Ends the poll that is under way. */
    void endPoll() {
        polled.set(false);
    }

    /** Leaves the stream. Called once, on any thread. */
    void ended() {
        journal.close(this);
        source.leave(this);
    }
}
