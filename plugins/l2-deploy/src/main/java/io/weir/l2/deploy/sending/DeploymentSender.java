package io.weir.l2.deploy.sending;

import io.weir.api.ChainClient;
import io.weir.api.PluginMeters;
import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.l2.deploy.intake.Deployment;
import io.weir.l2.deploy.intake.DeploymentReader;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Sends deployments and judges the answers. Thread-safe. */
public final class DeploymentSender {
    private static final Logger LOG = LoggerFactory.getLogger(DeploymentSender.class);

    private static final int ALREADY_THERE = 59;

    /** After these a node may have the transaction all the same. */
    private static final Set<Integer> IN_DOUBT = Set.of(Expected.UNEXPECTED_ERROR, RpcException.INTERNAL_ERROR);

    /** The codes of nodes that cannot read a transaction. */
    private static final Set<Integer> UNREADABLE = Set.of(-32700, -32600, RpcException.INVALID_PARAMS);

    private final ChainClient chain;
    private final Destinations destinations;
    private final String method;
    private final RecentDeployments recent;
    private final DeployMeters meters;
    private final Flights flights;

    /**
     * Makes a sender.
     *
     * @param chain without a caller's rights: the caller was let in under the name of the method that he called
     * @param method its name at the nodes
     */
    public DeploymentSender(
            ChainClient chain,
            Destinations destinations,
            String method,
            RecentDeployments recent,
            PluginMeters pluginMeters) {
        this.chain = chain;
        this.destinations = destinations;
        this.method = method;
        this.recent = recent;
        this.meters = new DeployMeters(pluginMeters);
        this.flights = new Flights(meters::countJoined);
        pluginMeters.gauge("recent", "Deployments sent lately that are remembered", recent::size);
    }

    /**
     * Sends one, or waits with others for the same one.
     *
     * @param network the one that it came for
     * @throws RpcException where it cannot be sent
     */
    public CompletionStage<JsonNode> send(String network, Deployment deployment) {
        String destination = destinations.of(network, deployment);
        DeploymentKey fields = DeploymentKey.ofFields(destination, deployment.normal());
        return flights.join(fields, () -> sendOnce(destination, deployment, fields));
    }

    private CompletionStage<JsonNode> sendOnce(String network, Deployment deployment, DeploymentKey fields) {
        Felt address = deployment.address();
        Felt hash = deployment.hash(destinations.chainOf(network), address);
        Expected expected = new Expected(hash, address);
        DeploymentKey key = hash == null ? fields : DeploymentKey.ofHash(network, hash);
        Expected before = recent.get(key);
        if (before == null) {
            // From now on a node may have it, whatever becomes of the answer.
            recent.put(key, expected);
        }
        meters.countSent();
        ObjectNode params = JsonNodeFactory.instance.objectNode();
        params.set(DeploymentReader.PARAMETER, deployment.normal());
        Judging judging = new Judging(network, key, expected, before, deployment.bare());
        return chain.call(network, method, params).handle(judging::judge);
    }

    /** One that was sent. Immutable. */
    private final class Judging {
        private final String network;
        private final DeploymentKey key;
        private final Expected expected;
        private final @Nullable Expected before;
        private final boolean bare;

        Judging(String network, DeploymentKey key, Expected expected, @Nullable Expected before, boolean bare) {
            this.bare = bare;
            this.network = network;
            this.key = key;
            this.expected = expected;
            this.before = before;
        }

        JsonNode judge(@Nullable JsonNode answer, @Nullable Throwable failure) {
            if (answer != null) {
                return taken(answer);
            }
            Throwable cause =
                    failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
            if (cause instanceof RpcException refusal) {
                return refused(refusal);
            }
            throw new IllegalStateException("the call ended without an answer", cause);
        }

        private JsonNode taken(JsonNode answer) {
            recent.put(key, expected.learned(answer));
            if (expected.agrees(answer)) {
                return answer;
            }
            meters.countContradicted();
            LOG.warn(
                    "network {}: a node took a deployment and answered {} (expected: {})",
                    network,
                    Expected.told(answer),
                    expected.answer());
            throw expected.contradiction(answer);
        }

        private JsonNode refused(RpcException refusal) {
            if (refusal.code() == ALREADY_THERE && before != null && before.hash() != null) {
                meters.countRepeated();
                return before.answer();
            }
            if (before == null && !IN_DOUBT.contains(refusal.code())) {
                recent.forget(key);
            }
            if (bare && UNREADABLE.contains(refusal.code())) {
                throw Destinations.bareBoundsRefused(network, refusal);
            }
            throw refusal;
        }
    }
}
