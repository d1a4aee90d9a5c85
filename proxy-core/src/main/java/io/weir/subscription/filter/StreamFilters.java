package io.weir.subscription.filter;

import static java.util.Objects.requireNonNull;

import io.netty.channel.EventLoop;
import io.weir.limit.Budget;
import io.weir.method.MethodRole;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.pipeline.filter.FilterEnding;
import io.weir.pipeline.filter.FilterRemoval;
import io.weir.pipeline.filter.FilterStages;
import io.weir.pipeline.filter.FilterTable;
import io.weir.subscription.delivery.Delivered;
import io.weir.subscription.delivery.EventSource;
import io.weir.subscription.delivery.SubscriptionKind;
import io.weir.subscription.log.CriteriaLimits;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/** Filters of one network's clients whose changes come from the stream. Thread-safe. */
public final class StreamFilters {

    /** Bytes of the changes that one poll returns. The rest comes with the next one, so it need not hold much in flight. */
    private static final long CHANGES_BYTES = 16 << 20;

    /** Bytes on the heap for changes that filters have not polled: minutes of all logs of a busy chain. */
    private static final long JOURNAL_BYTES = 64 << 20;

    private final long changesBytes;
    private final Budget inFlight;
    private final LongSupplier head;
    private final Map<SubscriptionKind, EventSource> sources;
    private final CriteriaLimits limits;
    private final ChangeJournal journal;
    private final ToldHeights heights = new ToldHeights();
    private final AtomicBoolean sweeping = new AtomicBoolean();

    /**
     * Creates the filters of a network, without any.
     *
     * @param inFlight bound of the answers in memory
     * @param head the number of the known head
     * @param sources of the events, by kind
     * @param limits on the addresses and topics, which subscriptions share
     */
    public StreamFilters(
            Budget inFlight, LongSupplier head, Map<SubscriptionKind, EventSource> sources, CriteriaLimits limits) {
        this(inFlight, head, sources, limits, CHANGES_BYTES);
    }

    /** @param changesBytes bytes of the changes that one poll returns; one change always fits */
    StreamFilters(
            Budget inFlight,
            LongSupplier head,
            Map<SubscriptionKind, EventSource> sources,
            CriteriaLimits limits,
            long changesBytes) {
        this.changesBytes = changesBytes;
        this.inFlight = inFlight;
        this.head = head;
        this.sources = sources;
        this.limits = limits;
        this.journal = new ChangeJournal(JOURNAL_BYTES, System::nanoTime);
    }

    /** Handles an event. Called on the event loop of its source. */
    public void take(Delivered event) {
        if (event instanceof Delivered.Height height) {
            heights.reached(height);
        } else {
            journal.take(event);
        }
    }

    /** Returns the bytes of the changes that filters have not told yet, about. */
    public long bytes() {
        return journal.bytes();
    }

    /**
     * Returns the stages by the role of the method.
     *
     * @param held the stages of the filters that nodes hold, and the table of all filters
     * @param calls makes calls on the network
     */
    public Map<MethodRole, Stage> stages(FilterStages held, Stage calls) {
        return Map.of(
                MethodRole.NEW_LOG_FILTER,
                created(held, MethodRole.NEW_LOG_FILTER, FilterRequest::logs),
                MethodRole.NEW_BLOCK_FILTER,
                created(held, MethodRole.NEW_BLOCK_FILTER, params -> FilterRequest.BLOCKS),
                MethodRole.NEW_PENDING_FILTER,
                created(held, MethodRole.NEW_PENDING_FILTER, FilterRequest::pending),
                MethodRole.FILTER_CHANGES,
                new FilterChangesStage(this, held.table(), held.stage(MethodRole.FILTER_CHANGES)),
                MethodRole.FILTER_LOGS,
                new FilterLogsStage(held.table(), calls, held.stage(MethodRole.FILTER_LOGS)),
                MethodRole.UNINSTALL_FILTER,
                new EndFilterStage(held.table(), held.stage(MethodRole.UNINSTALL_FILTER)));
    }

    private Stage created(FilterStages held, MethodRole role, FilterRequest.Reader reader) {
        return new NewStreamFilterStage(this, reader, held.table(), held.stage(role));
    }

    /**
     * Removes idle filters from time to time while there are any, also if no call comes any more. Else they would keep the stream
     * running.
     *
     * @param loop runs it
     */
    void sweep(FilterTable table, EventLoop loop) {
        if (!sweeping.getAndSet(true)) {
            sweepLater(table, loop);
        }
    }

    private void sweepLater(FilterTable table, EventLoop loop) {
        loop.schedule(
                () -> {
                    sweeping.set(false);
                    if (table.size() > 0) {
                        sweep(table, loop);
                    }
                },
                table.idle().toMillis() / 4,
                TimeUnit.MILLISECONDS);
    }

    ChangeJournal journal() {
        return journal;
    }

    CriteriaLimits limits() {
        return limits;
    }

    EventSource source(SubscriptionKind kind) {
        return requireNonNull(sources.get(kind));
    }

    /** Runs an action once the known head was told, or after a moment. */
    void whenTold(SubscriptionKind kind, EventLoop loop, Runnable action) {
        heights.await(kind, head.getAsLong(), loop, action);
    }

    /** Begins a poll of a filter that no other one polls, for the holder of its answer. */
    FilterPoll poll(StreamFilter filter, Object holder) {
        return new FilterPoll(filter, journal, changesBytes, inFlight.reserve(holder));
    }

    /** Stage that removes a filter of the stream. Thread-safe. */
    private static final class EndFilterStage implements Stage {

        private final FilterTable table;
        private final Stage atNode;

        EndFilterStage(FilterTable table, Stage atNode) {
            this.table = table;
            this.atNode = atNode;
        }

        @Override
        public void handle(CallContext context, ReplySink sink) {
            FilterLookup found = FilterLookup.of(context, table);
            if (found == null) {
                atNode.handle(context, sink);
            } else {
                boolean ended = table.end(found.id(), found.filter(), FilterEnding.UNINSTALLED);
                sink.accept(ended ? FilterRemoval.REMOVED : FilterRemoval.NOT_THERE);
            }
        }
    }
}
