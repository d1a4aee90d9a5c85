package io.weir.admin;

import io.weir.api.AdminPage.Response;
import io.weir.config.UpstreamConfig;
import io.weir.network.CurrentGeneration;
import io.weir.network.Generation;
import io.weir.network.Network;
import io.weir.network.OperatorChanges.NodeChange;
import io.weir.network.OperatorChanges.NodeSetting;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The content of {@code GET /changes}: what operators changed and what the configuration says. Thread-safe. */
record ChangeList(CurrentGeneration generation) {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** Returns all changes that are in force, with their authors. */
    Response response() {
        ArrayNode list = JSON.createArrayNode();
        Generation current = generation.get();
        for (NodeChange change : generation.changes().all()) {
            ObjectNode line = list.addObject();
            line.put("network", change.network());
            line.put("upstream", change.upstream());
            write(line, change, current);
            line.put("address", change.address());
        }
        byte[] body = (list + "\n").getBytes(StandardCharsets.UTF_8);
        return new Response(200, "application/json", Map.of(), body);
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
