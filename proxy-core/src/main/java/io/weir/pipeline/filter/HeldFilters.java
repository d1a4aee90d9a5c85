package io.weir.pipeline.filter;

import static java.util.Objects.requireNonNull;

import io.netty.channel.EventLoop;
import io.weir.access.Holding;
import io.weir.config.NetworkConfig;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.ChainCalls;
import io.weir.method.MethodRole;
import io.weir.metrics.Meters;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.CallGuard;
import io.weir.pipeline.FirstParam;
import io.weir.pipeline.Forwarding;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.upstream.Attempt;
import io.weir.upstream.PoolView;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamPool;
import io.weir.upstream.UpstreamStatus.Health;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Filters that nodes hold for one network's clients, and the stages of their methods. A client gets an id of the proxy's own. Calls
 * about a filter go to its node with the node's id. Thread-safe.
 */
public final class HeldFilters {

    /** Removals of idle filters at once. More are skipped, because nodes remove idle filters themselves after a while. */
    private static final int MAX_REMOVALS = 16;

    private static final long REMOVAL_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final Pattern NOT_FOUND = Pattern.compile(
            "filter.{0,100}(not found|does not exist|unknown|expired)|(unknown|no such) filter",
            Pattern.CASE_INSENSITIVE);
    private static final int MAX_READ = 300;

    private final FilterTable table;
    private final UpstreamPool pool;
    private final Forwarding forwarding;
    private final Map<MethodRole, Stage> stages;
    /** The proxy's ids by the node's own ids. */
    private final ConcurrentMap<AtNode, String> byNode = new ConcurrentHashMap<>();

    private final AtomicInteger removals = new AtomicInteger();

    private record AtNode(Upstream upstream, RawJson nodeId) {}

    /**
     * Filter that a node holds for a client. Immutable.
     *
     * @param holding the part of the limits that it holds
     * @param node the node, and the node's id for it, as the node wrote it
     * @param loop the event loop that created it; an idle filter is removed from there
     * @param others the filters that nodes hold, of which this is one
     */
    private record HeldFilter(Holding holding, AtNode node, EventLoop loop, HeldFilters others) implements OpenFilter {

        @Override
        public void ended(String id, boolean idle) {
            others.byNode.remove(node, id);
            if (idle) {
                others.removeAtNode(this);
            }
        }
    }

    HeldFilters(FilterTable table, UpstreamPool pool, Forwarding forwarding) {
        this.table = table;
        this.pool = pool;
        this.forwarding = forwarding;
        Stage created = new NewFilterStage();
        this.stages = Map.of(
                MethodRole.NEW_LOG_FILTER,
                created,
                MethodRole.NEW_BLOCK_FILTER,
                created,
                MethodRole.NEW_PENDING_FILTER,
                created,
                MethodRole.FILTER_CHANGES,
                new FilterCallStage(false),
                MethodRole.FILTER_LOGS,
                new FilterCallStage(true),
                MethodRole.UNINSTALL_FILTER,
                new UninstallFilterStage());
    }

    /** Returns those of a network, without any. */
    public static HeldFilters of(
            NetworkConfig config, UpstreamPool pool, Forwarding forwarding, Meters registry, Duration idle) {
        FilterMeters meters = new FilterMeters(registry, config.name());
        FilterTable table = new FilterTable(config.filters(), meters, idle);
        meters.show(table::size);
        return new HeldFilters(table, pool, forwarding);
    }

    /** Returns the table of all filters of the network, also of those that no node holds. */
    public FilterTable table() {
        return table;
    }

    /** Returns the stages by the role of the method. */
    public Map<MethodRole, Stage> stages() {
        return stages;
    }

    /** Returns the stage of a role that methods of filters have. */
    public Stage stage(MethodRole role) {
        return requireNonNull(stages.get(role));
    }

    /** Adds a filter to the table at its caller's reserved position, and returns its id. */
    private String add(HeldFilter filter) {
        String id = table.add(filter);
        String before = byNode.put(filter.node(), id);
        OpenFilter forgotten = before == null ? null : table.at(before);
        if (before != null && forgotten != null) {
            // A restarted node assigns the same ids again. The former owner would see the changes of another filter.
            table.end(before, forgotten, FilterEnding.REPLACED);
        }
        return id;
    }

    /** Removes a filter at its node, because it was unused for too long. Skips nodes with problems. */
    private void removeAtNode(HeldFilter filter) {
        Upstream upstream = filter.node().upstream();
        if (upstream.status().health() != Health.HEALTHY) {
            return;
        }
        if (removals.incrementAndGet() > MAX_REMOVALS) {
            removals.decrementAndGet();
            return;
        }
        RpcCall call = ChainCalls.uninstallFilter(filter.node().nodeId());
        try {
            filter.loop()
                    .execute(() -> upstream.ask(
                            filter.loop(),
                            call,
                            System.nanoTime() + REMOVAL_NANOS,
                            Attempt.of(outcome -> removals.decrementAndGet())));
        } catch (RejectedExecutionException e) {
            // The proxy is shutting down.
            removals.decrementAndGet();
        }
    }

    /** Returns whether the node is gone that holds a filter. If so, the node's memory is most likely lost too. */
    private static boolean isGone(HeldFilter filter) {
        return switch (filter.node().upstream().status().health()) {
            case DOWN, WRONG_CHAIN -> true;
            case UNKNOWN, HEALTHY, LAGGING, SYNCING, OUT_OF_LINE, EJECTED -> false;
        };
    }

    /** Returns whether a node says that it does not have a filter: by an error, or by {@code null}, as hardhat does. */
    private static boolean saysLost(RpcReply reply) {
        if (reply instanceof RpcReply.Failure failure) {
            String message = failure.error().message();
            return failure.kind() == RpcReply.FailureKind.ANSWER
                    && NOT_FOUND
                            .matcher(message.substring(0, Math.min(MAX_READ, message.length())))
                            .find();
        }
        return reply instanceof RpcReply.Result result && result.value().equals(RawJson.NULL);
    }

    /** Stage that creates a filter at a node and gives its client an id of the proxy's own. Thread-safe. */
    private final class NewFilterStage implements Stage {

        /** Sends a call to some node, and to another only if the first cannot have created a filter. */
        private final Stage forward = forwarding.over(pool, false);

        @Override
        public void handle(CallContext context, ReplySink sink) {
            Holding holding = new Holding(context.caller(), context.clientAddress());
            RpcReply refusal = table.reserve(holding);
            if (refusal == null) {
                // A failure must return here too, to release the reserved position.
                new CallGuard(context, reply -> sink.accept(held(context, holding, reply))).pass(forward);
            } else {
                sink.accept(refusal);
            }
        }

        private RpcReply held(CallContext context, Holding holding, RpcReply reply) {
            Upstream upstream = answering(context.trace().upstreamId());
            if (upstream == null || !(reply instanceof RpcReply.Result result) || !isId(result.value())) {
                holding.close();
                return reply;
            }
            AtNode node = new AtNode(upstream, result.value().compact());
            String id = add(new HeldFilter(holding, node, context.loop(), HeldFilters.this));
            return new RpcReply.Result(RawJson.of('"' + id + '"'));
        }

        private @Nullable Upstream answering(@Nullable String id) {
            for (Upstream upstream : pool.upstreams()) {
                if (Objects.equals(upstream.id(), id)) {
                    return upstream;
                }
            }
            return null;
        }

        private static boolean isId(RawJson value) {
            return value.first() == '"' || (value.first() >= '0' && value.first() <= '9');
        }
    }

    /** Stage of calls about a filter. Thread-safe. */
    private abstract class HeldFilterStage implements Stage {

        @Override
        public void handle(CallContext context, ReplySink sink) {
            FirstParam param = FirstParam.of(context.call().params());
            String id = param == null ? null : param.string();
            if (param == null || id == null) {
                sink.accept(FirstParam.refusal(param, "the id of a filter"));
            } else {
                HeldFilter filter = table.find(id, context.caller()) instanceof HeldFilter held ? held : null;
                handle(id, filter, param, context, sink);
            }
        }

        /** @param filter null if no node holds a filter of the caller with this id */
        abstract void handle(
                String id, @Nullable HeldFilter filter, FirstParam param, CallContext context, ReplySink sink);

        /**
         * Sends a call to the node that holds the filter, with the node's id instead of the client's.
         *
         * @param repeatable whether the call may be sent again after the node may have executed it
         */
        void ask(HeldFilter filter, FirstParam id, boolean repeatable, CallContext context, ReplySink sink) {
            RpcCall call = context.call();
            AtNode node = filter.node();
            RpcCall translated = new RpcCall(call.id(), call.method(), id.replacedBy(node.nodeId()));
            forwarding.over(PoolView.only(pool, node.upstream()), repeatable).handle(context.with(translated), sink);
        }
    }

    /**
     * Stage that sends a call to the node that holds a filter. A node that gives no answer has not lost the filter. The next call may
     * find it, or find that the node is gone. Thread-safe.
     */
    private final class FilterCallStage extends HeldFilterStage {

        private final boolean forLogs;

        /** @param forLogs whether calls ask for all logs of a filter, and not for its changes, each of which a node returns once */
        FilterCallStage(boolean forLogs) {
            this.forLogs = forLogs;
        }

        @Override
        void handle(String id, @Nullable HeldFilter filter, FirstParam param, CallContext context, ReplySink sink) {
            if (filter == null) {
                sink.accept(FilterTable.NOT_FOUND);
            } else if (isGone(filter)) {
                sink.accept(lost(id, filter));
            } else {
                ask(
                        filter,
                        param,
                        forLogs,
                        context,
                        reply -> sink.accept(saysLost(reply) ? missed(id, filter) : reply));
            }
        }

        /** Nodes say of filters that are not for logs that they have none of their logs: such a filter is still there. */
        private RpcReply missed(String id, HeldFilter filter) {
            return forLogs ? FilterTable.NOT_FOUND : lost(id, filter);
        }

        private RpcReply lost(String id, HeldFilter filter) {
            table.end(id, filter, FilterEnding.LOST);
            return FilterTable.NOT_FOUND;
        }
    }

    /** Stage that removes a filter, here and at its node. Thread-safe. */
    private final class UninstallFilterStage extends HeldFilterStage {

        @Override
        void handle(String id, @Nullable HeldFilter filter, FirstParam param, CallContext context, ReplySink sink) {
            if (filter == null || !table.end(id, filter, FilterEnding.UNINSTALLED)) {
                sink.accept(FilterTable.NOT_REMOVED);
            } else if (isGone(filter)) {
                sink.accept(FilterTable.REMOVED);
            } else {
                // Whatever the node says, the filter is no longer reachable, and the node removes it when it is idle.
                ask(
                        filter,
                        param,
                        true,
                        context,
                        reply -> sink.accept(reply instanceof RpcReply.Result ? reply : FilterTable.REMOVED));
            }
        }
    }
}
