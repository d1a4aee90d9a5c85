package io.weir.devnet;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.api.RpcException;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class WalletMethodsTest {
    private final TestNode node = TestNode.start();

    @Test
    void theNodeSaysWhoItIs() {
        assertThat(node.text("eth_chainId")).isEqualTo("0x539");
        assertThat(node.text("net_version")).isEqualTo("1337");
        assertThat(node.text("eth_blockNumber")).isEqualTo("0x80");
        assertThat(node.call("eth_syncing").booleanValue()).isFalse();
        assertThat(node.call("net_listening").booleanValue()).isTrue();
        assertThat(node.text("web3_clientVersion")).contains("Weir-devnet").contains("no-EVM");
    }

    @Test
    void everyMethodThatItNamesIsThereAndNoOther() {
        assertThat(node.devnet().methods())
                .containsExactlyInAnyOrder(
                        "eth_blockNumber",
                        "eth_call",
                        "eth_chainId",
                        "eth_estimateGas",
                        "eth_feeHistory",
                        "eth_gasPrice",
                        "eth_getBalance",
                        "eth_getBlockByHash",
                        "eth_getBlockByNumber",
                        "eth_getBlockReceipts",
                        "eth_getBlockTransactionCountByHash",
                        "eth_getBlockTransactionCountByNumber",
                        "eth_getCode",
                        "eth_getLogs",
                        "eth_getProof",
                        "eth_getStorageAt",
                        "eth_getTransactionByBlockHashAndIndex",
                        "eth_getTransactionByBlockNumberAndIndex",
                        "eth_getTransactionByHash",
                        "eth_getTransactionCount",
                        "eth_getTransactionReceipt",
                        "eth_getUncleByBlockHashAndIndex",
                        "eth_getUncleByBlockNumberAndIndex",
                        "eth_getUncleCountByBlockHash",
                        "eth_getUncleCountByBlockNumber",
                        "eth_maxPriorityFeePerGas",
                        "eth_sendRawTransaction",
                        "eth_syncing",
                        "net_listening",
                        "net_version",
                        "web3_clientVersion");
        RpcException unknown = node.error("eth_accounts");
        assertThat(unknown.code()).isEqualTo(-32601);
        assertThat(unknown).hasMessage("the method eth_accounts does not exist/is not available");
    }

    @Test
    void theWellKnownAccountsHaveWeiAndNonces() {
        assertThat(node.number("eth_getBalance", TestNode.ACCOUNT_0, "earliest"))
                .isEqualTo(BigInteger.TEN.pow(22));
        assertThat(node.number("eth_getBalance", TestNode.ACCOUNT_0))
                .isEqualTo(node.number("eth_getBalance", TestNode.ACCOUNT_0, "latest"))
                .isNotEqualTo(BigInteger.TEN.pow(22));
        assertThat(node.number("eth_getTransactionCount", TestNode.ACCOUNT_0, "0x0"))
                .isZero();
        assertThat(node.number("eth_getTransactionCount", TestNode.ACCOUNT_0, "latest"))
                .isPositive();
        assertThat(node.number("eth_getBalance", "0xA0EE7A142D267C1F36714E4A8F75612F20A79720", "earliest"))
                .isEqualTo(BigInteger.TEN.pow(22));
    }

    @Test
    void tagsNameBlocksByTheirDistanceFromTheHead() {
        assertThat(number("earliest")).isEqualTo("0x0");
        assertThat(number("finalized")).isEqualTo("0x40");
        assertThat(number("safe")).isEqualTo("0x60");
        assertThat(number("latest")).isEqualTo("0x80");
        node.mine();
        assertThat(number("finalized")).isEqualTo("0x41");
        assertThat(number("safe")).isEqualTo("0x61");
    }

    private String number(String tag) {
        return node.call("eth_getBlockByNumber", tag, false).get("number").stringValue();
    }

    @Test
    void thePendingBlockLeavesOpenWhatIsNotKnownYet() {
        node.send(node.transfer(TestNode.KEY_0, TestNode.STRANGER, 1).build().sign(TestNode.KEY_0));
        JsonNode pending = node.call("eth_getBlockByNumber", "pending", true);
        for (String open : new String[] {"hash", "nonce", "logsBloom", "number"}) {
            assertThat(pending.get(open).isNull()).as(open).isTrue();
        }
        assertThat(pending.get("parentHash"))
                .isEqualTo(node.call("eth_getBlockByNumber", "latest", false).get("hash"));
        JsonNode transaction = pending.get("transactions").get(0);
        assertThat(transaction.get("blockHash").isNull()).isTrue();
        assertThat(node.call("eth_getTransactionByBlockNumberAndIndex", "pending", "0x0"))
                .isEqualTo(transaction);
        assertThat(node.text("eth_getBlockTransactionCountByNumber", "pending")).isEqualTo("0x1");
    }

    @Test
    void blocksAreFoundByNumberHashAndObject() {
        String hash =
                node.call("eth_getBlockByNumber", "0x10", false).get("hash").stringValue();
        String byNumber = node.text("eth_getBalance", TestNode.ACCOUNT_0, "0x10");
        assertThat(node.text("eth_getBalance", TestNode.ACCOUNT_0, hash)).isEqualTo(byNumber);
        assertThat(node.text("eth_getBalance", TestNode.ACCOUNT_0, "{\"blockNumber\":\"0x10\"}"))
                .isEqualTo(byNumber);
        assertThat(node.text(
                        "eth_getBalance",
                        TestNode.ACCOUNT_0,
                        "{\"blockHash\":\"" + hash + "\",\"requireCanonical\":true}"))
                .isEqualTo(byNumber);
        assertThat(node.text("eth_getBalance", TestNode.ACCOUNT_0, "0x80")).isNotEqualTo(byNumber);
    }

    @Test
    void aStateOfNoBlockIsAnError() {
        String nothing = "0x" + "12".repeat(32);
        assertThat(node.error("eth_getBalance", TestNode.ACCOUNT_0, "0xffff"))
                .hasMessage("header not found")
                .extracting("code")
                .isEqualTo(-32000);
        assertThat(node.error("eth_call", "{\"to\":\"" + TestNode.TOKEN + "\"}", "{\"blockHash\":\"" + nothing + "\"}"))
                .hasMessage("header for hash not found");
        assertThat(node.call("eth_getBlockByNumber", "0xffff", false).isNull()).isTrue();
    }

    @Test
    void countsAreThoseOfTheBlock() {
        JsonNode block = node.call("eth_getBlockByNumber", "0x1e", false);
        String hash = block.get("hash").stringValue();
        String transactions =
                "0x" + Integer.toHexString(block.get("transactions").size());
        assertThat(node.text("eth_getBlockTransactionCountByNumber", "0x1e")).isEqualTo(transactions);
        assertThat(node.text("eth_getBlockTransactionCountByHash", hash)).isEqualTo(transactions);
        assertThat(node.text("eth_getUncleCountByBlockNumber", "0x1e")).isEqualTo("0x2");
        assertThat(node.text("eth_getUncleCountByBlockHash", hash)).isEqualTo("0x2");
        assertThat(node.call("eth_getUncleCountByBlockNumber", "0xffff").isNull())
                .isTrue();
    }
}
