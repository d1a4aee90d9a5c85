package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.AnvilNode;
import io.weir.testing.ConfigurationText;
import io.weir.testing.HardhatNode;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.WeirProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One block fetched whole and its receipts answer everything about it, as each kind of node would. */
final class DerivedAnswersIT {

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final JsonMapper JSON = new JsonMapper();

    /** Code that logs a topic, and makes an empty contract. */
    private static final String LOGGING = "0x602a60006000a100";

    private static AnvilNode anvil;
    private static HardhatNode hardhat;
    private static WeirProcess weir;

    /** An answer and what headers say of it. */
    private record Answer(JsonNode result, String cache, String verified) {}

    @BeforeAll
    static void start() {
        anvil = AnvilNode.start();
        hardhat = HardhatNode.start();
        grow(anvil.url());
        grow(hardhat.url());
        weir = WeirProcess.start(ConfigurationText.of("anvil", AnvilNode.CHAIN_ID)
                .upstream("node", anvil.url())
                .setting("networks.hardhat { kind = ethereum, chain-id = " + HardhatNode.CHAIN_ID + " }")
                .setting("networks.hardhat.upstreams.node { url = \"" + hardhat.url() + "\" }")
                .setting("networks.devnet { kind = ethereum, chain-id = 1337 }")
                .setting("networks.devnet.upstreams.node { url = \"devnet:default\" }")
                .setting("plugins { path = [\"plugins\"] }")
                .setting("access.keys.demo.cache-bypass = true")
                .text());
    }

    @AfterAll
    static void stop() {
        if (weir != null) {
            weir.close();
        }
        if (hardhat != null) {
            hardhat.close();
        }
        if (anvil != null) {
            anvil.close();
        }
    }

    /** A block with several transactions and logs, and enough on top of it that it is final. */
    private static void grow(String url) {
        JsonRpcClient node = new JsonRpcClient(url);
        node.result("evm_setAutomine", false);
        for (int i = 0; i < 4; i++) {
            Map<String, String> transaction = i % 2 == 0
                    ? Map.of("from", AnvilNode.RICH_ACCOUNT, "data", LOGGING, "gas", "0x100000")
                    : Map.of("from", AnvilNode.RICH_ACCOUNT, "to", AnvilNode.RICH_ACCOUNT, "gas", "0x5208");
            node.result("eth_sendTransaction", transaction);
        }
        node.result("evm_mine");
        for (int i = 0; i < 70; i++) {
            node.result("evm_mine");
        }
    }

    private static Answer ask(String network, boolean past, String method, Object... params) {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(weir.url().replace("/v3/", "/" + network + "/v3/")))
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(JsonRpcClient.call(method, params)));
        if (past) {
            request.header("cache-control", "no-cache");
        }
        try {
            HttpResponse<String> response = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
            JsonNode body = JSON.readTree(response.body());
            assertThat(body.has("result")).as("%s: %s", method, body).isTrue();
            return new Answer(
                    body.get("result"),
                    response.headers().firstValue("cache-status").orElse(""),
                    response.headers().firstValue("weir-verified").orElse(""));
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static JsonNode blockWithLogs(String network) {
        for (int number = 1; number < 60; number++) {
            JsonNode block = ask(network, true, "eth_getBlockByNumber", "0x" + Integer.toHexString(number), true)
                    .result();
            boolean logs = !block.get("logsBloom").asString().matches("0x0*");
            if (logs && block.get("transactions").size() > (network.equals("devnet") ? 0 : 3)) {
                return block;
            }
        }
        throw new AssertionError("no block with logs");
    }

    private static List<Object[]> blockForms(JsonNode block) {
        String hash = block.get("hash").asString();
        String number = block.get("number").asString();
        String behind = "0x" + Integer.toHexString(block.get("transactions").size());
        List<Object[]> forms = new ArrayList<>();
        forms.add(new Object[] {"eth_getBlockByHash", hash, true});
        forms.add(new Object[] {"eth_getBlockByHash", hash, false});
        forms.add(new Object[] {"eth_getBlockByNumber", number, true});
        forms.add(new Object[] {"eth_getBlockByNumber", number, false});
        forms.add(new Object[] {"eth_getBlockTransactionCountByHash", hash});
        forms.add(new Object[] {"eth_getBlockTransactionCountByNumber", number});
        forms.add(new Object[] {"eth_getUncleCountByBlockHash", hash});
        forms.add(new Object[] {"eth_getUncleCountByBlockNumber", number});
        forms.add(new Object[] {"eth_getTransactionByBlockHashAndIndex", hash, behind});
        forms.add(new Object[] {"eth_getTransactionByBlockNumberAndIndex", number, behind});
        forms.add(new Object[] {"eth_getUncleByBlockHashAndIndex", hash, "0x0"});
        forms.add(new Object[] {"eth_getUncleByBlockNumberAndIndex", number, "0x0"});
        for (int i = 0; i < block.get("transactions").size(); i++) {
            String index = "0x" + Integer.toHexString(i);
            String transaction = block.at("/transactions/" + i + "/hash").asString();
            forms.add(new Object[] {"eth_getTransactionByHash", transaction});
            forms.add(new Object[] {"eth_getTransactionByBlockHashAndIndex", hash, index});
            forms.add(new Object[] {"eth_getTransactionByBlockNumberAndIndex", number, index});
        }
        return forms;
    }

    private static List<Object[]> receiptForms(JsonNode block, JsonNode receipts) {
        String hash = block.get("hash").asString();
        String number = block.get("number").asString();
        List<Object[]> forms = new ArrayList<>();
        for (JsonNode receipt : receipts) {
            forms.add(new Object[] {
                "eth_getTransactionReceipt", receipt.get("transactionHash").asString()
            });
        }
        forms.add(new Object[] {"eth_getBlockReceipts", hash});
        forms.add(new Object[] {"eth_getBlockReceipts", number});
        JsonNode log = receipts.valueStream()
                .flatMap(receipt -> receipt.get("logs").valueStream())
                .findFirst()
                .orElseThrow();
        forms.add(new Object[] {"eth_getLogs", Map.of("blockHash", hash)});
        forms.add(new Object[] {"eth_getLogs", Map.of("fromBlock", number, "toBlock", number)});
        forms.add(new Object[] {"eth_getLogs", Map.of("blockHash", hash, "address", log.get("address"))});
        forms.add(new Object[] {
            "eth_getLogs",
            Map.of("blockHash", hash, "topics", List.of(log.get("topics").get(0)))
        });
        forms.add(new Object[] {"eth_getLogs", Map.of("blockHash", hash, "address", AnvilNode.RICH_ACCOUNT)});
        return forms;
    }

    @ParameterizedTest
    @ValueSource(strings = {"anvil", "hardhat", "devnet"})
    void oneBlockAndItsReceiptsAnswerEveryFormAsTheNodeWould(String network) {
        JsonNode block = blockWithLogs(network);
        String number = block.get("number").asString();
        // Hardhat has neither receipts of blocks nor uncles.
        boolean withReceipts = !network.equals("hardhat");
        List<Object[]> forms = blockForms(block);
        if (withReceipts) {
            forms.addAll(receiptForms(
                    block, ask(network, true, "eth_getBlockReceipts", number).result()));
        } else {
            forms.removeIf(form -> form[0].toString().contains("Uncle"));
        }
        assertThat(forms.stream().map(form -> form[0]).distinct()).hasSizeGreaterThanOrEqualTo(withReceipts ? 14 : 7);
        awaitHit(network, "eth_getBlockByNumber", number, true);
        if (withReceipts) {
            awaitHit(network, "eth_getBlockReceipts", number);
        }
        await().until(() -> weir.admin().metric("weir_upstream_in_flight", "network=\"" + network + "\"") == 0);
        double before = sent(network);
        assertThat(before).isPositive();
        List<Answer> answers = new ArrayList<>();
        for (Object[] form : forms) {
            answers.add(ask(network, false, (String) form[0], params(form)));
        }
        assertThat(sent(network)).as("calls sent to the node").isEqualTo(before);
        int derived = 0;
        for (int i = 0; i < answers.size(); i++) {
            Answer answer = answers.get(i);
            Object[] form = forms.get(i);
            assertThat(answer.cache()).as("%s", List.of(form)).startsWith("weir; hit");
            assertThat(answer.result())
                    .as("%s: %s", network, List.of(form))
                    .isEqualTo(
                            ask(network, true, (String) form[0], params(form)).result());
            derived += answer.cache().equals("weir; hit; detail=derived") ? 1 : 0;
        }
        assertThat(derived).isGreaterThanOrEqualTo(forms.size() - 4);
        assertThat(weir.admin()
                        .metric("weir_cache_lookups_total", "network=\"" + network + "\"", "outcome=\"derived\""))
                .isGreaterThanOrEqualTo(derived);
    }

    private static void awaitHit(String network, String method, Object... params) {
        await().until(() -> ask(network, false, method, params).cache(), "weir; hit"::equals);
    }

    /** Returns the number of calls to the node, without those by which the proxy follows it. */
    private static double sent(String network) {
        return weir.admin()
                .metrics()
                .lines()
                .filter(line -> line.startsWith("weir_upstream_sent_total{")
                        && line.contains("network=\"" + network + "\"")
                        && !line.contains("cause=\"probe\"")
                        && !line.contains("cause=\"follower\""))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    private static Object[] params(Object[] form) {
        Object[] params = new Object[form.length - 1];
        System.arraycopy(form, 1, params, 0, params.length);
        return params;
    }
}
