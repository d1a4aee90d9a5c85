package io.weir.devnet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The nine methods of the service, each with all the fields that it promises. */
class NineMethodsTest {
    private static final TestNode NODE = TestNode.start();
    private static final String NOTHING = "0x" + "12".repeat(32);

    private static final String[] HEADER = {
        "difficulty",
        "extraData",
        "gasLimit",
        "gasUsed",
        "hash",
        "logsBloom",
        "miner",
        "mixHash",
        "nonce",
        "number",
        "parentHash",
        "receiptsRoot",
        "sha3Uncles",
        "size",
        "stateRoot",
        "timestamp",
        "totalDifficulty",
        "transactionsRoot",
        "uncles"
    };
    private static final String[] TRANSACTION = {
        "blockHash",
        "blockNumber",
        "from",
        "gas",
        "gasPrice",
        "hash",
        "input",
        "nonce",
        "r",
        "s",
        "to",
        "transactionIndex",
        "type",
        "v",
        "value"
    };
    private static final String[] RECEIPT = {
        "blockHash",
        "blockNumber",
        "contractAddress",
        "cumulativeGasUsed",
        "effectiveGasPrice",
        "from",
        "gasUsed",
        "logs",
        "logsBloom",
        "to",
        "transactionHash",
        "transactionIndex",
        "type"
    };
    private static final String[] LOG = {
        "address",
        "blockHash",
        "blockNumber",
        "data",
        "logIndex",
        "removed",
        "topics",
        "transactionHash",
        "transactionIndex"
    };

    private static JsonNode block(String number, boolean whole) {
        return NODE.call("eth_getBlockByNumber", number, whole);
    }

    private static String hash(String number) {
        return block(number, false).get("hash").stringValue();
    }

    @Test
    void getStorageAtAnswersAWord() {
        assertThat(NODE.text("eth_getStorageAt", TestNode.TOKEN, "0x0", "latest"))
                .isEqualTo("0x00000000000000000000000000000000000000000000d3c21bcecceda1000000");
        assertThat(NODE.text("eth_getStorageAt", TestNode.STRANGER, "0x0", "0x1"))
                .isEqualTo("0x" + "0".repeat(64));
    }

    @Test
    void getBlockByHashAnswersABlockWithTransactionsOrTheirHashes() {
        JsonNode whole = NODE.call("eth_getBlockByHash", hash("0x76"), true);
        JsonNode hashes = NODE.call("eth_getBlockByHash", hash("0x76"), false);
        assertThat(TestNode.names(whole)).contains(HEADER).contains("transactions", "baseFeePerGas", "withdrawals");
        assertThat(whole.get("transactions").size()).isGreaterThan(20);
        for (int i = 0; i < whole.get("transactions").size(); i++) {
            assertThat(hashes.get("transactions").get(i))
                    .isEqualTo(whole.get("transactions").get(i).get("hash"));
        }
        assertThat(NODE.call("eth_getBlockByHash", NOTHING, true).isNull()).isTrue();
    }

    @Test
    void getUncleByBlockNumberAndIndexAnswersAHeaderWithoutTransactions() {
        JsonNode uncle = NODE.call("eth_getUncleByBlockNumberAndIndex", "0x1e", "0x1");
        assertThat(TestNode.names(uncle)).contains(HEADER).doesNotContain("transactions");
        assertThat(uncle.get("uncles").isEmpty()).isTrue();
        assertThat(uncle.get("totalDifficulty").isNull()).isTrue();
        assertThat(NODE.call("eth_getUncleByBlockHashAndIndex", hash("0x1e"), "0x1"))
                .isEqualTo(uncle);
        assertThat(NODE.call("eth_getUncleByBlockNumberAndIndex", "0x32", "0x0").has("baseFeePerGas"))
                .isTrue();
        assertThat(NODE.call("eth_getUncleByBlockNumberAndIndex", "0x1e", "0x2").isNull())
                .isTrue();
        assertThat(NODE.call("eth_getUncleByBlockNumberAndIndex", "0x1d", "0x0").isNull())
                .isTrue();
        assertThat(NODE.call("eth_getUncleByBlockNumberAndIndex", "0xffff", "0x0")
                        .isNull())
                .isTrue();
    }

    @Test
    void theFourWaysToATransactionAnswerTheSame() {
        JsonNode block = block("0x71", true);
        for (JsonNode expected : block.get("transactions")) {
            assertThat(TestNode.names(expected)).contains(TRANSACTION);
            String index = expected.get("transactionIndex").stringValue();
            assertThat(NODE.call(
                            "eth_getTransactionByHash", expected.get("hash").stringValue()))
                    .isEqualTo(expected);
            assertThat(NODE.call("eth_getTransactionByBlockNumberAndIndex", "0x71", index))
                    .isEqualTo(expected);
            assertThat(NODE.call("eth_getTransactionByBlockHashAndIndex", hash("0x71"), index))
                    .isEqualTo(expected);
        }
        assertThat(NODE.call("eth_getTransactionByHash", NOTHING).isNull()).isTrue();
        assertThat(NODE.call("eth_getTransactionByBlockNumberAndIndex", "0x71", "0x3")
                        .isNull())
                .isTrue();
        assertThat(NODE.call("eth_getTransactionByBlockNumberAndIndex", "0x71", "0xffffffffffffffff")
                        .isNull())
                .isTrue();
        assertThat(NODE.call("eth_getTransactionByBlockHashAndIndex", NOTHING, "0x0")
                        .isNull())
                .isTrue();
    }

    @Test
    void typesTwoAndThreeShowWhatTheyAddAndTheirPriceIsWhatTheyPaid() {
        JsonNode dynamic = block("0x43", true).get("transactions").get(0);
        assertThat(dynamic.get("type").stringValue()).isEqualTo("0x2");
        assertThat(TestNode.names(dynamic))
                .contains("accessList", "chainId", "maxFeePerGas", "maxPriorityFeePerGas", "yParity");
        assertThat(NODE.call("eth_getTransactionReceipt", dynamic.get("hash").stringValue())
                        .get("effectiveGasPrice"))
                .isEqualTo(dynamic.get("gasPrice"));
        JsonNode blob = block("0x64", true).get("transactions").get(0);
        assertThat(blob.get("type").stringValue()).isEqualTo("0x3");
        assertThat(TestNode.names(blob)).contains("maxFeePerBlobGas", "blobVersionedHashes");
        JsonNode receipt =
                NODE.call("eth_getTransactionReceipt", blob.get("hash").stringValue());
        assertThat(receipt.get("blobGasUsed").stringValue()).isEqualTo("0x20000");
        assertThat(receipt.get("blobGasPrice").stringValue()).isEqualTo("0x1");
    }

    @Test
    void aReceiptHasEitherRootOrStatus() {
        JsonNode early = NODE.call("eth_getBlockReceipts", "0x3");
        JsonNode late = NODE.call("eth_getBlockReceipts", "0x12");
        early.forEach(receipt -> assertThat(TestNode.names(receipt))
                .contains(RECEIPT)
                .contains("root")
                .doesNotContain("status"));
        late.forEach(receipt -> assertThat(TestNode.names(receipt))
                .contains(RECEIPT)
                .contains("status")
                .doesNotContain("root"));
        JsonNode log = late.get(0).get("logs").get(0);
        assertThat(TestNode.names(log)).contains(LOG);
        for (JsonNode receipt : late) {
            assertThat(NODE.call(
                            "eth_getTransactionReceipt",
                            receipt.get("transactionHash").stringValue()))
                    .isEqualTo(receipt);
        }
        assertThat(NODE.call("eth_getTransactionReceipt", NOTHING).isNull()).isTrue();
    }

    @Test
    void aFailedTransactionHasStatusZeroAndNoLogs() {
        JsonNode failed = last(NODE.call("eth_getBlockReceipts", "0x12"));
        assertThat(failed.get("status").stringValue()).isEqualTo("0x0");
        assertThat(failed.get("logs").isEmpty()).isTrue();
        JsonNode outOfGas = last(NODE.call("eth_getBlockReceipts", "0x42"));
        assertThat(outOfGas.get("status").stringValue()).isEqualTo("0x0");
        assertThat(outOfGas.get("gasUsed").stringValue()).isEqualTo("0x7530");
    }

    @Test
    void aCreationNamesItsContractWhichHasCode() {
        JsonNode receipt = last(NODE.call("eth_getBlockReceipts", "0x3"));
        assertThat(receipt.get("to").isNull()).isTrue();
        String created = receipt.get("contractAddress").stringValue();
        assertThat(NODE.text("eth_getCode", created, "latest")).isEqualTo("0x60006000fd");
        assertThat(NODE.text("eth_getCode", created, "0x2")).isEqualTo("0x");
    }

    @Test
    void blockReceiptsAreFoundByEveryFormOfABlock() {
        JsonNode expected = NODE.call("eth_getBlockReceipts", "0x76");
        assertThat(expected.size()).isGreaterThan(20);
        assertThat(NODE.call("eth_getBlockReceipts", "118")).isEqualTo(expected);
        assertThat(NODE.call("eth_getBlockReceipts", 118)).isEqualTo(expected);
        assertThat(NODE.call("eth_getBlockReceipts", hash("0x76"))).isEqualTo(expected);
        assertThat(NODE.call("eth_getBlockReceipts", "{\"blockHash\":\"" + hash("0x76") + "\"}"))
                .isEqualTo(expected);
        assertThat(NODE.call("eth_getBlockReceipts", "0x0").isEmpty()).isTrue();
        assertThat(NODE.call("eth_getBlockReceipts", "0xffff").isNull()).isTrue();
        assertThat(NODE.call("eth_getBlockReceipts", NOTHING).isNull()).isTrue();
    }

    @Test
    void pendingBlockReceiptsAreThoseOfTheLatestBlock() {
        TestNode node = TestNode.start();
        node.send(node.transfer(TestNode.KEY_0, TestNode.STRANGER, 1).build().sign(TestNode.KEY_0));
        assertThat(node.call("eth_getBlockReceipts", "pending").isEmpty()).isTrue();
        node.mine();
        JsonNode latest = node.call("eth_getBlockReceipts", "latest");
        assertThat(latest.size()).isEqualTo(1);
        assertThat(node.call("eth_getBlockReceipts", "pending")).isEqualTo(latest);
    }

    @Test
    void estimateGasAnswersWhatTheTransactionWillUse() {
        assertThat(NODE.text("eth_estimateGas", "{\"to\":\"" + TestNode.STRANGER + "\"}", "latest"))
                .isEqualTo("0x5208");
        assertThat(NODE.text(
                        "eth_estimateGas",
                        "{\"from\":\"%s\",\"to\":\"%s\",\"value\":\"0x1\"}"
                                .formatted(TestNode.ACCOUNT_0, TestNode.STRANGER)))
                .isEqualTo("0x5208");
    }

    private static JsonNode last(JsonNode array) {
        return array.get(array.size() - 1);
    }
}
