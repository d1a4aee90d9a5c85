package io.weir.subscription;

import io.netty.channel.EventLoop;
import io.weir.api.BlockForm;
import io.weir.api.SubscriptionForm;
import io.weir.config.NetworkConfig;
import io.weir.config.NetworkConfig.SubscriptionConfig;
import io.weir.jsonrpc.NetworkId;
import io.weir.limit.Budget;
import io.weir.method.MethodRole;
import io.weir.method.params.BlockIds;
import io.weir.metrics.Meters;
import io.weir.metrics.RateLimitedLogger;
import io.weir.pipeline.Stage;
import io.weir.pipeline.watch.NetworkChain;
import io.weir.subscription.delivery.Delivered;
import io.weir.subscription.delivery.EventSource;
import io.weir.subscription.delivery.SubscriptionKind;
import io.weir.subscription.delivery.SubscriptionMeters;
import io.weir.subscription.filter.StreamFilters;
import io.weir.subscription.stream.CriteriaLimits;
import io.weir.subscription.stream.StreamSource;
import io.weir.subscription.stream.StreamTimer;
import io.weir.upstream.UpstreamPool;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
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
     * Creates the subscriptions and filters of an Ethereum network, without any, and returns their stages by the role of the method.
     * Called once.
     */
    public Map<MethodRole, Stage> ethereum() {
        SubscriptionMeters meters = new SubscriptionMeters(registry, network.name());
        CriteriaLimits criteria = new CriteriaLimits(registry, network.name(), subscribed);
        EventReceivers receivers = new EventReceivers(network.name());
        Map<SubscriptionKind, EventSource> sources = ethereumSources(meters, receivers);
        StreamFilters filters =
                new StreamFilters(network, registry, inFlight, pool.head().tracker()::number, sources, criteria);
        NetworkSubscriptions subscriptions = subscriptions(meters, criteria, sources, new EthereumDialect(), null);
        receivers.add(filters::take);
        receivers.add(subscriptions::submit);
        Map<MethodRole, Stage> stages = new EnumMap<>(subscriptions.stages());
        stages.putAll(filters.stages(calls));
        return stages;
    }

    /**
     * Creates the subscriptions of a network of a plugin's kind, without any, and returns their stages by the role of the method.
     * Called once.
     */
    public Map<MethodRole, Stage> ofKind(SubscriptionForm form, BlockForm blockForm) {
        SubscriptionMeters meters = new SubscriptionMeters(registry, network.name());
        BlockIds ids = new BlockIds(blockForm);
        EventReceivers receivers = new EventReceivers(network.name());
        StreamBlocks blocks = StreamBlocks.ofKind(ids, form, streamCalls(), chain.shown(), meters);
        ChainFollower follower = new ChainFollower(loop, pool.head(), chain);
        SubscriptionForm.Events events = form.events();
        // Without the form of events nobody can subscribe to them.
        StreamSource.Logs logs = events == null
                ? (block, addresses, sink) -> sink.accept(null)
                : new NodeLogs(ids, events, streamCalls()::ask, meters);
        EventStream stream = new EventStream(
                loop, follower, blocks, new StreamEvents(form.reorganisation(), logs, StreamTimer.of(loop), receivers));
        Map<SubscriptionKind, EventSource> sources = new EnumMap<>(SubscriptionKind.class);
        sources.put(SubscriptionKind.NEW_HEADS, stream);
        sources.put(SubscriptionKind.LOGS, stream);
        sources.put(SubscriptionKind.PASSED, NodeSource.passed(pool, meters, receivers));
        SubscriptionForm.Status status = form.status();
        if (status != null) {
            StatusWatch watch =
                    new StatusWatch(status, StreamTimer.of(loop), stream, streamCalls()::reply, meters, receivers);
            receivers.add(watch::take);
            sources.put(SubscriptionKind.TRANSACTION_STATUS, watch);
        }
        NetworkSubscriptions subscriptions = subscriptions(
                meters,
                new CriteriaLimits(registry, network.name(), subscribed),
                sources,
                new KindDialect(form, ids),
                new BlockReplays(loop, blocks, follower, logs, form.heads().start(), meters));
        receivers.add(subscriptions::submit);
        follower.start();
        return subscriptions.stages();
    }

    private NetworkSubscriptions subscriptions(
            SubscriptionMeters meters,
            CriteriaLimits criteria,
            Map<SubscriptionKind, EventSource> sources,
            SubscriptionDialect dialect,
            @Nullable BlockReplays replays) {
        SubscriptionConfig config = network.subscriptions();
        return new NetworkSubscriptions(
                config, meters, new SubscriptionLimits(config, meters, criteria), sources, dialect, replays);
    }

    private StreamCalls streamCalls() {
        return new StreamCalls(new NetworkId(network.name()), loop, calls);
    }

    private Map<SubscriptionKind, EventSource> ethereumSources(SubscriptionMeters meters, EventReceivers receivers) {
        Map<SubscriptionKind, EventSource> sources = new EnumMap<>(SubscriptionKind.class);
        StreamBlocks blocks = StreamBlocks.ethereum(network, streamCalls(), chain.shown(), meters);
        ChainFollower follower = new ChainFollower(loop, pool.head(), chain);
        StreamSource.Logs logs = NodeLogs.ethereum(streamCalls()::ask, meters);
        EventStream stream =
                new EventStream(loop, follower, blocks, new StreamEvents(null, logs, StreamTimer.of(loop), receivers));
        sources.put(SubscriptionKind.NEW_HEADS, stream);
        sources.put(SubscriptionKind.LOGS, stream);
        for (SubscriptionKind kind : List.of(SubscriptionKind.PENDING, SubscriptionKind.WHOLE_PENDING)) {
            sources.put(kind, NodeSource.pending(kind, pool, loop, meters, receivers));
        }
        sources.put(SubscriptionKind.PASSED, NodeSource.passed(pool, meters, receivers));
        follower.start();
        return sources;
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
}
