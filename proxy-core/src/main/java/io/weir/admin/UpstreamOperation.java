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
import java.time.Clock;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code POST /upstream?network=…&upstream=…}: keeps calls from a node or allows them again ({@code &drain=true}, {@code
 * &drain=false}), and sets its weight ({@code &weight=…}, {@code &weight=configured}). It is in force when the answer is sent, and until
 * the process ends, or, with {@code &keep=false}, until another configuration is published. {@code GET /changes} lists what is in force so.
 * Thread-safe.
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
            return AdminResponses.text(
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
            return AdminResponses.unknownNetwork();
        }
        Upstream node = network.node(query.get("upstream"));
        UpstreamConfig configured =
                node == null ? null : network.config().upstreams().get(node.id());
        if (node == null || configured == null) {
            return AdminResponses.text(404, "upstream: unknown (expected: one of the network's upstreams)");
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
        return AdminResponses.json(200, json.toString());
    }

    /** Returns all changes that are in force, with their authors. */
    Response changes() {
        ArrayNode list = JSON.createArrayNode();
        Generation current = generation.get();
        for (NodeChange change : generation.changes().all()) {
            ObjectNode line = list.addObject();
            line.put("network", change.network());
            line.put("upstream", change.upstream());
            write(line, change, current);
            line.put("address", change.address());
        }
        return AdminResponses.json(200, list.toString());
    }

    /** Writes a change as it differs from the configuration, without addresses. */
    static void write(ObjectNode line, NodeChange change, Generation current) {
        Network network = current.network(change.network());
        UpstreamConfig configured =
                network == null ? null : network.config().upstreams().get(change.upstream());
        line.put("setting", change.setting().label());
        if (change.setting() == NodeSetting.DRAINED) {
            line.put("value", true);
            line.put("configured", false);
        } else {
            line.put("value", change.weight());
            line.put("configured", configured == null ? 0 : configured.weight());
        }
        line.put("keep", change.keep());
        if (!change.by().isEmpty()) {
            line.put("by", change.by());
        }
        line.put("since", change.since().toString());
    }
}
