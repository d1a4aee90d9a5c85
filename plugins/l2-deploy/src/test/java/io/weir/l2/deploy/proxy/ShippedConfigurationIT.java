package io.weir.l2.deploy.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.Checkout;
import io.weir.testing.ChildProcess;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.WeirProcess;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What the proxy's own configurations do where this plugin lies beside the others. */
final class ShippedConfigurationIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Path ROOT = Checkout.find().root();

    @TempDir
    private Path scratch;

    @Test
    void withoutALayerTwoNetworkThereIsNothingToServe() {
        String text = """
                include file("%s/conf/weir.conf")
                server.port = 0
                admin.port = 0
                plugins { path = ["%s/plugins"], data = "%s/data" }
                """.formatted(ROOT, ROOT, scratch);
        try (WeirProcess weir = WeirProcess.start(text)) {
            JsonRpcClient client = new JsonRpcClient(weir.url());
            assertThat(client.result("eth_chainId").stringValue()).isEqualTo("0x539");
            JsonNode answer = client.answer("l2net_addDeployAccountTransaction", "{}");
            assertThat(answer.at("/error/code").asInt()).isEqualTo(-32601);
            assertThat(weir.admin().metrics()).contains("weir_plugin_l2_deploy_sent_total 0.0");
        }
    }

    @Test
    void theExampleOfALayerTwoNetworkHasNoProblem() {
        Path example = Path.of("conf/examples/layer-two.conf");
        try (ChildProcess check = WeirProcess.launch("check", "--config", example.toString())) {
            assertThat(check.awaitExit(PATIENCE)).as(check.told()).isZero();
            assertThat(check.out()).last().asString().startsWith(example + ": no problem found");
        }
    }
}
