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
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sends deployments and judges the answers. Thread-safe.
 *
 * <p>The address and the hash of a deployment take most of the time. They are computed only once a node has the transaction, which
 * it takes only if the signature is right and the account can pay.
 */
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
     * @param executor runs the judgement of the answer, among the caller's other work
     * @throws RpcException where it cannot be sent
     */
    public CompletionStage<JsonNode> send(String network, Deployment deployment, Executor executor) {
        String destination = destinations.of(network, deployment);
        DeploymentKey signed = DeploymentKey.signed(destination, deployment.normal());
        return flights.join(signed, () -> sendOnce(destination, deployment, executor));
    }

    private CompletionStage<JsonNode> sendOnce(String network, Deployment deployment, Executor executor) {
        Felt chainId = destinations.chainOf(network);
        DeploymentKey key = DeploymentKey.unsigned(network, deployment.normal());
        Expected before = recent.get(key);
        if (before == null) {
            // From now on a node may have it, whatever becomes of the answer.
            recent.put(key, Expected.UNKNOWN);
        }
        meters.countSent();
        ObjectNode params = JsonNodeFactory.instance.objectNode();
        params.set(DeploymentReader.PARAMETER, deployment.normal());
        Judging judging = new Judging(network, chainId, key, deployment, before);
        return chain.call(network, method, params).handleAsync(judging::judge, executor);
    }

    /** One that was sent. Immutable. */
    private final class Judging {
        private final String network;
        private final Felt chainId;
        private final DeploymentKey key;
        private final Deployment deployment;
        private final @Nullable Expected before;

        Judging(String network, Felt chainId, DeploymentKey key, Deployment deployment, @Nullable Expected before) {
            this.network = network;
            this.chainId = chainId;
            this.key = key;
            this.deployment = deployment;
            this.before = before;
        }

        /** Computes the answer that follows from the transaction. */
        private Expected expected() {
            Felt known = before == null ? null : before.address();
            Felt address = known == null ? deployment.address() : known;
            return new Expected(deployment.hash(chainId, address), address);
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
            Expected expected = expected();
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
            if (refusal.code() == ALREADY_THERE && before != null) {
                Expected known = before.hash() == null && !deployment.bare() ? expected() : before;
                if (known.hash() != null) {
                    recent.put(key, known);
                    meters.countRepeated();
                    return known.answer();
                }
            }
            if (before == null && !IN_DOUBT.contains(refusal.code())) {
                recent.forget(key);
            }
            if (deployment.bare() && UNREADABLE.contains(refusal.code())) {
                throw Destinations.bareBoundsRefused(network, refusal);
            }
            throw refusal;
        }
    }
}
