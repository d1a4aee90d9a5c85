package io.weir.l2.deploy.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.DevelopmentNode;
import io.weir.testing.NodeScript;
import java.math.BigInteger;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** starknet.js through the proxy at a real node. */
final class DevelopmentNodeIT {
    @TempDir
    private Path scratch;

    @Test
    void anAccountIsDeployedAndItsTokenTransferredAndReadBack() {
        try (DevelopmentNode node = DevelopmentNode.start(scratch);
                LayerTwoProxy proxy = LayerTwoProxy.in(scratch)
                        .network("devnet", node.url())
                        .setting("plugins.l2-deploy.aliases = [starknet]")
                        .setting("server.call-timeout = 20 s")
                        .setting("defaults.upstream.timeout = 20 s")
                        .start()) {
            NodeScript client = NodeScript.runIn(
                    "plugins/l2-deploy/src/test/npm", "devnet-account.mjs", proxy.url("devnet"), node.url());
            assertThat(client.text("chainId")).isEqualTo("0x534e5f5345504f4c4941");
            JsonNode deployed = client.saw("deployed");
            assertThat(number(deployed.path("contract_address"))).isEqualTo(number(deployed.path("expected")));
            assertThat(client.text("deployedStatus")).startsWith("ACCEPTED_ON_");
            assertThat(client.text("transferred")).isEqualTo("12345");
            assertThat(proxy.process().admin().metric("weir_plugin_l2_deploy_sent_total"))
                    .isEqualTo(1);
            assertThat(proxy.process().admin().metric("weir_plugin_l2_deploy_contradicted_total"))
                    .isZero();
        }
    }

    private static BigInteger number(JsonNode hex) {
        return new BigInteger(hex.asString().substring(2), 16);
    }
}
