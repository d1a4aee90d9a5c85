package io.weir.l2.deploy.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.DevelopmentNode;
import io.weir.testing.NodeScript;
import io.weir.testing.PythonScript;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Sessions of real clients before two nodes of one chain, one of which lags. */
final class SessionsIT {
    private static final int LAG = 2;
    private static final int STEPS = 30;

    @TempDir
    private Path scratch;

    @Test
    void starknetJsSeesOneChain() {
        checkSession((proxy, node) -> NodeScript.runIn("plugins/l2-deploy/src/test/npm", "session.mjs", proxy, node));
    }

    @Test
    void starknetPySeesOneChain() {
        checkSession((proxy, node) ->
                PythonScript.run("plugins/l2-deploy/src/test/python", "starknet_py", "session.py", proxy, node));
    }

    private void checkSession(BiFunction<String, String, NodeScript> client) {
        try (DevelopmentNode node = DevelopmentNode.startArchive(scratch);
                LaggingNode lagging = new LaggingNode(node.url(), LAG);
                LayerTwoProxy proxy = LayerTwoProxy.in(scratch)
                        .network("devnet", node.url(), lagging.url())
                        .setting("networks.devnet.upstreams.n1.tier = 0")
                        .setting("plugins.l2-deploy.aliases = [starknet]")
                        .start()) {
            JsonNode session = client.apply(proxy.url("devnet"), node.url()).saw("session");
            assertThat(session.path("failures")).as(session.toString()).isEmpty();
            assertThat(session.path("steps").asInt()).isGreaterThanOrEqualTo(STEPS);
            List<Integer> heads =
                    session.path("heads").valueStream().map(JsonNode::asInt).toList();
            assertThat(heads).isSorted();
            assertThat(heads.get(heads.size() - 1))
                    .isLessThanOrEqualTo(session.path("truth").asInt());
            assertThat(lagging.served()).as("calls to the lagging node").isPositive();
        }
    }
}
