package io.weir.l2.deploy.sending;

import io.weir.api.ChainClient;
import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.l2.deploy.intake.Deployment;
import io.weir.l2.deploy.intake.DeploymentReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** On which network a deployment is sent, and which chain that is. Immutable and thread-safe. */
public final class Destinations {
    private static final String BOUNDS = DeploymentReader.PARAMETER + ".resource_bounds";
    private final ChainClient chain;
    private final Map<String, String> bareBounds;

    /**
     * Makes them.
     *
     * @param bareBounds by network, the one whose nodes take resource bounds that are single hex strings
     */
    public Destinations(ChainClient chain, Map<String, String> bareBounds) {
        this.chain = chain;
        this.bareBounds = Map.copyOf(bareBounds);
    }

    /** Returns the problems of the destinations, given the networks, one line each. */
    public List<String> problems() {
        List<String> problems = new ArrayList<>();
        bareBounds.forEach((from, to) -> {
            String id = chain.chainOfNetwork(from);
            if (id == null) {
                problems.add("bare-bounds." + from + ": " + to + " (expected: for a network that there is)");
            } else if (!id.equals(chain.chainOfNetwork(to))) {
                problems.add("bare-bounds." + from + ": " + to + " (expected: a network of the same chain)");
            }
        });
        return problems;
    }

    /** The chain of a network. */
    Felt chainOf(String network) {
        String id = chain.chainOfNetwork(network);
        if (id == null) {
            throw new RpcException(RpcException.INTERNAL_ERROR, "the network is not served any more");
        }
        return Felt.parseHex(id);
    }

    /** The network whose nodes a deployment is sent to. */
    String of(String network, Deployment deployment) {
        return deployment.bare() ? bareBounds.getOrDefault(network, network) : network;
    }

    /** The error where the nodes do not take bounds that are single hex strings: it names the form and the setting that help. */
    static RpcException bareBoundsRefused(String network, RpcException refusal) {
        String rule = "objects with max_amount and max_price_per_unit; or plugins.l2-deploy.bare-bounds." + network
                + " set to a network of the same chain whose nodes take single hex strings";
        ArrayNode data = JsonNodeFactory.instance.arrayNode();
        data.addObject()
                .put("path", BOUNDS)
                .put("expected", rule)
                .put("got", "single hex strings, which the node refused: " + refusal.getMessage());
        return new RpcException(
                RpcException.INVALID_PARAMS, BOUNDS + ": single hex strings (expected: " + rule + ")", data);
    }
}
