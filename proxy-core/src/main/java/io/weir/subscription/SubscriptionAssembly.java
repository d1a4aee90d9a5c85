package io.weir.subscription;

import io.netty.channel.EventLoop;
import io.weir.api.SubscriptionForm;
import io.weir.chain.BlockLink;
import io.weir.config.NetworkConfig;
import io.weir.config.NetworkConfig.SubscriptionConfig;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RpcReply;
import io.weir.limit.Budget;
import io.weir.method.MethodRole;
import io.weir.method.params.BlockIds;
import io.weir.metrics.Meters;
import io.weir.metrics.RateLimitedLogger;
import io.weir.pipeline.Stage;
import io.weir.pipeline.watch.NetworkChain;
import io.weir.subscription.StreamBlocks.StreamCalls;
import io.weir.subscription.delivery.Delivered;
import io.weir.subscription.delivery.EventSource;
import io.weir.subscription.delivery.StreamMember;
import io.weir.subscription.delivery.SubscriptionKind;
import io.weir.subscription.delivery.SubscriptionMeters;
import io.weir.subscription.filter.StreamFilters;
import io.weir.subscription.stream.ChainStream;
import io.weir.subscription.stream.CriteriaLimits;
import io.weir.subscription.stream.GapPatience;
import io.weir.subscription.stream.LogStream;
import io.weir.subscription.stream.StreamTimer;
import io.weir.upstream.UpstreamPool;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Wiring of one network's subscriptions. Immutable and thread-safe.
 *
 * @param loop the event loop of the stream of events
 * @param calls makes the proxy's own calls on this network
 * @param inFlight bound of the answers in memory
 * @param subscribed bound of the bytes of the subscriptions and filters of all networks
 */
public record SubscriptionAssembly(
        NetworkConfig network,
        EventLoop loop,
        UpstreamPool pool,
        NetworkChain chain,
        Stage calls,
        Budget inFlight,
        Budget subscribed,
        Meters registry) {

    /**
     * Creates the subscriptions of a network, and the filters of one whose nodes show logs as Ethereum's, without any, and returns their
     * stages by the role of the method. Called once.
     */
    public Map<MethodRole, Stage> of(SubscriptionForm form, BlockIds ids) {
        SubscriptionMeters meters = new SubscriptionMeters(registry, network.name());
        CriteriaLimits criteria = new CriteriaLimits(CriteriaLimits.MAX_PER_KEY, registry, network.name(), subscribed);
        EventReceivers receivers = new EventReceivers(network.name());
        StreamCalls own = new StreamCalls(new NetworkId(network.name()), loop, calls);
        StreamTimer timer = StreamTimer.of(loop);
        StreamBlocks blocks = new StreamBlocks(network, ids, form.heads().members(), own, chain.shown(), meters);
        ChainFollower follower = new ChainFollower(loop, pool.head(), chain);
        LogStream.Source logs = NodeLogs.of(ids, form, own::ask, meters);
        EventStream stream = new EventStream(
                loop, follower, blocks, new StreamEvents(form.reorganisation(), logs, timer, receivers));
        Map<SubscriptionKind, EventSource> sources = new EnumMap<>(SubscriptionKind.class);
        sources.put(SubscriptionKind.NEW_HEADS, stream);
        sources.put(SubscriptionKind.LOGS, stream);
        sources.put(SubscriptionKind.PASSED, new NodeSource.Passed(pool, NodeSource.Passed.MAX, meters, receivers));
        if (form.pending() != null) {
            for (SubscriptionKind kind : List.of(SubscriptionKind.PENDING, SubscriptionKind.WHOLE_PENDING)) {
                sources.put(kind, NodeSource.pending(kind, pool, loop, meters, receivers));
            }
        }
        SubscriptionForm.Status status = form.status();
        if (status != null) {
            StatusWatch watch = new StatusWatch(status, timer, stream, own::reply, meters, receivers);
            receivers.add(watch::take);
            sources.put(SubscriptionKind.TRANSACTION_STATUS, watch);
        }
        Map<MethodRole, Stage> stages = new EnumMap<>(MethodRole.class);
        if (form.logs() != null && form.pending() != null) {
            StreamFilters filters =
                    new StreamFilters(network, registry, inFlight, pool.head().tracker()::number, sources, criteria);
            receivers.add(filters::take);
            stages.putAll(filters.stages(calls));
        }
        SubscriptionConfig config = network.subscriptions();
        SubscriptionForm.Start start = form.heads().start();
        NetworkSubscriptions subscriptions = new NetworkSubscriptions(
                config,
                NetworkSubscriptions.MAX_PER_CONNECTION,
                meters,
                criteria,
                sources,
                new SubscriptionDialect(form, ids),
                start == null ? null : new BlockReplays(loop, blocks, follower, logs, start, meters));
        receivers.add(subscriptions::submit);
        stages.putAll(subscriptions.stages());
        follower.start();
        return stages;
    }

    /** Receivers of a network's events, each of which gets every event in order. Thread-safe. */
    private static final class EventReceivers implements Consumer<Delivered> {

        private static final RateLimitedLogger LOG =
                new RateLimitedLogger(LoggerFactory.getLogger(EventReceivers.class));

        private final String network;
        private final List<Consumer<Delivered>> receivers = new CopyOnWriteArrayList<>();

        /** @param network for the log, which names each end of all subscriptions */
        EventReceivers(String network) {
            this.network = network;
        }

        /** Adds a receiver of later events. */
        void add(Consumer<Delivered> receiver) {
            receivers.add(receiver);
        }

        @Override
        public void accept(Delivered event) {
            if (event instanceof Delivered.End end) {
                String kind = end.kind() == null ? "" : " to " + end.kind().text();
                LOG.warn("the subscriptions" + kind + " of network " + network + " end: " + end.reason());
            }
            receivers.forEach(receiver -> receiver.accept(event));
        }
    }

    /**
     * One stream of events for all subscriptions and filters of a network. It runs while there are any; else nothing is asked.
     * Confined to its event loop, except for methods marked as thread-safe.
     */
    private static final class EventStream implements EventSource {

        private static final long FIND_NANOS = TimeUnit.SECONDS.toNanos(2);
        private static final long FIND_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

        private static final RpcReply.Failure NO_HEAD = RpcReply.unavailable("no upstream named the head of the chain");

        private final EventLoop loop;
        private final ChainFollower follower;
        private final ChainStream.Headers headers;
        private final StreamEvents events;
        private final List<Joining> joining = new ArrayList<>();
        private @Nullable ChainStream blocks;
        private int members;

        /** Member that waits for the stream to begin. Immutable. */
        private record Joining(StreamMember member, long deadlineNanos, Consumer<RpcReply.@Nullable Failure> joined) {

            boolean isLate() {
                return System.nanoTime() - deadlineNanos >= 0;
            }
        }

        EventStream(EventLoop loop, ChainFollower follower, ChainStream.Headers headers, StreamEvents events) {
            this.loop = loop;
            this.follower = follower;
            this.headers = headers;
            this.events = events;
        }

        @Override
        public void join(StreamMember member, long deadlineNanos, Consumer<RpcReply.@Nullable Failure> joined) {
            loop.execute(() -> {
                Joining next = new Joining(member, deadlineNanos, joined);
                count(member, 1);
                ChainStream known = blocks;
                if (known != null) {
                    join(next, known.top());
                    return;
                }
                joining.add(next);
                if (joining.size() == 1) {
                    find();
                }
            });
        }

        @Override
        public void leave(StreamMember member) {
            if (!loop.isShuttingDown()) {
                loop.execute(() -> count(member, -1));
            }
        }

        private void count(StreamMember member, int change) {
            members += change;
            events.count(member, change);
            if (members == 0) {
                end();
            }
        }

        private void join(Joining next, BlockLink newest) {
            events.joined(next.member, newest);
            next.joined.accept(null);
        }

        private void find() {
            follower.find(System.nanoTime() + FIND_NANOS, this::found);
        }

        private void found(@Nullable BlockLink head) {
            if (head != null) {
                begin(head);
                return;
            }
            // Nodes are not known at once after a start.
            List<Joining> late = joining.stream().filter(Joining::isLate).toList();
            joining.removeAll(late);
            late.forEach(one -> {
                count(one.member, -1);
                one.joined.accept(NO_HEAD);
            });
            if (!joining.isEmpty()) {
                loop.schedule(this::find, FIND_AGAIN_NANOS, TimeUnit.NANOSECONDS);
            }
        }

        private void begin(BlockLink head) {
            List<Joining> waiting = List.copyOf(joining);
            joining.clear();
            ChainStream begun = new ChainStream(
                    head, follower, headers, StreamTimer.of(loop), events, ChainStream.MAX_GAP, GapPatience.MAX_NANOS);
            blocks = begun;
            events.began(head);
            waiting.forEach(one -> join(one, head));
            follower.follow(begun::advance, begun::giveUp);
            begun.readBelow();
        }

        private void end() {
            ChainStream ending = blocks;
            if (ending != null) {
                follower.stop();
                ending.close();
                events.ended();
                blocks = null;
            }
        }
    }
}
