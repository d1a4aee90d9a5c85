package io.weir.devnet;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.api.RpcException;
import io.weir.devnet.execution.Token;
import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.transaction.Transaction;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class TokenIsAnsweredTest {
    private static final BigInteger MANY = BigInteger.TEN.pow(30);
    private static final String TRANSFER_REVERT = "0x08c379a0" + "0".repeat(62) + "20" + "0".repeat(62) + "26"
            + "45524332303a207472616e7366657220616d6f756e7420657863656564732062"
            + "616c616e63650000000000000000000000000000000000000000000000000000";

    private final TestNode node = TestNode.start();

    private String call(String data) {
        return node.text("eth_call", object(TestNode.ACCOUNT_0, data), "latest");
    }

    private static String object(String from, String data) {
        return "{\"from\":\"%s\",\"to\":\"%s\",\"data\":\"%s\"}".formatted(from, TestNode.TOKEN, data);
    }

    private static String word(String address) {
        return "0".repeat(24) + address.substring(2);
    }

    private static String transfer(BigInteger amount) {
        return Token.transferData(Address.fromHex(TestNode.ACCOUNT_1), amount).hex();
    }

    @Test
    void thePlainSlotHoldsTheTotalSupply() {
        assertThat(node.text("eth_getStorageAt", TestNode.TOKEN, "0x0", "latest"))
                .isEqualTo(call("0x18160ddd"));
        assertThat(new BigInteger(call("0x18160ddd").substring(2), 16)).isEqualTo(BigInteger.TEN.pow(24));
        assertThat(node.text("eth_getStorageAt", TestNode.TOKEN, "0x5", "latest"))
                .isEqualTo(call("0x313ce567"));
    }

    @Test
    void aMappingsElementIsAtTheHashOfKeyAndSlot() {
        for (String owner : new String[] {TestNode.ACCOUNT_0, TestNode.ACCOUNT_1, TestNode.STRANGER}) {
            String position = Bytes.fromHex("0x" + word(owner) + "0".repeat(63) + "1")
                    .keccak()
                    .hex();
            assertThat(node.text("eth_getStorageAt", TestNode.TOKEN, position, "latest"))
                    .isEqualTo(call("0x70a08231" + word(owner)));
        }
    }

    @Test
    void aNestedMappingsElementIsAtTheHashOfHashes() {
        Transaction approve = node.transfer(TestNode.KEY_0, TestNode.TOKEN, 0)
                .gas(100_000)
                .input(Token.approveData(Address.fromHex(TestNode.ACCOUNT_1), MANY))
                .build()
                .sign(TestNode.KEY_0);
        node.send(approve);
        node.mine();
        Hash32 inner = Bytes.fromHex("0x" + word(TestNode.ACCOUNT_0) + "0".repeat(63) + "2")
                .keccak();
        String position = Bytes.fromHex(
                        "0x" + word(TestNode.ACCOUNT_1) + inner.hex().substring(2))
                .keccak()
                .hex();
        String allowance = call("0xdd62ed3e" + word(TestNode.ACCOUNT_0) + word(TestNode.ACCOUNT_1));
        assertThat(new BigInteger(allowance.substring(2), 16)).isEqualTo(MANY);
        assertThat(node.text("eth_getStorageAt", TestNode.TOKEN, position, "latest"))
                .isEqualTo(allowance);
    }

    @Test
    void nameAndSymbolAreText() {
        assertThat(call("0x06fdde03")).contains("57656972204465766e657420546f6b656e");
        assertThat(call("0x95d89b41")).contains("574454");
        assertThat(node.text("eth_getCode", TestNode.TOKEN, "latest")).hasSizeGreaterThan(1000);
    }

    @Test
    void aTransferBeyondTheBalanceRevertsWithItsReason() {
        for (String method : new String[] {"eth_call", "eth_estimateGas"}) {
            RpcException error = node.error(method, object(TestNode.ACCOUNT_0, transfer(MANY)), "latest");
            assertThat(error.code()).isEqualTo(3);
            assertThat(error).hasMessage("execution reverted: ERC20: transfer amount exceeds balance");
            assertThat(error.data()).isNotNull();
            assertThat(error.data().stringValue()).isEqualTo(TRANSFER_REVERT);
        }
    }

    @Test
    void unknownFunctionsAndUnknownCodeRevertWithNothing() {
        RpcException function = node.error("eth_call", object(TestNode.ACCOUNT_0, "0xdeadbeef"), "latest");
        assertThat(function.code()).isEqualTo(3);
        assertThat(function).hasMessage("execution reverted");
        assertThat(function.data().stringValue()).isEqualTo("0x");
        JsonNode creation = node.call("eth_getBlockReceipts", "0x55").get(1);
        String created = creation.get("contractAddress").stringValue();
        assertThat(node.error("eth_estimateGas", "{\"to\":\"" + created + "\"}"))
                .hasMessage("execution reverted");
    }

    @Test
    void aTransferIsMinedWithTheGasThatWasEstimatedAndItsLog() {
        String data = transfer(BigInteger.TEN);
        BigInteger estimate = node.number("eth_estimateGas", object(TestNode.ACCOUNT_0, data));
        BigInteger before = balance(TestNode.ACCOUNT_1);
        Transaction sent = node.transfer(TestNode.KEY_0, TestNode.TOKEN, 0)
                .gas(estimate.longValueExact())
                .input(Bytes.fromHex(data))
                .build()
                .sign(TestNode.KEY_0);
        String hash = node.send(sent);
        node.mine();
        JsonNode receipt = node.call("eth_getTransactionReceipt", hash);
        assertThat(receipt.get("status").stringValue()).isEqualTo("0x1");
        assertThat(AnsweredBlock.number(receipt, "gasUsed")).isEqualTo(estimate);
        JsonNode log = receipt.get("logs").get(0);
        assertThat(log.get("topics").get(0).stringValue())
                .isEqualTo("0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef");
        assertThat(log.get("topics").get(2).stringValue()).isEqualTo("0x" + word(TestNode.ACCOUNT_1));
        assertThat(balance(TestNode.ACCOUNT_1)).isEqualTo(before.add(BigInteger.TEN));
    }

    @Test
    void aTransferBeyondTheBalanceIsMinedAndFails() {
        Transaction sent = node.transfer(TestNode.KEY_0, TestNode.TOKEN, 0)
                .gas(100_000)
                .input(Bytes.fromHex(transfer(MANY)))
                .build()
                .sign(TestNode.KEY_0);
        String hash = node.send(sent);
        node.mine();
        JsonNode receipt = node.call("eth_getTransactionReceipt", hash);
        assertThat(receipt.get("status").stringValue()).isEqualTo("0x0");
        assertThat(receipt.get("logs").isEmpty()).isTrue();
        assertThat(node.number("eth_getTransactionCount", TestNode.ACCOUNT_0, "latest"))
                .isEqualTo(sent.nonce() + 1);
    }

    @Test
    void balancesAreAnsweredAsTheyWereAtABlock() {
        String data = "0x70a08231" + word(TestNode.ACCOUNT_1);
        String first = node.text("eth_call", object(TestNode.ACCOUNT_0, data), "0x0");
        String last = node.text("eth_call", object(TestNode.ACCOUNT_0, data), "0x80");
        assertThat(new BigInteger(first.substring(2), 16))
                .isEqualTo(BigInteger.TEN.pow(18).multiply(BigInteger.valueOf(100_000)));
        assertThat(last).isNotEqualTo(first);
    }

    private BigInteger balance(String owner) {
        return new BigInteger(call("0x70a08231" + word(owner)).substring(2), 16);
    }
}
