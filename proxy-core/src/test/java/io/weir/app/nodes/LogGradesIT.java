package io.weir.app.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.app.LocalProxy;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.chain.ChainServer;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What clients learn of lists of logs, and how they require that none is missing. */
final class LogGradesIT {

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final TestChain chain = new TestChain(3, new SignedTransactions(), Memory.REMEMBERS);

    /** An answer and what headers say of it. */
    private record Answer(JsonNode body, String grade, String cache) {

        String message() {
            return body.at("/error/message").asString();
        }
    }

    private LocalProxy start(List<ChainServer> nodes, String... settings) {
        chain.mine(200);
        chain.finalize(chain.head() - 64);
        ConfigurationText config = ConfigurationText.of("testnet", Long.toString(SignedTransactions.CHAIN_ID));
        for (ChainServer node : nodes) {
            config.upstream("n" + nodes.indexOf(node), node.url());
        }
        List.of(settings).forEach(config::setting);
        LocalProxy weir = LocalProxy.start(config.text());
        String head = "0x" + Long.toHexString(chain.head());
        JsonRpcClient client = new JsonRpcClient(weir.url());
        await().atMost(Duration.ofSeconds(60))
                .until(() -> client.result("eth_blockNumber").asString().equals(head));
        return weir;
    }

    private static Answer ask(LocalProxy weir, String key, boolean required, String method, Object param)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(weir.url().replace("demo", key)))
                .header("content-type", "application/json")
                .POST(BodyPublishers.ofString(JsonRpcClient.call(method, param)));
        if (required) {
            request.header("Weir-Require", "logs");
        }
        HttpResponse<String> response = HTTP.send(request.build(), BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        String grade = response.headers().firstValue("weir-logs").orElse("");
        assertThat(response.headers().firstValue("weir-verified").orElse("").contains("logs"))
                .as(response.headers().toString())
                .isEqualTo(grade.equals("complete"));
        return new Answer(
                JsonRpcClient.parsed(response.body()),
                grade,
                response.headers().firstValue("cache-status").orElse(""));
    }

    private static Answer logs(LocalProxy weir, boolean required, Map<String, ?> filter)
            throws IOException, InterruptedException {
        return ask(weir, "demo", required, "eth_getLogs", filter);
    }

    private Map<String, ?> of(long number) {
        return Map.of("blockHash", chain.state().at(number).hash());
    }

    private static Map<String, ?> range(long from, long to) {
        return Map.of("fromBlock", "0x" + Long.toHexString(from), "toBlock", "0x" + Long.toHexString(to));
    }

    @Test
    void eachListHasItsGradeAndIsCountedByIt() throws Exception {
        try (ChainServer one = new ChainServer(chain);
                ChainServer two = new ChainServer(chain);
                LocalProxy weir = start(List.of(one, two), "networks.testnet.gather.enabled = off")) {
            long head = chain.head();
            for (Map<String, ?> block : List.of(of(head), range(head, head))) {
                // Once nodes have shown the block, and agree on it.
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> logs(weir, false, block).grade().equals("bloom"));
            }
            double before = counted(weir, "unproven");
            assertThat(logs(weir, false, range(head - 1, head)).grade()).isEqualTo("unproven");
            assertThat(logs(weir, true, range(head - 1, head)).grade()).isEqualTo("complete");
            assertThat(logs(weir, true, of(head)).grade()).isEqualTo("complete");
            Map<String, Object> ofNobody = new HashMap<>(range(head - 1, head));
            ofNobody.put("address", "0x" + "1".repeat(40));
            assertThat(logs(weir, true, ofNobody).grade()).isEqualTo("complete");
            String filter = new JsonRpcClient(weir.url())
                    .result("eth_newFilter", range(0, 3))
                    .asString();
            assertThat(ask(weir, "demo", false, "eth_getFilterLogs", filter).grade())
                    .isEqualTo("unproven");
            assertThat(ask(weir, "demo", true, "eth_getFilterLogs", filter).grade())
                    .isEqualTo("complete");
            assertThat(ask(weir, "demo", false, "eth_uninstallFilter", filter).grade())
                    .isEmpty();
            assertThat(List.of(counted(weir, "complete"), counted(weir, "bloom"), counted(weir, "unproven") - before))
                    .containsExactly(4.0, 2.0, 2.0);
        }
    }

    private static double counted(LocalProxy weir, String grade) {
        return weir.admin().metric("weir_log_lists_total", "grade=\"" + grade + '"');
    }

    @Test
    void listsFromMemoryHaveTheirGradeToo() throws Exception {
        try (ChainServer one = new ChainServer(chain);
                LocalProxy weir = start(List.of(one))) {
            Map<String, ?> filter = of(50);
            JsonRpcClient client = new JsonRpcClient(weir.url());
            client.result("eth_getBlockByHash", filter.get("blockHash"), true);
            client.result("eth_getBlockReceipts", filter.get("blockHash"));
            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                Answer answer = logs(weir, false, filter);
                assertThat(answer.cache()).startsWith("weir; hit");
                assertThat(answer.grade()).isEqualTo("complete");
            });
            assertThat(logs(weir, true, filter).cache()).startsWith("weir; hit");
        }
    }

    @Test
    void anUnprovenListInMemoryAnswersAllButThoseWhoRequireAProof() throws Exception {
        String strict =
                "access.keys.strict { sha256 = \"3a3127f5ea0269b5c6cfe92e7eb12dccc190b1e1cedd7faeae3960079542c055\", verify-logs = refuse }";
        try (ChainServer one = new ChainServer(chain);
                LocalProxy weir = start(List.of(one), "networks.testnet.verify = off", strict)) {
            Map<String, ?> filter = range(5, 5);
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> logs(weir, false, filter).cache().equals("weir; hit"));
            for (Answer refused :
                    List.of(logs(weir, true, filter), ask(weir, "strict", false, "eth_getLogs", filter))) {
                assertThat(refused.body().at("/error/code").asInt()).isEqualTo(-32000);
                assertThat(refused.message()).contains("the network verifies nothing");
                assertThat(refused.grade()).isEmpty();
            }
            Answer hit = logs(weir, false, filter);
            assertThat(hit.cache()).isEqualTo("weir; hit");
            assertThat(hit.grade()).isEqualTo("unproven");
        }
    }
}
