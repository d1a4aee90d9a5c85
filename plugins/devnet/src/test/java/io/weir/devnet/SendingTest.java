package io.weir.devnet;

import static io.weir.devnet.Devnet.Bounds.USUAL;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.api.RpcException;
import io.weir.devnet.mining.PoolBounds;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.transaction.TransactionBuilder;
import io.weir.ethereum.transaction.TransactionType;
import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class SendingTest {
    private static final BigInteger GWEI = BigInteger.TEN.pow(9);

    private final TestNode node = TestNode.start();

    private TransactionBuilder transfer() {
        return node.transfer(TestNode.KEY_0, TestNode.STRANGER, 1000);
    }

    private String refused(TransactionBuilder transaction) {
        return refused(TestNode.hex(transaction.build().sign(TestNode.KEY_0)));
    }

    private String refused(String raw) {
        RpcException error = node.error("eth_sendRawTransaction", raw);
        assertThat(error.code()).isEqualTo(-32000);
        return error.getMessage();
    }

    private long nonce(String block) {
        return node.number("eth_getTransactionCount", TestNode.ACCOUNT_0, block).longValueExact();
    }

    @Test
    void whatIsSentIsInTheNextBlockAndMovesWei() {
        BigInteger before = node.number("eth_getBalance", TestNode.ACCOUNT_0, "latest");
        long nonce = nonce("latest");
        String hash = node.send(transfer().build().sign(TestNode.KEY_0));

        JsonNode waiting = node.call("eth_getTransactionByHash", hash);
        assertThat(waiting.get("blockHash").isNull()).isTrue();
        assertThat(waiting.get("blockNumber").isNull()).isTrue();
        assertThat(waiting.get("transactionIndex").isNull()).isTrue();
        assertThat(node.call("eth_getTransactionReceipt", hash).isNull()).isTrue();
        assertThat(nonce("pending")).isEqualTo(nonce + 1);
        assertThat(nonce("latest")).isEqualTo(nonce);
        assertThat(node.number("eth_getBalance", TestNode.STRANGER, "latest")).isZero();
        assertThat(node.number("eth_getBalance", TestNode.STRANGER, "pending")).isEqualTo(1000);

        node.mine();
        JsonNode receipt = node.call("eth_getTransactionReceipt", hash);
        assertThat(receipt.get("blockNumber").stringValue()).isEqualTo("0x81").isEqualTo(node.text("eth_blockNumber"));
        assertThat(receipt.get("status").stringValue()).isEqualTo("0x1");
        BigInteger fee =
                AnsweredBlock.number(receipt, "gasUsed").multiply(AnsweredBlock.number(receipt, "effectiveGasPrice"));
        assertThat(node.number("eth_getBalance", TestNode.ACCOUNT_0, "latest"))
                .isEqualTo(before.subtract(fee).subtract(BigInteger.valueOf(1000)));
        assertThat(node.number("eth_getBalance", TestNode.STRANGER, "latest")).isEqualTo(1000);
        assertThat(node.number("eth_getBalance", TestNode.STRANGER, "0x80")).isZero();
        assertThat(node.call("eth_getTransactionByHash", hash).get("blockNumber"))
                .isEqualTo(receipt.get("blockNumber"));
        assertThat(nonce("latest")).isEqualTo(nonce + 1);
    }

    @Test
    void aBlockIsMadeWithNothingInItToo() {
        JsonNode before = node.call("eth_getBlockByNumber", "latest", false);
        node.mine();
        JsonNode after = node.call("eth_getBlockByNumber", "latest", false);
        assertThat(after.get("parentHash")).isEqualTo(before.get("hash"));
        assertThat(after.get("transactions").isEmpty()).isTrue();
        assertThat(AnsweredBlock.number(after, "timestamp").longValueExact())
                .isEqualTo(TestNode.START.plusSeconds(4).getEpochSecond());
        assertThat(AnsweredBlock.number(after, "baseFeePerGas"))
                .isLessThan(AnsweredBlock.number(before, "baseFeePerGas"));
    }

    @Test
    void legacyAndListedTransactionsAreTakenToo() {
        Transaction legacy = Transaction.builder(TransactionType.LEGACY)
                .chainId(1337)
                .nonce(nonce("pending"))
                .gasPrice(GWEI)
                .gas(21_000)
                .to(transfer().build().to())
                .build()
                .sign(TestNode.KEY_0);
        node.send(legacy);
        Transaction listed = Transaction.builder(TransactionType.ACCESS_LIST)
                .chainId(1337)
                .nonce(nonce("pending"))
                .gasPrice(GWEI)
                .gas(21_000)
                .to(legacy.to())
                .build()
                .sign(TestNode.KEY_0);
        node.send(listed);
        node.mine();
        JsonNode block = node.call("eth_getBlockByNumber", "latest", false);
        assertThat(block.get("transactions").size()).isEqualTo(2);
    }

    @Test
    void theBestTipComesFirstAndASendersNoncesStayInOrder() {
        String low = node.send(transfer().build().sign(TestNode.KEY_0));
        String later = node.send(transfer()
                .maxPriorityFeePerGas(GWEI.multiply(BigInteger.valueOf(9)))
                .build()
                .sign(TestNode.KEY_0));
        String high = node.send(node.transfer(TestNode.KEY_1, TestNode.STRANGER, 1)
                .maxPriorityFeePerGas(GWEI.multiply(BigInteger.TWO))
                .build()
                .sign(TestNode.KEY_1));
        node.mine();
        assertThat(node.call("eth_getBlockByNumber", "latest", false)
                        .get("transactions")
                        .valueStream()
                        .map(JsonNode::stringValue))
                .containsExactly(high, low, later);
    }

    @Test
    void aNonceAheadWaitsForTheOnesBeforeIt() {
        long nonce = nonce("latest");
        String ahead = node.send(transfer().nonce(nonce + 1).build().sign(TestNode.KEY_0));
        node.mine();
        assertThat(node.call("eth_getTransactionReceipt", ahead).isNull()).isTrue();
        assertThat(nonce("pending")).isEqualTo(nonce);
        node.send(transfer().nonce(nonce).build().sign(TestNode.KEY_0));
        assertThat(nonce("pending")).isEqualTo(nonce + 2);
        node.mine();
        assertThat(node.call("eth_getTransactionReceipt", ahead).isNull()).isFalse();
    }

    @Test
    void aReplacementPaysATenthMore() {
        Transaction first = transfer().build().sign(TestNode.KEY_0);
        String replaced = node.send(first);
        assertThat(refused(transfer().nonce(first.nonce()).value(BigInteger.ONE)))
                .isEqualTo("replacement transaction underpriced");
        String better = node.send(transfer()
                .nonce(first.nonce())
                .maxFeePerGas(GWEI.multiply(BigInteger.valueOf(11)))
                .maxPriorityFeePerGas(GWEI.multiply(BigInteger.valueOf(11)).divide(BigInteger.TEN))
                .build()
                .sign(TestNode.KEY_0));
        assertThat(node.call("eth_getTransactionByHash", replaced).isNull()).isTrue();
        node.mine();
        assertThat(node.call("eth_getTransactionReceipt", better).isNull()).isFalse();
    }

    @Test
    void theDevnetRefusesInGethsWords() {
        String raw = TestNode.hex(transfer().build().sign(TestNode.KEY_0));
        long nonce = nonce("latest");
        assertThat(refused(transfer().nonce(0))).isEqualTo("nonce too low: next nonce " + nonce + ", tx nonce 0");
        assertThat(refused(transfer().gas(20_999))).isEqualTo("intrinsic gas too low: gas 20999, minimum needed 21000");
        assertThat(refused(transfer().gas(30_000_001))).isEqualTo("exceeds block gas limit");
        assertThat(refused(transfer().value(BigInteger.TEN.pow(30))))
                .startsWith("insufficient funds for gas * price + value: balance ")
                .contains(", tx cost 1000000000000000210000000000000, overshot ");
        assertThat(refused(transfer().chainId(1)))
                .isEqualTo("invalid sender: invalid chain id for signer: have 1 want 1337");
        assertThat(refused(transfer().maxPriorityFeePerGas(GWEI.multiply(BigInteger.valueOf(100)))))
                .isEqualTo("max priority fee per gas higher than max fee per gas");
        assertThat(refused(transfer().maxPriorityFeePerGas(BigInteger.ZERO)))
                .isEqualTo("transaction underpriced: gas tip cap 0, minimum needed 1");
        assertThat(refused(transfer().input(Bytes.wrap(new byte[40_000])).gas(200_000)))
                .isEqualTo("insufficient gas for floor data gas cost: gas 200000, minimum needed 421000");
        assertThat(refused(
                        transfer().to(null).input(Bytes.wrap(new byte[49_153])).gas(1_000_000)))
                .isEqualTo("max initcode size exceeded: code size 49153, limit 49152");
        node.send(Transaction.decode(Bytes.fromHex(raw).toArray()));
        assertThat(refused(raw)).isEqualTo("already known");
    }

    @Test
    void unboundBlobAndUnknownTransactionsAreRefused() {
        Transaction unbound = Transaction.builder(TransactionType.LEGACY)
                .gasPrice(GWEI)
                .gas(21_000)
                .to(transfer().build().to())
                .build()
                .sign(TestNode.KEY_0);
        assertThat(refused(TestNode.hex(unbound)))
                .isEqualTo("only replay-protected (EIP-155) transactions allowed over RPC");
        Transaction blob = Transaction.builder(TransactionType.BLOB)
                .chainId(1337)
                .maxFeePerGas(GWEI)
                .maxPriorityFeePerGas(GWEI)
                .maxFeePerBlobGas(GWEI)
                .blobVersionedHashes(List.of(Hash32.ZERO))
                .gas(21_000)
                .to(transfer().build().to())
                .build()
                .sign(TestNode.KEY_0);
        assertThat(refused(TestNode.hex(blob)))
                .isEqualTo("transaction type not supported: tx type 3 not supported by this pool");
        assertThat(refused("0x7f00")).startsWith("transaction type not supported");
        assertThat(refused("0x")).isEqualTo("typed transaction too short");
        assertThat(refused("0xc0")).startsWith("rlp at byte ");
        assertThat(refused("0x02" + "c0")).startsWith("rlp at byte ");
        assertThat(refused("0x" + "00".repeat(131_073)))
                .isEqualTo("oversized data: transaction size 131073, limit 131072");
    }

    @Test
    void allThatWaitsOfASenderMustBePaidFor() {
        BigInteger half =
                node.number("eth_getBalance", TestNode.ACCOUNT_0, "latest").divide(BigInteger.TWO);
        node.send(transfer().value(half).build().sign(TestNode.KEY_0));
        assertThat(refused(transfer().value(half))).contains(", queued cost ").contains(", overshot ");
    }

    private static TestNode start(PoolBounds pool) {
        return TestNode.start(new Devnet.Bounds(USUAL.liveBlocks(), USUAL.liveBytes(), pool, USUAL.logs()));
    }

    @Test
    void aFullPoolRefuses() {
        TestNode small = start(new PoolBounds(1, 1_000_000, 200_000));
        small.send(small.transfer(TestNode.KEY_0, TestNode.STRANGER, 1).build().sign(TestNode.KEY_0));
        String more = TestNode.hex(
                small.transfer(TestNode.KEY_1, TestNode.STRANGER, 1).build().sign(TestNode.KEY_1));
        assertThat(small.error("eth_sendRawTransaction", more)).hasMessage("txpool is full");
        small.mine();
        assertThat(small.text("eth_sendRawTransaction", more)).startsWith("0x");
        TestNode tiny = start(new PoolBounds(10, 100, 200_000));
        assertThat(tiny.error("eth_sendRawTransaction", more)).hasMessage("txpool is full");
    }

    @Test
    void aFullStateTakesNoMore() {
        TestNode full = start(new PoolBounds(10, 1_000_000, 10));
        String raw = TestNode.hex(
                full.transfer(TestNode.KEY_0, TestNode.STRANGER, 1).build().sign(TestNode.KEY_0));
        assertThat(full.error("eth_sendRawTransaction", raw).getMessage()).startsWith("devnet is full: ");
    }

    @Test
    void aContractIsCreatedByPlainInitCodeOnly() {
        Transaction creation = transfer()
                .to(null)
                .value(BigInteger.ZERO)
                .gas(200_000)
                .input(Bytes.fromHex("0x600d380380600d6000396000f36001600255"))
                .build()
                .sign(TestNode.KEY_0);
        String hash = node.send(creation);
        node.mine();
        JsonNode receipt = node.call("eth_getTransactionReceipt", hash);
        assertThat(receipt.get("status").stringValue()).isEqualTo("0x1");
        assertThat(node.text("eth_getCode", receipt.get("contractAddress").stringValue(), "latest"))
                .isEqualTo("0x6001600255");
        RpcException other = node.error("eth_estimateGas", "{\"data\":\"0x6080604052\"}");
        assertThat(other.code()).isEqualTo(3);
        assertThat(other).hasMessage("execution reverted: devnet has no EVM: init code is not the plain one");
    }
}
