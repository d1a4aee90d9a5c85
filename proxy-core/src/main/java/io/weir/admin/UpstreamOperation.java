package io.weir.admin;

import io.weir.api.AdminPage.Request;
import io.weir.api.AdminPage.Response;
import io.weir.config.UpstreamConfig;
import io.weir.network.CurrentGeneration;
import io.weir.network.Generation;
import io.weir.network.Network;
import io.weir.network.OperatorChanges.NodeChange;
import io.weir.network.OperatorChanges.NodeSetting;
import io.weir.upstream.Upstream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
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
 * &drain=false}), and sets its weight ({@code &weight=…}, {@code &weight=configured}). It is in force when the answer is sent, and until
 * the process ends, or, with {@code &keep=false}, until another configuration is published. Thread-safe.
 */
record UpstreamOperation(CurrentGeneration generation, Clock clock) {

    private static final Logger LOG = LoggerFactory.getLogger(UpstreamOperation.class);
    private static final Set<String> NAMES = Set.of("network", "upstream", "drain", "weight", "keep", "by");
    private static final Set<String> FLAGS = Set.of("true", "false");
    private static final String CONFIGURED = "configured";
    private static final Pattern WEIGHT = Pattern.compile(CONFIGURED + "|[1-9][0-9]{0,5}|1000000");
    private static final Pattern BY = Pattern.compile("[A-Za-z0-9 ._@-]{0,64}");
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** Does what an authorised request asks for, wholly or not at all. */
    Response handle(Request request) {
        Map<String, String> query = request.query();
        String drain = query.get("drain");
        String weight = query.get("weight");
        boolean understood = NAMES.containsAll(query.keySet())
                && query.containsKey("network")
                && query.containsKey("upstream")
                && (drain != null || weight != null)
                && (drain == null || FLAGS.contains(drain))
                && (weight == null || WEIGHT.matcher(weight).matches())
                && FLAGS.contains(query.getOrDefault("keep", "true"))
                && BY.matcher(query.getOrDefault("by", "")).matches();
        if (!understood) {
            return AdminRoutes.text(
                    400,
                    "query: not understood (expected: network=<name>&upstream=<name>, with drain=true, drain=false,"
                            + " weight=<1 to 1000000> or weight=configured; also keep=true or keep=false, and by=<name>)");
        }
        return generation.whileCurrent(current -> change(current, request));
    }

    private Response change(Generation current, Request request) {
        Map<String, String> query = request.query();
        Network network = current.network(query.getOrDefault("network", ""));
        if (network == null) {
            return AdminRoutes.text(404, "network: unknown (expected: one of the configured networks)");
        }
        Upstream node = node(network, query.get("upstream"));
        UpstreamConfig configured =
                node == null ? null : network.config().upstreams().get(node.id());
        if (node == null || configured == null) {
            return AdminRoutes.text(404, "upstream: unknown (expected: one of the network's upstreams)");
        }
        String drain = query.get("drain");
        if (drain != null) {
            boolean drained = drain.equals("true");
            node.drain(drained);
            note(drained, noted(network, node, NodeSetting.DRAINED, 0, request));
        }
        String weight = query.get("weight");
        if (weight != null) {
            int units = weight.equals(CONFIGURED) ? configured.weight() : Integer.parseInt(weight);
            node.weigh(units);
            note(units != configured.weight(), noted(network, node, NodeSetting.WEIGHT, units, request));
        }
        return done(network, node, request);
    }

    private void note(boolean differs, NodeChange change) {
        if (differs) {
            generation.changes().note(change);
        } else {
            generation.changes().forget(change.network(), change.upstream(), change.setting());
        }
    }

    private NodeChange noted(Network network, Upstream node, NodeSetting setting, int weight, Request request) {
        Map<String, String> query = request.query();
        return new NodeChange(
                network.id().name(),
                node.id(),
                setting,
                weight,
                query.getOrDefault("keep", "true").equals("true"),
                query.getOrDefault("by", ""),
                request.peer().getHostAddress(),
                clock.instant());
    }

    private static @Nullable Upstream node(Network network, @Nullable String id) {
        return network.pool().upstreams().stream()
                .filter(node -> node.id().equals(id))
                .findFirst()
                .orElse(null);
    }

    private static Response done(Network network, Upstream node, Request request) {
        boolean drained = node.status().drained();
        int weight = node.status().weight();
        boolean usable = network.pool().usable();
        LOG.info(
                "an operator{} at {} set upstream {} of network {}: {}, weight {}{}",
                request.query().containsKey("by") ? " (" + request.query().get("by") + ")" : "",
                request.peer().getHostAddress(),
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
