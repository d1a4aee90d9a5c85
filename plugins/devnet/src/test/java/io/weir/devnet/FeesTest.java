package io.weir.devnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class FeesTest {
    private final TestNode node = TestNode.start();

    @Test
    void theGasPriceIsTheNextBaseFeeAndTheSuggestedTip() {
        BigInteger price = node.number("eth_gasPrice");
        BigInteger tip = node.number("eth_maxPriorityFeePerGas");
        node.mine();
        JsonNode next = node.call("eth_getBlockByNumber", "latest", false);
        assertThat(price).isEqualTo(AnsweredBlock.number(next, "baseFeePerGas").add(tip));
    }

    @Test
    void theBaseFeeFollowsTheGasUsed() {
        for (long number = 49; number <= 128; number++) {
            JsonNode parent = node.call("eth_getBlockByNumber", "0x" + Long.toHexString(number - 1), false);
            JsonNode block = node.call("eth_getBlockByNumber", "0x" + Long.toHexString(number), false);
            long fee = AnsweredBlock.number(parent, "baseFeePerGas").longValueExact();
            long used = AnsweredBlock.number(parent, "gasUsed").longValueExact();
            long target = AnsweredBlock.number(parent, "gasLimit").longValueExact() / 2;
            assertThat(used).isLessThan(target);
            assertThat(AnsweredBlock.number(block, "baseFeePerGas").longValueExact())
                    .as("block %d", number)
                    .isEqualTo(fee - fee * (target - used) / target / 8);
        }
    }

    @Test
    void aFeeHistoryHasOneMoreFeeThanBlocks() {
        JsonNode history = node.call("eth_feeHistory", "0x5", "latest", "[10,50,99.5]");
        assertThat(history.get("oldestBlock").stringValue()).isEqualTo("0x7c");
        assertThat(history.get("baseFeePerGas").size()).isEqualTo(6);
        assertThat(history.get("baseFeePerBlobGas").size()).isEqualTo(6);
        assertThat(history.get("gasUsedRatio").size()).isEqualTo(5);
        assertThat(history.get("blobGasUsedRatio").size()).isEqualTo(5);
        assertThat(history.get("reward").size()).isEqualTo(5);
        assertThat(history.get("reward").get(0).size()).isEqualTo(3);
        assertThat(history.get("baseFeePerGas").get(4))
                .isEqualTo(node.call("eth_getBlockByNumber", "latest", false).get("baseFeePerGas"));
    }

    @Test
    void rewardsAreTipsInTheirOrder() {
        JsonNode rewards =
                node.call("eth_feeHistory", 1, "0x76", "[0,100]").get("reward").get(0);
        JsonNode block = node.call("eth_getBlockByNumber", "0x76", true);
        BigInteger baseFee = AnsweredBlock.number(block, "baseFeePerGas");
        var tips = block.get("transactions")
                .valueStream()
                .map(transaction ->
                        AnsweredBlock.number(transaction, "gasPrice").subtract(baseFee))
                .sorted()
                .toList();
        assertThat(rewards.get(0).stringValue()).isEqualTo("0x" + tips.get(0).toString(16));
        assertThat(rewards.get(1).stringValue())
                .isEqualTo("0x" + tips.get(tips.size() - 1).toString(16));
    }

    @Test
    void aFeeHistoryBeginsAtGenesisAndIsZeroBeforeLondon() {
        JsonNode history = node.call("eth_feeHistory", "1000", "0x31");
        assertThat(history.get("oldestBlock").stringValue()).isEqualTo("0x0");
        assertThat(history.get("gasUsedRatio").size()).isEqualTo(50);
        assertThat(history.get("baseFeePerGas").get(47).stringValue()).isEqualTo("0x0");
        assertThat(history.get("baseFeePerGas").get(48).stringValue()).isEqualTo("0x3b9aca00");
        assertThat(history.has("reward")).isFalse();
        assertThat(node.call("eth_feeHistory", "0x0", "latest")
                        .get("oldestBlock")
                        .stringValue())
                .isEqualTo("0x0");
    }

    @Test
    void wrongPercentilesAndFutureBlocksAreRefused() {
        assertThat(node.error("eth_feeHistory", 1, "latest", "[101]"))
                .hasMessage("invalid reward percentile: 101.000000");
        assertThat(node.error("eth_feeHistory", 1, "latest", "[50,40]"))
                .hasMessage("invalid reward percentile: #0:50.000000 >= #1:40.000000");
        assertThat(node.error("eth_feeHistory", 1, "0x200"))
                .hasMessage("request beyond head block: requested 512, head 128");
        assertThat(node.error("eth_feeHistory", "x", "latest").code()).isEqualTo(-32602);
    }
}
