package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.AnvilNode;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Results in memory before a real node, which reorganises on demand. */
final class AnvilCacheIT {

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final String TOKEN = "the token of operations";
    private static final String TOKEN_SHA256 = "03c68b878fb61b0cde1e94cba6dc263f4d8231b413bec5b006a8287390cc5963";

    private static AnvilNode anvil;
    private static LocalProxy weir;
    private static JsonRpcClient direct;
    private static JsonRpcClient client;

    @BeforeAll
    static void start() {
        anvil = AnvilNode.start();
        weir = LocalProxy.start(ConfigurationText.of("anvil", AnvilNode.CHAIN_ID)
                        .upstream("node", anvil.url())
                        .networkSetting("methods.allow = [\"eth_sendTransaction\", \"anvil_*\", \"evm_*\"]")
                        .networkSetting("finality.depth = 64")
                        .text()
                + "\nadmin.token-sha256 = \"" + TOKEN_SHA256 + "\"\n");
        direct = new JsonRpcClient(anvil.url());
        client = new JsonRpcClient(weir.url());
        client.result("anvil_mine", "0x64");
    }

    @AfterAll
    static void stop() {
        if (weir != null) {
            weir.close();
        }
        if (anvil != null) {
            anvil.close();
        }
    }

    private static HttpResponse<String> post(String method, Object... params) {
        return send(HttpRequest.newBuilder(URI.create(weir.url()))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(JsonRpcClient.call(method, params))));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (java.io.IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String status(HttpResponse<String> response) {
        return response.headers().firstValue("cache-status").orElse("");
    }

    private static HttpResponse<String> hit(String method, Object... params) {
        return await().until(
                        () -> post(method, params), answer -> status(answer).equals("weir; hit"));
    }

    @Test
    void aBlockIsProvenAndAnsweredFromMemoryAsTheNodeWouldAnswerIt() {
        HttpResponse<String> answer = hit("eth_getBlockByNumber", "0x1", true);
        assertThat(answer.body())
                .contains(direct.result("eth_getBlockByNumber", "0x1", true)
                        .get("hash")
                        .asString());
        HttpResponse<String> byHash = hit(
                "eth_getBlockByHash",
                direct.result("eth_getBlockByNumber", "0x2", true).get("hash").asString(),
                true);
        assertThat(byHash.headers().firstValue("weir-verified")).contains("form, header, transactions");
        JsonNode result = new JsonMapper().readTree(byHash.body()).get("result");
        assertThat(result).isEqualTo(direct.result("eth_getBlockByNumber", "0x2", true));
    }

    @Test
    void afterAReorganisationNothingOfTheDroppedBlocksIsAnswered() {
        // From here on the chain is followed.
        client.result("eth_getBlockByNumber", "latest", true);
        client.result("evm_mine");
        hit("eth_getBlockByNumber", "latest", true);
        String hash = client.mined(Map.of("from", AnvilNode.RICH_ACCOUNT, "to", AnvilNode.RICH_ACCOUNT))
                .path("transactionHash")
                .asString();
        client.result("anvil_mine", "0x2");
        // Out of its block, which the second lookup fetches: alone, its place is proven by nothing.
        await().until(() -> status(post("eth_getTransactionByHash", hash)).startsWith("weir; hit"));
        JsonNode block = client.result("eth_getBlockByNumber", "latest", true);
        hit("eth_getBlockByNumber", block.get("number").asString(), true);
        hit("eth_getBlockByHash", block.get("hash").asString(), true);
        client.result("anvil_reorg", 4, List.of());
        assertThat(client.result("eth_getTransactionReceipt", hash).isNull()).isTrue();
        assertThat(client.result("eth_getTransactionByHash", hash))
                .isEqualTo(direct.result("eth_getTransactionByHash", hash));
        assertThat(client.result("eth_getBlockByNumber", block.get("number").asString(), true))
                .isEqualTo(direct.result(
                        "eth_getBlockByNumber", block.get("number").asString(), true));
        assertThat(client.result("eth_getBlockByHash", block.get("hash").asString(), true))
                .isEqualTo(direct.result("eth_getBlockByHash", block.get("hash").asString(), true));
        assertThat(weir.admin().metric("weir_reorgs_total")).isPositive();
    }

    @Test
    void anOperatorTakesResultsAwayWithTheToken() {
        hit("eth_getBlockByNumber", "0x3", true);
        String address = "http://127.0.0.1:" + weir.adminPort() + "/cache/purge?network=anvil&block=3";
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(address)).POST(HttpRequest.BodyPublishers.noBody());
        assertThat(send(request.copy()).statusCode()).isEqualTo(401);
        assertThat(send(request.copy().header("Authorization", "Bearer wrong")).statusCode())
                .isEqualTo(401);
        HttpRequest.Builder allowed = request.copy().header("Authorization", "Bearer " + TOKEN);
        assertThat(send(allowed.copy().header("Origin", "http://elsewhere.example"))
                        .statusCode())
                .isEqualTo(403);
        HttpResponse<String> done = send(allowed);
        assertThat(done.statusCode()).isEqualTo(200);
        // The block, and where it stands.
        assertThat(done.body()).isEqualTo("{\"removed\":2}\n");
        assertThat(status(post("eth_getBlockByNumber", "0x3", true))).isEqualTo("weir; fwd=uri-miss");
        assertThat(send(HttpRequest.newBuilder(URI.create(address))).statusCode())
                .isEqualTo(405);
    }

    @Test
    void theStatusPageShowsTheCache() {
        hit("eth_getBlockByNumber", "0x4", true);
        JsonNode page = new JsonMapper()
                .readTree(send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + weir.adminPort() + "/status")))
                        .body());
        assertThat(page.at("/cache/entries").asLong()).isPositive();
        assertThat(page.at("/cache/bytes").asLong()).isPositive();
        assertThat(page.at("/networks/anvil/cache/hits/block").asLong()).isPositive();
    }
}
