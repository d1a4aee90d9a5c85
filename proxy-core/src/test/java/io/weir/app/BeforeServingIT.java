package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.AnvilNode;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import java.io.IOException;
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

/** A node's answer is proven before it is served, and is served unchanged. */
final class BeforeServingIT {

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final JsonMapper JSON = new JsonMapper();

    /** Code that logs a topic, and makes an empty contract. */
    private static final String LOGGING = "0x602a60006000a100";

    private static AnvilNode anvil;
    private static LocalProxy weir;

    private record Answer(JsonNode result, String verified) {}

    @BeforeAll
    static void start() {
        anvil = AnvilNode.start();
        JsonRpcClient node = new JsonRpcClient(anvil.url());
        node.result("evm_setAutomine", false);
        for (int i = 0; i < 4; i++) {
            Map<String, String> transaction = i % 2 == 0
                    ? Map.of("from", AnvilNode.RICH_ACCOUNT, "data", LOGGING, "gas", "0x100000")
                    : Map.of("from", AnvilNode.RICH_ACCOUNT, "to", AnvilNode.RICH_ACCOUNT, "gas", "0x5208");
            node.result("eth_sendTransaction", transaction);
        }
        node.result("evm_mine");
        weir = LocalProxy.start(ConfigurationText.of("anvil", AnvilNode.CHAIN_ID)
                .upstream("node", anvil.url())
                .setting("networks.anvil.verify = before-serving")
                .text());
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

    private static Answer ask(String method, Object... params) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(weir.url()))
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(JsonRpcClient.call(method, params)))
                .build();
        try {
            HttpResponse<String> response = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
            JsonNode body = JSON.readTree(response.body());
            assertThat(body.has("result")).as("%s: %s", method, body).isTrue();
            return new Answer(
                    body.get("result"),
                    response.headers().firstValue("weir-verified").orElse(""));
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void isProven(String verified, String method, Object... params) {
        assertThat(isTheNodes(method, params).verified())
                .as(method + List.of(params))
                .isEqualTo(verified.isEmpty() ? "form" : "form, " + verified);
    }

    private static Answer isTheNodes(String method, Object... params) {
        Answer here = ask(method, params);
        assertThat(here.result())
                .as(method + List.of(params))
                .isEqualTo(new JsonRpcClient(anvil.url()).result(method, params));
        return here;
    }

    @Test
    void lookupsAreAnsweredAsTheNodeDoesAndWhatNamesItsBlockIsCalledVerified() {
        JsonNode block = new JsonRpcClient(anvil.url()).result("eth_getBlockByNumber", "0x1", true);
        String hash = block.get("hash").stringValue();
        String transaction = block.get("transactions").get(0).get("hash").stringValue();
        isProven("header, transactions", "eth_getBlockByHash", hash, true);
        isProven("header, transactions", "eth_getBlockByHash", hash, false);
        isProven("header, transactions", "eth_getBlockTransactionCountByHash", hash);
        isProven("transaction", "eth_getTransactionByBlockHashAndIndex", hash, "0x1");
        isProven("receipts", "eth_getBlockReceipts", hash);
        isProven("receipts, logs", "eth_getLogs", Map.of("blockHash", hash));
        // One upstream alone says where these stand: what of them is called verified depends on what is known of the
        // chain.
        assertThat(isTheNodes("eth_getBlockByNumber", "latest", false).verified())
                .doesNotContain("place");
        isTheNodes("eth_getBlockReceipts", "0x1");
        isTheNodes("eth_getTransactionReceipt", transaction);
        isTheNodes("eth_getTransactionByHash", transaction);
        isProven("", "eth_getBalance", AnvilNode.RICH_ACCOUNT, "0x1");
    }
}
