package io.weir.network;

import static java.util.stream.Collectors.joining;

import com.codahale.metrics.MetricRegistry;
import io.netty.channel.EventLoop;
import io.weir.access.HashedKeyRing;
import io.weir.access.TestAccounts;
import io.weir.api.EthereumKind;
import io.weir.config.AccessConfig;
import io.weir.config.AccessConfig.RateConfig;
import io.weir.config.NetworkConfig;
import io.weir.config.WeirConfig;
import io.weir.config.load.TextConfig;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.limit.Budget;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.metrics.Meters;
import io.weir.pipeline.NoCacheStages;
import io.weir.pipeline.Stage;
import io.weir.pipeline.plan.CallMeters;
import io.weir.pipeline.plan.ForwardStage;
import io.weir.pipeline.plan.MethodPlans;
import io.weir.pipeline.plan.PlannedRequestRunner;
import io.weir.testing.NetworkSettings;
import io.weir.transport.ServerBounds;
import io.weir.upstream.Attempt;
import io.weir.upstream.FakeHead;
import io.weir.upstream.FixedPool;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamPool;
import io.weir.upstream.UpstreamStatus;
import java.util.Map;
import java.util.Set;

/** Networks whose one node answers every call with the network's name. */
final class TestNetworks {

    private TestNetworks() {}

    /** A network with the usual rules, and with plugins' stages by method. */
    static Network network(String name, String chainId, Set<String> hosts, Map<String, Stage> handlers) {
        NetworkConfig config = NetworkSettings.of(
                name,
                "chain-id = " + chainId,
                "verify = off",
                hosts.stream().map(host -> '"' + host + '"').collect(joining(", ", "hosts = [", "]")));
        NetworkId id = new NetworkId(name);
        UpstreamPool pool = new FixedPool(new FakeHead(0), new NamedNode(name));
        CallMeters meters = new CallMeters(new Meters(new MetricRegistry()), id);
        MethodPlans plans = new MethodPlans(
                MethodCatalogue.ethereum(),
                config,
                ForwardStage.ofClients(pool, meters, config.balance(), Budget.unbounded(), null, method -> false),
                handlers,
                Map.of(),
                new NoCacheStages());
        return new Network(
                id,
                config,
                new EthereumKind(),
                pool,
                plans,
                new PlannedRequestRunner(id, plans, 10_000, null),
                null,
                Budget.unbounded());
    }

    /** A generation of these networks, the first of which is the default one. */
    static Generation generation(Network... networks) {
        Map<String, Network> byName = new java.util.LinkedHashMap<>();
        for (Network network : networks) {
            byName.put(network.id().name(), network);
        }
        AccessConfig access = new AccessConfig(false, new RateConfig(0, 0, false), Map.of());
        WeirConfig config = TextConfig.with(Map.of(
                "server",
                new ServerBounds().build(),
                "defaultNetwork",
                networks[0].id().name(),
                "access",
                access));
        return new Generation(config, HashedKeyRing.of(access, TestAccounts.create()), byName);
    }

    private record NamedNode(String name) implements Upstream {

        @Override
        public String id() {
            return name;
        }

        @Override
        public void ask(EventLoop loop, RpcCall call, long deadlineNanos, Attempt attempt) {
            attempt.end(new NodeOutcome.Answered(new RpcReply.Result(RawJson.of('"' + name + '"'))));
        }

        @Override
        public UpstreamStatus status() {
            return new UpstreamStatus(name, 0, 1, false, UpstreamStatus.Health.HEALTHY, 1, 0, 0, "");
        }
    }
}
