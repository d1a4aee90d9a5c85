package io.weir.devnet;

import static io.weir.devnet.AnsweredBlock.number;
import static io.weir.devnet.AnsweredBlock.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.ethereum.Hash32;
import io.weir.ethereum.Quantity;
import io.weir.ethereum.block.Block;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.block.BlockRoots;
import io.weir.ethereum.block.Bloom;
import io.weir.ethereum.block.HeaderField;
import io.weir.ethereum.block.Receipt;
import io.weir.ethereum.signature.SignatureRule;
import io.weir.ethereum.transaction.Transaction;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Every block of the history, and live ones behind it, held against their hashes from the answers alone. */
class HistoryIsConsistentTest {
    private static final TestNode NODE = withLiveBlocks();
    private static final long LAST = 131;

    private static TestNode withLiveBlocks() {
        TestNode node = TestNode.start();
        node.mine();
        node.send(node.transfer(TestNode.KEY_0, TestNode.STRANGER, 5).build().sign(TestNode.KEY_0));
        node.mine();
        node.mine();
        return node;
    }

    private static String hex(long number) {
        return "0x" + Long.toHexString(number);
    }

    private static JsonNode block(long number) {
        return NODE.call("eth_getBlockByNumber", hex(number), true);
    }

    private static List<JsonNode> all() {
        return LongStream.rangeClosed(0, LAST)
                .mapToObj(HistoryIsConsistentTest::block)
                .toList();
    }

    @Test
    void headersHashToTheirHashesAndNameTheirParents() {
        String parent = Hash32.ZERO.hex();
        BigInteger difficulty = BigInteger.ZERO;
        long timestamp = 0;
        for (JsonNode block : all()) {
            assertThat(AnsweredBlock.header(block).hash().hex()).isEqualTo(text(block, "hash"));
            assertThat(text(block, "parentHash")).isEqualTo(parent);
            difficulty = difficulty.add(number(block, "difficulty"));
            assertThat(number(block, "totalDifficulty")).isEqualTo(difficulty);
            assertThat(number(block, "timestamp").longValueExact()).isGreaterThan(timestamp);
            timestamp = number(block, "timestamp").longValueExact();
            parent = text(block, "hash");
            assertThat(NODE.call("eth_getBlockByHash", parent, true)).isEqualTo(block);
        }
    }

    @Test
    void transactionsHashToTheirHashesAndRootAndAreSignedBySender() {
        for (JsonNode block : all()) {
            List<Transaction> transactions = new ArrayList<>();
            for (JsonNode json : block.get("transactions")) {
                Transaction transaction = AnsweredBlock.transaction(json);
                assertThat(transaction.hash().hex()).isEqualTo(text(json, "hash"));
                assertThat(transaction.sender(SignatureRule.LOW_S).hex()).isEqualTo(text(json, "from"));
                assertThat(text(json, "transactionIndex")).isEqualTo(hex(transactions.size()));
                assertThat(text(json, "blockHash")).isEqualTo(text(block, "hash"));
                transactions.add(transaction);
            }
            assertThat(BlockRoots.transactions(transactions).hex()).isEqualTo(text(block, "transactionsRoot"));
        }
    }

    @Test
    void receiptsHashToTheirRootAndTheirBloomsHoldTheirLogs() {
        for (JsonNode block : all()) {
            List<Receipt> receipts = new ArrayList<>();
            long gas = 0;
            int logs = 0;
            for (JsonNode json : NODE.call("eth_getBlockReceipts", text(block, "number"))) {
                Receipt receipt = AnsweredBlock.receipt(json);
                assertThat(receipt.bloom()).isEqualTo(Bloom.ofLogs(receipt.logs()));
                for (JsonNode log : json.get("logs")) {
                    assertThat(text(log, "logIndex")).isEqualTo(hex(logs++));
                }
                gas += number(json, "gasUsed").longValueExact();
                assertThat(receipt.cumulativeGasUsed()).isEqualTo(gas);
                assertThat(text(json, "blockHash")).isEqualTo(text(block, "hash"));
                receipts.add(receipt);
            }
            assertThat(receipts).hasSize(block.get("transactions").size());
            assertThat(BlockRoots.receipts(receipts).hex()).isEqualTo(text(block, "receiptsRoot"));
            assertThat(Bloom.ofReceipts(receipts).hex()).isEqualTo(text(block, "logsBloom"));
            assertThat(number(block, "gasUsed").longValueExact()).isEqualTo(gas);
        }
    }

    @Test
    void unclesAndWithdrawalsHashToTheirRootsAndSizesAreTrue() {
        for (JsonNode block : all()) {
            List<BlockHeader> uncles = new ArrayList<>();
            for (JsonNode hash : block.get("uncles")) {
                JsonNode uncle =
                        NODE.call("eth_getUncleByBlockNumberAndIndex", text(block, "number"), hex(uncles.size()));
                BlockHeader header = AnsweredBlock.header(uncle);
                assertThat(header.hash().hex()).isEqualTo(hash.stringValue()).isEqualTo(text(uncle, "hash"));
                JsonNode parent = NODE.call("eth_getBlockByHash", text(uncle, "parentHash"), false);
                assertThat(number(parent, "number").longValueExact() + 1).isEqualTo(header.number());
                uncles.add(header);
            }
            assertThat(BlockRoots.ommers(uncles).hex()).isEqualTo(text(block, "sha3Uncles"));
            var withdrawals = AnsweredBlock.withdrawals(block);
            if (withdrawals != null) {
                assertThat(BlockRoots.withdrawals(withdrawals).hex()).isEqualTo(text(block, "withdrawalsRoot"));
            }
            List<Transaction> transactions = block.get("transactions")
                    .valueStream()
                    .map(AnsweredBlock::transaction)
                    .toList();
            Block whole = new Block(AnsweredBlock.header(block), transactions, uncles, withdrawals);
            assertThat(text(block, "size")).isEqualTo(Quantity.encode(whole.rlp().length));
        }
    }

    @Test
    void headersGainFieldsForkByFork() {
        assertThat(fields(47)).isEqualTo(15);
        assertThat(fields(48)).isEqualTo(16);
        assertThat(fields(80)).isEqualTo(17);
        assertThat(fields(96)).isEqualTo(20);
        assertThat(fields(112)).isEqualTo(21);
        assertThat(fields(LAST)).isEqualTo(21);
    }

    private static long fields(long number) {
        JsonNode block = block(number);
        return Arrays.stream(HeaderField.values())
                .filter(field -> block.has(field.jsonName()))
                .count();
    }

    @Test
    void receiptsHaveARootBeforeByzantiumAndAStatusSince() {
        for (JsonNode block : all()) {
            boolean early = number(block, "number").longValueExact() < 16;
            for (JsonNode receipt : NODE.call("eth_getBlockReceipts", text(block, "number"))) {
                assertThat(receipt.has("root")).isEqualTo(early);
                assertThat(receipt.has("status")).isEqualTo(!early);
            }
        }
        JsonNode lastOfEarly = NODE.call("eth_getBlockReceipts", "0xf");
        assertThat(lastOfEarly.size()).isPositive();
    }

    @Test
    void theHistoryHasEveryKindOfTransactionAndBlock() {
        Set<String> kinds = new HashSet<>();
        for (JsonNode block : all()) {
            kinds.add(block.get("uncles").size() + " uncles");
            kinds.add(block.get("transactions").size() >= 12 ? "large" : "small");
            for (JsonNode transaction : block.get("transactions")) {
                kinds.add("type " + text(transaction, "type"));
                kinds.add(transaction.get("to").isNull() ? "creation" : "call");
                kinds.add(transaction.has("chainId") ? "bound to the chain" : "not bound");
            }
            for (JsonNode receipt : NODE.call("eth_getBlockReceipts", text(block, "number"))) {
                kinds.add(receipt.get("logs").isEmpty() ? "no logs" : "logs");
                kinds.add(receipt.has("status") ? "status " + text(receipt, "status") : "root");
            }
        }
        assertThat(kinds)
                .contains("type 0x0", "type 0x1", "type 0x2", "type 0x3", "creation", "not bound", "bound to the chain")
                .contains("logs", "no logs", "status 0x0", "status 0x1", "root")
                .contains("0 uncles", "1 uncles", "2 uncles", "large");
    }
}
