package io.weir.admin;

import io.weir.api.AdminPage.Request;
import io.weir.api.AdminPage.Response;
import io.weir.config.UpstreamConfig;
import io.weir.network.CurrentGeneration;
import io.weir.network.Network;
import io.weir.upstream.Upstream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code POST /upstream?network=…&upstream=…}: keeps calls from a node or allows them again ({@code &drain=true}, {@code
 * &drain=false}), and sets its weight ({@code &weight=…}, {@code &weight=configured}). It is in force at once, and until the process
 * ends. Thread-safe.
 */
final class UpstreamOperation {

    private static final Logger LOG = LoggerFactory.getLogger(UpstreamOperation.class);
    private static final Set<String> NAMES = Set.of("network", "upstream", "drain", "weight");
    private static final Set<String> FLAGS = Set.of("true", "false");
    private static final String CONFIGURED = "configured";
    private static final Pattern WEIGHT = Pattern.compile("[1-9][0-9]{0,5}|1000000");
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final CurrentGeneration generation;

    UpstreamOperation(CurrentGeneration generation) {
        this.generation = generation;
    }

    /** Does what an authorised request asks for, wholly or not at all. */
    Response handle(Request request) {
        Map<String, String> query = request.query();
        String drain = query.get("drain");
        String weight = query.get("weight");
        String name = query.get("network");
        String id = query.get("upstream");
        boolean understood = (drain == null || FLAGS.contains(drain))
                && (weight == null
                        || weight.equals(CONFIGURED)
                        || WEIGHT.matcher(weight).matches())
                && (drain != null || weight != null);
        if (!understood || name == null || id == null || !NAMES.containsAll(query.keySet())) {
            return AdminRoutes.text(
                    400,
                    "query: not understood (expected: network=<name>&upstream=<name>, with drain=true, drain=false,"
                            + " weight=<1 to 1000000> or weight=configured)");
        }
        Network network = generation.get().network(name);
        if (network == null) {
            return AdminRoutes.text(404, "network: unknown (expected: one of the configured networks)");
        }
        Upstream node = node(network, id);
        UpstreamConfig configured = network.config().upstreams().get(id);
        if (node == null || configured == null) {
            return AdminRoutes.text(404, "upstream: unknown (expected: one of the network's upstreams)");
        }
        if (drain != null) {
            node.drain(drain.equals("true"));
        }
        if (weight != null) {
            node.weigh(weight.equals(CONFIGURED) ? configured.weight() : Integer.parseInt(weight));
        }
        return done(network, node);
    }

    private static @Nullable Upstream node(Network network, String id) {
        return network.pool().upstreams().stream()
                .filter(node -> node.id().equals(id))
                .findFirst()
                .orElse(null);
    }

    private static Response done(Network network, Upstream node) {
        boolean drained = node.status().drained();
        int weight = node.status().weight();
        boolean usable = network.pool().usable();
        LOG.info(
                "an operator set upstream {} of network {}: {}, weight {}{}",
                node.id(),
                network.id().name(),
                drained ? "drained" : "enabled",
                weight,
                usable ? "" : "; the network has no usable upstream");
        ObjectNode json = JSON.createObjectNode();
        json.put("upstream", node.id());
        json.put("drained", drained);
        json.put("weight", weight);
        json.put("networkUsable", usable);
        byte[] body = (json + "\n").getBytes(StandardCharsets.UTF_8);
        return new Response(200, "application/json", Map.of(), body);
    }
}
