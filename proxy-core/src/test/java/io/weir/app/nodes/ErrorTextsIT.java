package io.weir.app.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.app.LocalProxy;
import io.weir.ethereum.Hex;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.transaction.TransactionType;
import io.weir.pipeline.send.SignedTransactions;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.aggregator.ArgumentsAccessor;
import org.junit.jupiter.params.provider.CsvFileSource;
import tools.jackson.databind.JsonNode;

/** The words in which nodes and their balancers fail, and what clients get: from a pool, and from the node alone. */
@Execution(ExecutionMode.CONCURRENT)
final class ErrorTextsIT {

    private static final Transaction TRANSACTION = SignedTransactions.payment(TransactionType.DYNAMIC_FEE, 0);
    private static final String HASH = TRANSACTION.hash().hex();
    private static final String ADDRESS = "0x" + "0".repeat(40);
    private static final int HEAD = 0x40;
    private static final int BLOCKS = 40;

    private static Map.Entry<String, ?> block(String selector) {
        long number = selector.startsWith("0x") ? Long.decode(selector) : selector.equals("latest") ? HEAD : 0;
        return MadeNode.block(number);
    }

    private static Map.Entry<String, ?> logs(long from, long to) {
        List<Object> logs = new ArrayList<>();
        for (long block = from; block <= to; block++) {
            logs.add(Map.of(
                    "blockNumber", "0x" + Long.toHexString(block), "blockHash", MadeNode.hash(block), "logIndex", 0));
        }
        return MadeNode.result(logs);
    }

    private static Map.Entry<String, ?> answer(String method, JsonNode params) {
        return switch (method) {
            case "eth_getBlockByNumber" -> block(params.get(0).asString());
            case "eth_getLogs" -> {
                String to = params.get(0).path("toBlock").asString();
                yield logs(
                        Long.decode(params.get(0).path("fromBlock").asString("0x1")),
                        to.startsWith("0x") ? Long.decode(to) : HEAD);
            }
            case "eth_getTransactionReceipt" -> MadeNode.result(Map.of("transactionHash", HASH));
            case "eth_getProof" -> MadeNode.result(Map.of("address", ADDRESS));
            case "eth_sendRawTransaction" -> MadeNode.result(HASH);
            default -> MadeNode.result("0x1");
        };
    }

    private static long blocks(JsonNode filter) {
        return Long.decode(filter.path("toBlock").asString("0x0"))
                - Long.decode(filter.path("fromBlock").asString("0x0"))
                + 1;
    }

    private static MadeNode failing(String kind, String method, int status, Map.Entry<String, ?> error)
            throws IOException {
        long taken = kind.equals("range") ? BLOCKS / 4 : kind.equals("half") ? BLOCKS / 2 : 0;
        MadeNode node = new MadeNode(HEAD, (asked, params) -> {
            boolean large = taken == 0 || blocks(params.get(0)) > taken;
            return asked.equals(method) && large ? error : answer(asked, params);
        });
        node.errorStatus = status;
        return node;
    }

    private static Object[] params(String kind, String method) {
        return switch (method) {
            case "eth_call", "eth_estimateGas" -> new Object[] {Map.of("to", ADDRESS), "latest"};
            case "eth_getTransactionReceipt" -> new Object[] {HASH};
            case "eth_getProof" -> new Object[] {ADDRESS, List.of(), "latest"};
            case "eth_sendRawTransaction" -> new Object[] {Hex.encode(TRANSACTION.encoded())};
            case "eth_getLogs" ->
                new Object[] {
                    kind.equals("error")
                            ? Map.of("fromBlock", "pending", "toBlock", "pending")
                            : Map.of("fromBlock", "0x1", "toBlock", "0x" + Integer.toHexString(BLOCKS))
                };
            default -> new Object[] {ADDRESS, "latest"};
        };
    }

    private static String seen(LocalProxy weir, String network, String method, Object... params) {
        String url = "http://127.0.0.1:" + weir.port() + '/' + network + "/v3/demo";
        JsonNode answer = new JsonRpcClient(url).answer(method, params);
        if (answer.has("result")) {
            return answer.get("result").toString();
        }
        return answer.at("/error/code").asInt() + " "
                + answer.at("/error/message").asString();
    }

    /** Starts a proxy with three networks: one with both nodes, and one with each of them alone. */
    private static LocalProxy start(MadeNode first, MadeNode other) {
        ConfigurationText config = ConfigurationText.of("pool", "1")
                .setting("defaults.network { verify = off, balance.wait = 0 s }")
                .upstream("first", first.url())
                .upstream("other", other.url())
                .networkSetting("upstreams.other.tier = 1")
                .setting("networks.alone { chain-id = 1, upstreams.first.url = \"" + first.url() + "\" }")
                .setting("networks.right { chain-id = 1, upstreams.other.url = \"" + other.url() + "\" }");
        LocalProxy weir = LocalProxy.start(config.text());
        await().until(() -> Stream.of("pool first", "pool other", "alone first", "right other")
                .map(node -> node.split(" "))
                .allMatch(node -> weir.admin().health(node[0], node[1]).equals("healthy")));
        return weir;
    }

    @ParameterizedTest
    @CsvFileSource(resources = "error-texts.csv", delimiter = '|', maxCharsPerColumn = 1_000)
    void clientsGet(ArgumentsAccessor row) throws IOException {
        String kind = row.getString(0);
        String method = row.getString(1);
        int code = row.getInteger(3);
        String message = row.getString(4).replace("HASH", HASH);
        Object[] params = params(kind, method);
        try (MadeNode first = failing(kind, method, row.getInteger(2), MadeNode.error(code, message));
                MadeNode other = new MadeNode(HEAD, ErrorTextsIT::answer);
                LocalProxy weir = start(first, other)) {
            String answer = seen(weir, "right", method, params);
            assertThat(seen(weir, "pool", method, params)).isEqualTo(expected(row.getString(5), code, message, answer));
            assertThat(first.asked(method)).isPositive();
            assertThat(seen(weir, "alone", method, params))
                    .isEqualTo(expected(row.getString(6), code, message, answer));
        }
    }

    private static String expected(String cell, int code, String message, String answer) {
        return switch (cell) {
            case "answer" -> answer;
            case "same" -> code + " " + message;
            default -> cell;
        };
    }
}
