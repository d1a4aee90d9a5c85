package io.weir.app.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.app.LocalProxy;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Nodes that answer the tags {@code finalized} and {@code safe} with an error. */
final class NodesWithoutTagsIT {

    private static final int HEAD = 0x400;

    private static MadeNode node(int code, String message) throws IOException {
        return new MadeNode(HEAD, (method, params) -> {
            if (!method.startsWith("eth_getBlockBy")) {
                return MadeNode.result("0x1");
            }
            String selector = params.get(0).asString();
            return switch (selector) {
                case "finalized", "safe" -> MadeNode.error(code, message);
                case "latest" -> MadeNode.block(HEAD);
                default -> MadeNode.block(selector.length() == 66 ? Long.decode(selector) - 1 : Long.decode(selector));
            };
        });
    }

    @Test
    void theErrorOfALoneNodeIsNotWaitedOut() throws IOException {
        AtomicInteger asked = new AtomicInteger();
        try (MadeNode node = new MadeNode(HEAD, (method, params) -> {
                    if (!method.startsWith("eth_getBlockBy")) {
                        return MadeNode.result("0x1");
                    }
                    String selector = params.get(0).asString();
                    if (selector.equals("finalized")) {
                        asked.incrementAndGet();
                        return MadeNode.error(-32603, "internal error");
                    }
                    return MadeNode.block(selector.equals("latest") ? HEAD : Long.decode(selector));
                });
                LocalProxy weir = LocalProxy.start(ConfigurationText.of("net", "1")
                        .networkSetting("verify = off")
                        .upstream("a", node.url())
                        .text())) {
            JsonRpcClient client = new JsonRpcClient(weir.url());
            await().until(() -> {
                client.result("eth_getBalance", "0x" + "0".repeat(40), "0x10");
                return weir.admin().metric("weir_cache_lookups_total", "outcome=\"hit\"") > 0;
            });
            assertThat(asked).hasValue(1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1, -32603, internal error",
        "1, -39001, Unknown block",
        "1, -32000, finalized block not found",
        "1, -32602, unknown tag",
        "1, -32000, wondrous words",
        "2, -32603, internal error",
        "2, -39001, Unknown block",
    })
    void theDepthOfABlockSaysThatItIsFinal(int count, int code, String message) throws IOException {
        try (MadeNode first = node(code, message);
                MadeNode second = node(code, message)) {
            ConfigurationText config = ConfigurationText.of("net", "1").networkSetting("verify = off");
            config.upstream("a", first.url());
            if (count > 1) {
                config.upstream("b", second.url());
            }
            try (LocalProxy weir = LocalProxy.start(config.text())) {
                JsonRpcClient client = new JsonRpcClient(weir.url());
                assertThat(client.result("eth_blockNumber").asString()).isEqualTo("0x400");
                for (String tag : List.of("finalized", "safe")) {
                    JsonNode block = client.result("eth_getBlockByNumber", tag, false);
                    assertThat(Long.decode(block.path("number").asString()))
                            .isLessThan(HEAD)
                            .isPositive();
                    assertThat(client.result("eth_getBalance", "0x" + "0".repeat(40), tag)
                                    .asString())
                            .isEqualTo("0x1");
                }
            }
        }
    }
}
