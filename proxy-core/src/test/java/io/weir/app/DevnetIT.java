package io.weir.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.Checkout;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.JsonRpcSocket;
import io.weir.testing.PageCommands;
import io.weir.testing.WeirProcess;
import io.weir.testing.traffic.HttpConnection;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The service of a fresh checkout: the shipped configuration and the built-in chain, over HTTP and WebSocket. */
final class DevnetIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String NOTHING = "0x" + "12".repeat(32);
    private static final String TOKEN = "0x7765697200000000000000000000000000000001";
    private static final String RICH = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
    private static final String OTHER = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
    private static final String STRANGER = "0x00000000000000000000000000000000000abcde";

    /** The storage position of {@code balanceOf[RICH]}, a mapping in slot 1: keccak256(address padded, 1 padded). */
    private static final String BALANCE_POSITION = "0xa3c1274aadd82e4d12c8004c33fb244ca686dad4fcc8957fc5668588c11d9502";

    /** Sends 1000 wei to the stranger: type 2, at the ninth account's first nonce behind the fixed history, signed with its key. */
    private static final String RAW_TRANSACTION =
            "0x02f86f82053910843b9aca0085e8d4a510008252089400000000000000000000000000000000000abcde8203e880c0"
                    + "01a063a7774646f9ba6a6222d21c9b7d4d11254879c8b8da2a37982a56b75d63b4dd"
                    + "a0730808c40d7ef9de13cc56077ad064ba7e4c865436ac6496d081b02bd9b64b33";

    private static final String RAW_SENDER = "0x23618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f";
    private static final int RAW_NONCE = 16;

    private static WeirProcess weir;
    private static JsonRpcClient http;
    private static FixedHistory history;

    @BeforeAll
    static void start() {
        weir = WeirProcess.start("include file(\"" + Checkout.find().root().resolve("conf/weir.conf") + "\")\n"
                + "server.port = 0\nadmin.port = 0\n");
        http = new JsonRpcClient(weir.url());
        history = FixedHistory.read(http);
    }

    @AfterAll
    static void stop() {
        if (weir != null) {
            weir.close();
        }
    }

    private static String hex(long number) {
        return "0x" + Long.toHexString(number);
    }

    private static BigInteger number(JsonNode quantity) {
        return new BigInteger(quantity.stringValue().substring(2), 16);
    }

    @Test
    void theHistoryIsTheOneThatItsReadmeNames() {
        assertThat(history.blocks().get(FixedHistory.LAST).get("hash").stringValue())
                .isEqualTo(FixedHistory.LAST_HASH);
        for (int i = 1; i < history.blocks().size(); i++) {
            assertThat(history.blocks().get(i).get("parentHash"))
                    .isEqualTo(history.blocks().get(i - 1).get("hash"));
        }
    }

    @Test
    void everyBlockIsFoundByItsHashWithEveryField() {
        for (JsonNode expected : history.blocks()) {
            String hash = expected.get("hash").stringValue();
            JsonNode whole = http.result("eth_getBlockByHash", hash, true);
            assertThat(whole).isEqualTo(expected);
            ServiceShapes.assertBlock(whole);
            JsonNode brief = http.result("eth_getBlockByHash", hash, false);
            ServiceShapes.assertBlock(brief);
            assertThat(brief.get("transactions").valueStream().map(JsonNode::stringValue))
                    .containsExactlyElementsOf(whole.get("transactions")
                            .valueStream()
                            .map(transaction -> transaction.get("hash").stringValue())
                            .toList());
        }
    }

    @Test
    void everyUncleIsAnsweredWithEveryField() {
        int uncles = 0;
        for (JsonNode block : history.blocks()) {
            for (int i = 0; i < block.get("uncles").size(); i++) {
                JsonNode uncle = http.result(
                        "eth_getUncleByBlockNumberAndIndex", block.get("number").stringValue(), hex(i));
                ServiceShapes.assertUncle(uncle);
                assertThat(uncle.get("hash")).isEqualTo(block.get("uncles").get(i));
                uncles++;
            }
        }
        assertThat(uncles).isGreaterThanOrEqualTo(2);
    }

    @Test
    void transactionsOfEveryTypeAreFoundInThreeWaysWithEveryField() {
        Map<String, JsonNode> oneOfEachType = new TreeMap<>();
        int creations = 0;
        for (JsonNode transaction : history.transactions()) {
            ServiceShapes.assertTransaction(transaction);
            oneOfEachType.put(transaction.get("type").stringValue(), transaction);
            creations += transaction.get("to").isNull() ? 1 : 0;
        }
        assertThat(oneOfEachType.keySet()).containsExactly("0x0", "0x1", "0x2", "0x3");
        assertThat(creations).isPositive();
        for (JsonNode transaction : oneOfEachType.values()) {
            String index = transaction.get("transactionIndex").stringValue();
            assertThat(http.result(
                            "eth_getTransactionByHash", transaction.get("hash").stringValue()))
                    .isEqualTo(transaction);
            assertThat(http.result(
                            "eth_getTransactionByBlockHashAndIndex",
                            transaction.get("blockHash").stringValue(),
                            index))
                    .isEqualTo(transaction);
            assertThat(http.result(
                            "eth_getTransactionByBlockNumberAndIndex",
                            transaction.get("blockNumber").stringValue(),
                            index))
                    .isEqualTo(transaction);
        }
    }

    @Test
    void everyReceiptHasEveryFieldWithARootOrAStatus() {
        Set<String> endings = new TreeSet<>();
        int creations = 0;
        int logs = 0;
        for (int i = 0; i < history.receipts().size(); i++) {
            assertThat(history.receipts().get(i).size())
                    .isEqualTo(history.blocks().get(i).get("transactions").size());
            for (JsonNode receipt : history.receipts().get(i)) {
                ServiceShapes.assertReceipt(receipt);
                endings.add(receipt.has("root") ? "root" : receipt.get("status").stringValue());
                creations += receipt.get("contractAddress").isNull() ? 0 : 1;
                logs += receipt.get("logs").size();
            }
        }
        assertThat(endings).containsExactly("0x0", "0x1", "root");
        assertThat(creations).isPositive();
        assertThat(logs).isPositive();
    }

    @Test
    void aReceiptIsFoundByItsTransactionsHashToo() {
        for (int block : new int[] {3, 18, 100}) {
            for (JsonNode receipt : history.receipts().get(block)) {
                assertThat(http.result(
                                "eth_getTransactionReceipt",
                                receipt.get("transactionHash").stringValue()))
                        .isEqualTo(receipt);
            }
        }
    }

    @Test
    void aBlocksReceiptsAreFoundByHexDecimalAndTag() {
        JsonNode expected = history.receipts().get(118);
        assertThat(expected.isEmpty()).isFalse();
        assertThat(http.result("eth_getBlockReceipts", "118")).isEqualTo(expected);
        assertThat(http.result("eth_getBlockReceipts", 118)).isEqualTo(expected);
        for (String tag : List.of("latest", "earliest", "pending", "safe", "finalized")) {
            assertThat(http.result("eth_getBlockReceipts", tag).isArray())
                    .as(tag)
                    .isTrue();
        }
    }

    @Test
    void absentObjectsAreNull() {
        assertNull("eth_getBlockByHash", NOTHING, true);
        assertNull("eth_getUncleByBlockNumberAndIndex", "0x1e", "0x2");
        assertNull("eth_getUncleByBlockNumberAndIndex", "0xffffff", "0x0");
        assertNull("eth_getTransactionByHash", NOTHING);
        assertNull("eth_getTransactionByBlockNumberAndIndex", "0x12", "0xff");
        assertNull("eth_getTransactionByBlockNumberAndIndex", "0xffffff", "0x0");
        assertNull("eth_getTransactionByBlockHashAndIndex", NOTHING, "0x0");
        assertNull("eth_getTransactionReceipt", NOTHING);
        assertNull("eth_getBlockReceipts", "0xffffff");
    }

    private static void assertNull(String method, Object... params) {
        assertThat(http.result(method, params).isNull()).as(method).isTrue();
    }

    @Test
    void aPlainSlotAndAMappingsElementAreReadByTheirPositions() {
        String supply = http.result("eth_getStorageAt", TOKEN, "0x0", "latest").stringValue();
        assertThat(supply).matches("0x[0-9a-f]{64}");
        assertThat(word(callToken("0x18160ddd"))).isEqualTo(word(supply)).isPositive();
        for (String block : List.of("0x12", "latest")) {
            String balance = http.result("eth_getStorageAt", TOKEN, BALANCE_POSITION, block)
                    .stringValue();
            assertThat(word(balance))
                    .isEqualTo(word(callToken("0x70a08231" + "0".repeat(24) + RICH.substring(2), block)))
                    .isPositive();
        }
        assertThat(http.result("eth_getStorageAt", STRANGER, "0x0", "latest").stringValue())
                .isEqualTo("0x" + "0".repeat(64));
    }

    private static String callToken(String data, String... block) {
        String at = block.length == 0 ? "latest" : block[0];
        return http.result("eth_call", Map.of("to", TOKEN, "data", data), at).stringValue();
    }

    private static BigInteger word(String hex) {
        return new BigInteger(hex.substring(2), 16);
    }

    @Test
    void gasIsEstimated() {
        Map<String, String> transfer = Map.of("from", RICH, "to", STRANGER, "value", "0x1");
        assertThat(http.result("eth_estimateGas", transfer, "latest").stringValue())
                .isEqualTo("0x5208");
        Map<String, String> ofTokens = Map.of("from", RICH, "to", TOKEN, "data", transferOf(BigInteger.ONE));
        assertThat(number(http.result("eth_estimateGas", ofTokens, "latest")).longValueExact())
                .isGreaterThan(21_000);
    }

    @Test
    void aTransferBeyondTheBalanceRevertsWithItsReason() {
        Map<String, String> tooMuch =
                Map.of("from", RICH, "to", TOKEN, "data", transferOf(BigInteger.ONE.shiftLeft(200)));
        JsonNode error = http.answer("eth_estimateGas", tooMuch, "latest").required("error");
        assertThat(error.path("code").asInt()).isEqualTo(3);
        String payload = error.path("data").asString();
        assertThat(payload).startsWith("0x08c379a0").matches("0x[0-9a-f]+");
        int length = word("0x" + payload.substring(74, 138)).intValueExact();
        String reason = new String(HexFormat.of().parseHex(payload.substring(138, 138 + 2 * length)), UTF_8);
        assertThat(reason).isNotBlank();
        assertThat(error.path("message").asString()).isEqualTo("execution reverted: " + reason);
    }

    private static String transferOf(BigInteger amount) {
        return "0xa9059cbb" + "0".repeat(24) + OTHER.substring(2) + String.format("%064x", amount);
    }

    @Test
    void aTransactionThatWasSignedElsewhereIsMinedIntoALaterBlock() {
        assertThat(number(http.result("eth_getTransactionCount", RAW_SENDER, hex(FixedHistory.LAST)))
                        .intValueExact())
                .as("the nonce that the transaction was signed for")
                .isEqualTo(RAW_NONCE);
        BigInteger before = number(http.result("eth_blockNumber"));
        String hash = http.result("eth_sendRawTransaction", RAW_TRANSACTION).stringValue();
        await().atMost(PATIENCE)
                .until(() -> !http.result("eth_getTransactionReceipt", hash).isNull());

        JsonNode receipt = http.result("eth_getTransactionReceipt", hash);
        ServiceShapes.assertReceipt(receipt);
        assertThat(receipt.get("status").stringValue()).isEqualTo("0x1");
        assertThat(receipt.get("from").stringValue()).isEqualTo(RAW_SENDER);
        assertThat(number(receipt.get("blockNumber"))).isGreaterThan(before);
        JsonNode transaction = http.result("eth_getTransactionByHash", hash);
        ServiceShapes.assertTransaction(transaction);
        assertThat(transaction.get("blockHash")).isEqualTo(receipt.get("blockHash"));
        JsonNode block =
                http.result("eth_getBlockByHash", receipt.get("blockHash").stringValue(), false);
        ServiceShapes.assertBlock(block);
        assertThat(block.get("transactions").valueStream().map(JsonNode::stringValue))
                .contains(hash);
        assertThat(http.result("eth_getBalance", STRANGER, "latest").stringValue())
                .isEqualTo("0x3e8");
    }

    @Test
    void theSameTextIsAnsweredWithTheSameBytesOverHttpAndWebSocket() {
        JsonNode transaction = history.blocks().get(18).get("transactions").get(0);
        String hash = transaction.get("hash").stringValue();
        List<String> texts = List.of(
                JsonRpcClient.call("eth_getStorageAt", TOKEN, "0x0", "0x12"),
                JsonRpcClient.call("eth_getBlockByHash", FixedHistory.LAST_HASH, true),
                JsonRpcClient.call(
                        "eth_getBlockByHash",
                        history.blocks().get(118).get("hash").stringValue(),
                        true),
                JsonRpcClient.call("eth_getUncleByBlockNumberAndIndex", "0x1e", "0x1"),
                JsonRpcClient.call("eth_getTransactionByBlockNumberAndIndex", "0x12", "0x0"),
                JsonRpcClient.call(
                        "eth_getTransactionByBlockHashAndIndex",
                        transaction.get("blockHash").stringValue(),
                        "0x0"),
                JsonRpcClient.call("eth_getTransactionByHash", hash),
                JsonRpcClient.call("eth_getTransactionReceipt", hash),
                JsonRpcClient.call("eth_getBlockReceipts", "0x3"),
                JsonRpcClient.call("eth_estimateGas", Map.of("to", STRANGER), "0x12"),
                JsonRpcClient.call(
                        "eth_estimateGas",
                        Map.of("from", RICH, "to", TOKEN, "data", transferOf(BigInteger.ONE.shiftLeft(200))),
                        "0x12"),
                JsonRpcClient.call("eth_getTransactionReceipt", NOTHING),
                JsonRpcClient.call("eth_getTransactionReceipt", "0x12"),
                JsonRpcClient.call("eth_noSuchMethod"),
                "[" + JsonRpcClient.call("eth_chainId") + ",1," + JsonRpcClient.call("eth_getBlockReceipts", "0x12")
                        + "]",
                "{\"jsonrpc\":\"2.0\",\"id\":18446744073709551616,\"method\":\"eth_chainId\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":\"\\u00e9\\n\",\"method\":\"eth_chainId\",\"params\":[]}",
                "{\"jsonrpc\":\"2.0\",\"id\":1",
                "[]");
        try (JsonRpcSocket socket = JsonRpcSocket.connect(weir.socketUrl())) {
            for (String text : texts) {
                socket.send(text);
                assertThat(socket.await()).as(text).isEqualTo(http.post(text).body());
            }
        }
    }

    @Test
    void callsThatWalletsNeedToConnectAreAnswered() {
        assertThat(http.result("eth_chainId").stringValue()).isEqualTo("0x539");
        assertThat(http.result("net_version").stringValue()).isEqualTo("1337");
        assertThat(http.result("web3_clientVersion").stringValue()).containsIgnoringCase("devnet");
        assertThat(number(http.result("eth_blockNumber")).intValueExact()).isGreaterThanOrEqualTo(FixedHistory.LAST);
        assertThat(number(http.result("eth_getBalance", RICH, "latest")).bitLength())
                .isGreaterThan(60);
        assertThat(number(http.result("eth_gasPrice"))).isPositive();
        assertThat(number(http.result("eth_getTransactionCount", RICH, "latest")))
                .isPositive();
        assertThat(http.result("eth_getCode", TOKEN, "latest").stringValue()).matches("0x[0-9a-f]{100,}");
        assertThat(http.result("eth_getCode", RICH, "latest").stringValue()).isEqualTo("0x");
        assertThat(callToken("0x313ce567")).isEqualTo("0x" + String.format("%064x", 18));
        for (String tag : List.of("latest", "earliest", "safe", "finalized")) {
            ServiceShapes.assertBlock(http.result("eth_getBlockByNumber", tag, true));
        }
        assertThat(http.result("eth_getBlockByNumber", "0xffffff", true).isNull())
                .isTrue();
    }

    @Test
    void feesOfSeveralBlocksAreReturned() {
        JsonNode fees = http.result("eth_feeHistory", "0x4", "latest", List.of(25, 75));
        assertThat(fees.path("baseFeePerGas").size()).isEqualTo(5);
        assertThat(fees.path("gasUsedRatio").size()).isEqualTo(4);
        assertThat(fees.path("reward").size()).isEqualTo(4);
        assertThat(fees.path("reward").get(0).size()).isEqualTo(2);
        assertThat(number(fees.path("oldestBlock"))).isPositive();
    }

    @Test
    void logsAreFoundByTheirFilterAndAreThoseOfTheReceipts() {
        JsonNode found = http.result(
                "eth_getLogs", Map.of("fromBlock", "0x0", "toBlock", hex(FixedHistory.LAST), "address", TOKEN));
        assertThat(found.isEmpty()).isFalse();
        found.forEach(ServiceShapes::assertLog);
        assertThat(found.valueStream())
                .containsExactlyElementsOf(history.logs().stream()
                        .filter(log -> log.get("address").stringValue().equals(TOKEN))
                        .toList());
    }

    @Test
    void stateIsAnsweredFromItsProofWhereACallRequiresThat() {
        String block = hex(FixedHistory.LAST);
        for (Object at : List.of("latest", block, Map.of("blockHash", FixedHistory.LAST_HASH))) {
            JsonNode balance = proven("eth_getBalance", RICH, at);
            JsonNode account = proven("eth_getProof", RICH, List.of(), at);
            JsonNode nothing = proven("eth_getProof", STRANGER, List.of("0x0"), block);
            assertThat(balance).isEqualTo(account.get("balance")).isEqualTo(http.result("eth_getBalance", RICH, at));
            assertThat(nothing.get("balance").stringValue()).isEqualTo("0x0");
            assertThat(nothing.get("accountProof").isEmpty()).isFalse();
        }
        assertThat(proven("eth_getStorageAt", TOKEN, BALANCE_POSITION, "latest"))
                .isEqualTo(http.result("eth_getStorageAt", TOKEN, BALANCE_POSITION, "latest"));
        assertThat(proven("eth_getCode", TOKEN, "latest")).isEqualTo(http.result("eth_getCode", TOKEN, "latest"));
    }

    @Test
    void theCommandOfThePageAboutProofsEndsWell(@TempDir Path folder) throws IOException {
        PageCommands commands = new PageCommands("conf/proofs.md", command -> true);
        assertThat(commands.size()).isEqualTo(1);
        commands.run(folder, command -> command.replace("127.0.0.1:8545", "127.0.0.1:" + weir.port()));
    }

    private static JsonNode proven(String method, Object... params) {
        try (HttpConnection connection = HttpConnection.open(weir.port())) {
            HttpConnection.Response response =
                    connection.post("/v3/demo", JsonRpcClient.call(method, params), "weir-require: state");
            assertThat(response.header("weir-verified"))
                    .as(method + ": " + response.body())
                    .contains("state");
            return JsonRpcClient.parsed(response.body()).get("result");
        }
    }

    @Test
    void aSingleCallsHeadersSayWhoAnsweredIt() {
        try (HttpConnection connection = HttpConnection.open(weir.port())) {
            HttpConnection.Response response = connection.post("/v3/demo", JsonRpcClient.call("eth_gasPrice"));
            assertThat(response.header("content-type")).isEqualTo("application/json");
            assertThat(response.header("cache-status")).isEqualTo("weir; fwd=uri-miss");
            assertThat(response.header("server-timing"))
                    .matches("total;dur=\\d+\\.\\d{3}, upstream;dur=\\d+\\.\\d{3};desc=\"embedded\"");
            assertThat(response.header("weir-degraded")).isNull();
            HttpConnection.Response batch = connection.post("/v3/demo", "[" + JsonRpcClient.call("eth_gasPrice") + "]");
            assertThat(batch.header("cache-status")).isNull();
            assertThat(batch.header("server-timing")).isNull();
        }
    }
}
