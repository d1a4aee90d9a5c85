package io.weir.subscription;

import io.netty.channel.EventLoop;
import io.weir.config.NetworkConfig;
import io.weir.config.NetworkConfig.SubscriptionConfig;
import io.weir.limit.Budget;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.pipeline.Stage;
import io.weir.pipeline.watch.NetworkChain;
import io.weir.subscription.delivery.EventSource;
import io.weir.subscription.delivery.SubscriptionKind;
import io.weir.subscription.delivery.SubscriptionMeters;
import io.weir.subscription.filter.StreamFilters;
import io.weir.subscription.log.CriteriaLimits;
import io.weir.upstream.UpstreamPool;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Wiring of one network's subscriptions. Immutable and thread-safe.
 *
 * @param loop the event loop of the stream of events
 * @param calls makes the proxy's own calls on this network
 * @param inFlight bound of the answers in memory
 */
public record SubscriptionAssembly(
        NetworkConfig network,
        EventLoop loop,
        UpstreamPool pool,
        NetworkChain chain,
        Stage calls,
        Budget inFlight,
        Meters registry) {

    /** Creates the subscriptions of the network, without any. Called once. */
    public NetworkSubscriptions assemble() {
        SubscriptionConfig config = network.subscriptions();
        SubscriptionMeters meters = new SubscriptionMeters(registry, network.name());
        CriteriaLimits criteria = new CriteriaLimits(config, registry, network.name());
        EventReceivers receivers = new EventReceivers();
        Map<SubscriptionKind, EventSource> sources = sources(config, meters, receivers);
        StreamFilters filters =
                new StreamFilters(network.filters(), inFlight, pool.head().tracker()::number, sources, criteria);
        registry.gauge(Meter.FILTER_JOURNAL_BYTES, filters::bytes, network.name());
        NetworkSubscriptions subscriptions = new NetworkSubscriptions(
                config,
                meters,
                new SubscriptionLimits(config, meters, criteria),
                sources,
                new PassedSource(pool, config.maxPassed(), meters),
                filters,
                calls);
        receivers.add(filters::take);
        receivers.add(subscriptions::submit);
        return subscriptions;
    }

    private Map<SubscriptionKind, EventSource> sources(
            SubscriptionConfig config, SubscriptionMeters meters, EventReceivers receivers) {
        Map<SubscriptionKind, EventSource> sources = new EnumMap<>(SubscriptionKind.class);
        ShownBlocks shown = new ShownBlocks();
        NodeAnswers answers = new NodeAnswers(network, loop, calls, meters, shown);
        ChainFollower follower = new ChainFollower(loop, pool.head(), chain, shown);
        EventStream stream = new EventStream(config, loop, follower, answers, receivers);
        sources.put(SubscriptionKind.NEW_HEADS, stream);
        sources.put(SubscriptionKind.LOGS, stream);
        for (SubscriptionKind kind : List.of(SubscriptionKind.PENDING, SubscriptionKind.WHOLE_PENDING)) {
            sources.put(kind, new PendingSource(kind, pool, loop, config, meters, receivers));
        }
        follower.start();
        return sources;
    }
}
