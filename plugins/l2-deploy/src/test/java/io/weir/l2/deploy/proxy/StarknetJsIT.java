package io.weir.l2.deploy.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.NodeScript;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The layer-2 network's own client, starknet.js, deploys an account through the proxy, under the alias that it calls. */
final class StarknetJsIT {
    private static final String NPM = "plugins/l2-deploy/src/test/npm";

    @TempDir
    private static Path scratch;

    private static ScriptedNodes nodes;
    private static LayerTwoProxy proxy;

    @BeforeAll
    static void start() {
        nodes = new ScriptedNodes()
                .node("older", "0.9.0")
                .node("newer", "0.10.2")
                .node("other", "0.10.2");
        proxy = LayerTwoProxy.in(scratch)
                .network("spec-0-9-0", nodes.url("older"))
                .network("spec-0-10-2", nodes.url("newer"))
                .network("refusing", nodes.url("other"))
                .setting("plugins.l2-deploy.aliases = [starknet]")
                .start();
    }

    @AfterAll
    static void stop() {
        if (proxy != null) {
            proxy.close();
        }
        nodes.close();
    }

    private static JsonNode expected() {
        return NodeScript.runIn(NPM, "account.mjs", "describe").saw("expected");
    }

    private static NodeScript deploy(String network, String specVersion) {
        return NodeScript.runIn(NPM, "account.mjs", "deploy", proxy.url(network), specVersion);
    }

    private static double sent() {
        return proxy.process().admin().metric("weir_plugin_l2_deploy_sent_total");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.9.0", "0.10.2"})
    void anAccountIsDeployedAndBothComputeTheSameHashAndAddress(String specVersion) {
        JsonNode expected = expected();
        // The node says what the client computed: had the plugin computed something else, it would not let this pass.
        String node = specVersion.equals("0.9.0") ? "older" : "newer";
        nodes.answer(node, expected.toString());
        double before = sent();
        NodeScript client = deploy("spec-" + specVersion.replace('.', '-'), specVersion);
        assertThat(client.text("chainId")).isEqualTo("0x534e5f5345504f4c4941");
        assertThat(client.saw("expected")).isEqualTo(expected);
        JsonNode deployed = client.saw("deployed");
        assertThat(deployed.path("failed").asBoolean()).as(deployed.toString()).isFalse();
        assertThat(deployed.at("/result/transaction_hash")).isEqualTo(expected.path("transaction_hash"));
        assertThat(deployed.at("/result/contract_address").asString())
                .isEqualTo(expected.path("contract_address").asString());
        assertThat(sent()).as("it went through the plugin").isEqualTo(before + 1);
        assertThat(nodes.sent(node)).singleElement().satisfies(sent -> {
            assertThat(sent.path("version").stringValue()).isEqualTo("0x3");
            assertThat(sent.path("tip").stringValue()).isEqualTo("0x7");
            assertThat(sent.path("signature")).hasSize(2);
        });
    }

    @Test
    void theClientSeesTheNetworksErrorAndANodesLieAsWhatTheyAre() {
        nodes.refuse("other", 55, "Account validation failed", "\"Invalid signature\"");
        JsonNode refused = deploy("refusing", "0.10.2").saw("deployed");
        assertThat(refused.path("code").asInt()).as(refused.toString()).isEqualTo(55);
        assertThat(refused.path("data").asString()).isEqualTo("Invalid signature");
        nodes.answer("other", "{\"transaction_hash\":\"0xbad\",\"contract_address\":\"0xbad\"}");
        JsonNode lied = deploy("refusing", "0.10.2").saw("deployed");
        assertThat(lied.path("code").asInt()).as(lied.toString()).isEqualTo(63);
        assertThat(lied.at("/data/accepted").asBoolean()).isTrue();
        assertThat(lied.at("/data/computed")).isEqualTo(expected());
    }
}
