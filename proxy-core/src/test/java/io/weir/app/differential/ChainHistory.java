package io.weir.app.differential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.AnvilNode;
import io.weir.testing.JsonRpcClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * The history of the chain that calls are about. Immutable.
 *
 * @param height of the newest block
 * @param blocks hashes, by height
 * @param transactions hashes, two that wait to be mined among them
 * @param logger a contract that stores the second word of its call at the position that the first one names, and logs
 *     both
 * @param echo a contract that reverts with the data of its call
 */
record ChainHistory(
        int height, List<String> blocks, List<String> transactions, String logger, String echo, long gasLimit) {

    /** Accounts that anvil fills, in its order. */
    static final List<String> ACCOUNTS = List.of(
            AnvilNode.RICH_ACCOUNT,
            "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
            "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc",
            "0x90f79bf6eb2c4f870365e785982e1f101e93b906");

    /** Positions and topics that were used. */
    static final int WORDS = 5;

    private static final String LOGGER_CODE = "0x6015600a5f3960155ff3365f5f376020355f35365fa26020355f3555365ff3";
    private static final String ECHO_CODE = "0x600a600c600039600a6000f3366000600037366000fd";
    private static final int ROUNDS = 12;

    /** Makes it on a fresh node: blocks of one and of several transactions, of three types, and two that wait. */
    static ChainHistory build(JsonRpcClient node) {
        List<String> transactions = new ArrayList<>();
        JsonNode logger = mined(node, send(node, 0, Map.of("data", LOGGER_CODE)));
        JsonNode echo = mined(node, send(node, 1, Map.of("data", ECHO_CODE)));
        transactions.add(logger.path("transactionHash").asString());
        transactions.add(echo.path("transactionHash").asString());
        String loggerAddress = logger.path("contractAddress").asString();
        for (int round = 0; round < ROUNDS; round++) {
            node.result("evm_setAutomine", false);
            List<String> block = new ArrayList<>();
            for (int i = 0; i <= round % 4; i++) {
                block.add(send(node, i, transaction(round + i, loggerAddress, echo)));
            }
            node.result("evm_mine");
            block.forEach(hash -> mined(node, hash));
            transactions.addAll(block);
        }
        transactions.add(send(node, 0, transaction(0, loggerAddress, echo)));
        transactions.add(send(node, 1, transaction(1, loggerAddress, echo)));
        List<String> blocks = new ArrayList<>();
        JsonNode head = node.result("eth_getBlockByNumber", "latest", false);
        int height = Integer.decode(head.path("number").asString());
        for (int number = 0; number <= height; number++) {
            blocks.add(node.result("eth_getBlockByNumber", "0x" + Integer.toHexString(number), false)
                    .path("hash")
                    .asString());
        }
        long gasLimit = Long.decode(head.path("gasLimit").asString());
        return new ChainHistory(
                height,
                List.copyOf(blocks),
                List.copyOf(transactions),
                loggerAddress,
                echo.path("contractAddress").asString(),
                gasLimit);
    }

    private static Map<String, Object> transaction(int kind, String logger, JsonNode echo) {
        String words = "0x" + word(kind % WORDS) + word(kind);
        return switch (kind % 4) {
            case 0 -> Map.of("to", logger, "data", words, "gas", "0x20000");
            case 1 ->
                Map.of("to", ACCOUNTS.get(3), "value", "0x" + Integer.toHexString(kind), "gasPrice", "0x77359400");
            case 2 ->
                Map.of(
                        "to",
                        logger,
                        "data",
                        words,
                        "gas",
                        "0x20000",
                        "gasPrice",
                        "0x77359400",
                        "accessList",
                        List.of(Map.of("address", logger, "storageKeys", List.of("0x" + word(kind % WORDS)))));
            // Fails, and is mined.
            default -> Map.of("to", echo.path("contractAddress").asString(), "data", "0x01", "gas", "0x20000");
        };
    }

    static String word(int number) {
        return String.format("%064x", number);
    }

    private static String send(JsonRpcClient node, int account, Map<String, Object> fields) {
        Map<String, Object> transaction = new LinkedHashMap<>(fields);
        transaction.put("from", ACCOUNTS.get(account));
        return node.result("eth_sendTransaction", transaction).asString();
    }

    /** The node makes a block after it has answered. */
    private static JsonNode mined(JsonRpcClient node, String hash) {
        JsonNode receipt = await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(5))
                .until(() -> node.result("eth_getTransactionReceipt", hash), one -> !one.isNull());
        assertThat(receipt.path("transactionHash").asString()).isEqualTo(hash);
        return receipt;
    }
}
