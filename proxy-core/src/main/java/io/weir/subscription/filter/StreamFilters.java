package io.weir.subscription.filter;

import static java.util.Objects.requireNonNull;

import io.netty.channel.EventLoop;
import io.weir.access.Holding;
import io.weir.config.NetworkConfig;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.limit.Budget;
import io.weir.method.ChainCalls;
import io.weir.method.MethodRole;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.FirstParam;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.subscription.delivery.Delivered;
import io.weir.subscription.delivery.EventSource;
import io.weir.subscription.delivery.SubscriptionKind;
import io.weir.subscription.filter.ChangeJournal.State;
import io.weir.subscription.stream.CriteriaLimits;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Filters of one network's clients, and the stages of their methods. Their changes come from the stream. Thread-safe. */
public final class StreamFilters {

    /** Bytes of the changes that one poll returns. The rest comes with the next one, so it need not hold much in flight. */
    private static final long CHANGES_BYTES = 16 << 20;

    /** Bytes on the heap for changes that filters have not polled: minutes of all logs of a busy chain. */
    private static final long JOURNAL_BYTES = 64 << 20;

    private static final RpcReply NO_CHANGES = new RpcReply.Result(RawJson.EMPTY_ARRAY);
    private static final RpcReply OVERLOADED = RpcReply.unavailable("overloaded");

    private final FilterTable table;
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
            NetworkConfig network,
            Meters registry,
            Budget inFlight,
            LongSupplier head,
            Map<SubscriptionKind, EventSource> sources,
            CriteriaLimits limits) {
        this(
                new FilterTable(network.filters(), registry, network.name(), FilterTable.IDLE),
                inFlight,
                head,
                sources,
                limits,
                CHANGES_BYTES);
        registry.gauge(Meter.FILTER_JOURNAL_BYTES, this::bytes, network.name());
    }

    /** @param changesBytes bytes of the changes that one poll returns; one change always fits */
    StreamFilters(
            FilterTable table,
            Budget inFlight,
            LongSupplier head,
            Map<SubscriptionKind, EventSource> sources,
            CriteriaLimits limits,
            long changesBytes) {
        this.table = table;
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
    long bytes() {
        return journal.bytes();
    }

    /**
     * Returns the stages by the role of the method.
     *
     * @param calls makes calls on the network
     */
    public Map<MethodRole, Stage> stages(Stage calls) {
        return Map.of(
                MethodRole.NEW_LOG_FILTER, new NewFilterStage(StreamFilter.Request::logs),
                MethodRole.NEW_BLOCK_FILTER, new NewFilterStage(StreamFilter.Request::blocks),
                MethodRole.NEW_PENDING_FILTER, new NewFilterStage(StreamFilter.Request::pending),
                MethodRole.FILTER_CHANGES, new FilterChangesStage(),
                MethodRole.FILTER_LOGS, new FilterLogsStage(calls),
                MethodRole.UNINSTALL_FILTER, new EndFilterStage());
    }

    /**
     * Removes idle filters from time to time while there are any, also if no call comes any more. Else they would keep the stream
     * running.
     *
     * @param loop runs it
     */
    private void sweep(EventLoop loop) {
        if (!sweeping.getAndSet(true)) {
            loop.schedule(() -> sweepAgain(loop), table.idle().toMillis() / 4, TimeUnit.MILLISECONDS);
        }
    }

    private void sweepAgain(EventLoop loop) {
        sweeping.set(false);
        if (table.size() > 0) {
            sweep(loop);
        }
    }

    /** Stage that creates a filter. Thread-safe. */
    private final class NewFilterStage implements Stage {

        private final StreamFilter.Reader reader;

        /** @param reader of the kind of filter that the calls are for */
        NewFilterStage(StreamFilter.Reader reader) {
            this.reader = reader;
        }

        @Override
        public void handle(CallContext context, ReplySink sink) {
            StreamFilter.Request request;
            try {
                request = reader.read(FirstParam.of(context.call().params()));
            } catch (InvalidParamsException e) {
                // Valid parameters about no later block: geth has another code for them.
                sink.accept(RpcReply.failure(
                        ErrorCode.INVALID_INPUT.error(e.inElement(0).getMessage())));
                return;
            }
            Holding holding = new Holding(context.caller(), context.clientAddress());
            RpcReply refusal = reserve(holding, request);
            if (refusal != null) {
                sink.accept(refusal);
                return;
            }
            EventLoop loop = context.loop();
            EventSource source = requireNonNull(sources.get(request.kind()));
            StreamFilter filter = new StreamFilter(request, journal, source, holding);
            source.join(filter, context.deadlineNanos(), failure -> {
                if (failure == null) {
                    journal.open(filter);
                }
                if (!loop.isShuttingDown()) {
                    loop.execute(() -> context.step(() -> joined(filter, failure, context, sink)));
                }
            });
        }

        private RpcReply.@Nullable Failure reserve(Holding holding, StreamFilter.Request request) {
            RpcReply.Failure refusal = table.reserve(holding);
            if (refusal != null) {
                return refusal;
            }
            RawJson params = request.params();
            long kept = params == null ? 0 : params.length();
            RpcReply.Failure excess = limits.takeForFilter(holding, request.criteria(), kept);
            if (excess != null) {
                holding.close();
            }
            return excess;
        }

        private void joined(
                StreamFilter filter, RpcReply.@Nullable Failure failure, CallContext context, ReplySink sink) {
            if (failure != null) {
                filter.holding().close();
                sink.accept(failure);
                return;
            }
            String id = table.add(filter);
            sweep(context.loop());
            sink.accept(new RpcReply.Result(RawJson.of('"' + id + '"')));
        }
    }

    /** Stage of calls about a filter. Thread-safe. */
    private abstract class FilterStage implements Stage {

        @Override
        public void handle(CallContext context, ReplySink sink) {
            FirstParam param = FirstParam.of(context.call().params());
            String id = param == null ? null : param.string();
            if (param == null || id == null) {
                sink.accept(FirstParam.refusal(param, "the id of a filter"));
                return;
            }
            StreamFilter filter = table.find(id, context.caller());
            if (filter == null) {
                sink.accept(missing());
            } else {
                handle(id, filter, context, sink);
            }
        }

        /** Returns the reply if the caller has no filter with the id. */
        RpcReply missing() {
            return FilterTable.NOT_FOUND;
        }

        abstract void handle(String id, StreamFilter filter, CallContext context, ReplySink sink);
    }

    /** Stage that answers the poll of a filter from the journal. Thread-safe. */
    private final class FilterChangesStage extends FilterStage {

        @Override
        void handle(String id, StreamFilter filter, CallContext context, ReplySink sink) {
            // Waits until the known head was told, or for a moment.
            heights.await(
                    filter.kind(),
                    head.getAsLong(),
                    context.loop(),
                    () -> context.step(() -> poll(id, filter, context, sink)));
        }

        private void poll(String id, StreamFilter filter, CallContext context, ReplySink sink) {
            StreamFilter.Poll poll = filter.poll(changesBytes, inFlight, context.holder());
            if (poll == null) {
                sink.accept(NO_CHANGES);
            } else {
                walk(poll, id, filter, context, sink);
            }
        }

        private void walk(StreamFilter.Poll poll, String id, StreamFilter filter, CallContext context, ReplySink sink) {
            RpcReply reply;
            try {
                if (!poll.walk()) {
                    // Not executed, because a loop runs all executed tasks before it looks at its sockets.
                    Runnable next = () -> context.step(() -> walk(poll, id, filter, context, sink));
                    context.loop().schedule(next, 0, TimeUnit.NANOSECONDS);
                    return;
                }
                reply = reply(poll, id, filter);
            } catch (RuntimeException | Error e) {
                poll.fail();
                throw e;
            }
            if (reply instanceof RpcReply.Result) {
                poll.succeed(() -> sink.accept(reply));
            } else {
                poll.fail();
                sink.accept(reply);
            }
        }

        private RpcReply reply(StreamFilter.Poll poll, String id, StreamFilter filter) {
            State state = poll.state();
            if (state != State.KNOWN) {
                table.end(id, filter, state == State.EVICTED ? FilterTable.Ending.EVICTED : FilterTable.Ending.LOST);
                return FilterTable.NOT_FOUND;
            }
            RawJson result = poll.result();
            return result == null ? OVERLOADED : new RpcReply.Result(result);
        }
    }

    /** Stage that answers the call for all logs of a filter, by {@code eth_getLogs}. Thread-safe. */
    private final class FilterLogsStage extends FilterStage {

        private final Stage calls;

        FilterLogsStage(Stage calls) {
            this.calls = calls;
        }

        @Override
        void handle(String id, StreamFilter filter, CallContext context, ReplySink sink) {
            RawJson params = filter.params();
            if (params == null) {
                sink.accept(FilterTable.NOT_FOUND);
            } else {
                calls.handle(context.with(new RpcCall(context.call().id(), ChainCalls.LOGS, params)), sink);
            }
        }
    }

    /** Stage that removes a filter. Thread-safe. */
    private final class EndFilterStage extends FilterStage {

        @Override
        RpcReply missing() {
            return new RpcReply.Result(RawJson.of("false"));
        }

        @Override
        void handle(String id, StreamFilter filter, CallContext context, ReplySink sink) {
            boolean ended = table.end(id, filter, FilterTable.Ending.UNINSTALLED);
            sink.accept(ended ? new RpcReply.Result(RawJson.of("true")) : missing());
        }
    }

    /**
     * Heights up to which the stream told its blocks and logs. A poll waits for the known head, so that it tells of a block that the same
     * client has just seen in another answer. Some clients, such as ethers, poll once after each block, and not again until the next. If
     * a height was not told in time, later polls do not wait until the stream goes on. Thread-safe.
     */
    private static final class ToldHeights {

        private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(2);

        private final Map<SubscriptionKind, Height> heights = new EnumMap<>(SubscriptionKind.class);

        /** The height of one kind. Thread-safe. */
        private static final class Height {

            private volatile long number = -1;
            /** Highest number for which a call waited in vain since the stream went on. */
            private volatile long givenUp = -1;

            private final Set<Waiter> waiters = ConcurrentHashMap.newKeySet();
        }

        /** Call that waits for a height. Its action runs on the loop, by the thread that removes the call. Immutable. */
        private record Waiter(long number, EventLoop loop, Runnable action) {}

        ToldHeights() {
            heights.put(SubscriptionKind.NEW_HEADS, new Height());
            heights.put(SubscriptionKind.LOGS, new Height());
        }

        /** Handles that the stream reached a height, or fell back to it. */
        void reached(Delivered.Height event) {
            Height height = heights.get(event.kind());
            if (height == null) {
                return;
            }
            if (height.number != event.number()) {
                height.number = event.number();
                height.givenUp = -1;
            }
            height.waiters.forEach(waiter -> {
                boolean over = event.number() >= waiter.number && height.waiters.remove(waiter);
                if (over && !waiter.loop.isShuttingDown()) {
                    waiter.loop.execute(waiter.action);
                }
            });
        }

        /**
         * Runs an action once everything of a kind was told up to a height, or after some time.
         *
         * @param loop runs the action; called on it
         */
        void await(SubscriptionKind kind, long number, EventLoop loop, Runnable action) {
            @Nullable Height height = heights.get(kind);
            if (height == null || height.number >= number || height.givenUp >= number) {
                action.run();
                return;
            }
            Waiter waiter = new Waiter(number, loop, action);
            height.waiters.add(waiter);
            loop.schedule(
                    () -> {
                        if (height.waiters.remove(waiter)) {
                            height.givenUp = number;
                            action.run();
                        }
                    },
                    WAIT_NANOS,
                    TimeUnit.NANOSECONDS);
            if (height.number >= number && height.waiters.remove(waiter)) {
                action.run();
            }
        }
    }
}
