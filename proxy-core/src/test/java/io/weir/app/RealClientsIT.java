package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIterable;

import io.weir.testing.AnvilNode;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcSocket;
import io.weir.testing.NodeScript;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** ethers and viem, as they come from npm, against the proxy in front of a real node. */
final class RealClientsIT {

    private static final String REASON_DATA =
            "0x08c379a0" + word(0x20) + word(0x19) + "6e6f7420656e6f7567682066756e647320696e207661756c7400000000000000";
    private static final String PANIC_DATA = "0x4e487b71" + word(0x11);
    private static final String CUSTOM_DATA = "0xcf479181" + word(1) + word(2);
    private static final int SLOTS = 30;

    private AnvilNode anvil;
    private LocalProxy weir;

    @BeforeEach
    void startNodeAndProxy() {
        anvil = AnvilNode.start();
        weir = LocalProxy.start(ConfigurationText.of("anvil", AnvilNode.CHAIN_ID)
                .upstream("node", anvil.url())
                .text());
    }

    @AfterEach
    void stopBoth() {
        if (weir != null) {
            weir.close();
        }
        if (anvil != null) {
            anvil.close();
        }
    }

    @Test
    void ethersWorksOverHttpWithBatches() {
        NodeScript ethers = NodeScript.run("ethers-client.mjs", weir.url());
        assertChainWasRead(ethers);
        assertEthersReadsReverts(ethers);
        assertThat(ethers.saw("batch").path("revertReason").asString()).isEqualTo("not enough funds in vault");
        assertThat(ethers.saw("batch").path("largest").asInt()).isGreaterThan(SLOTS);
    }

    @Test
    void ethersWorksOverWebSocket() {
        NodeScript ethers = NodeScript.run("ethers-client.mjs", weir.socketUrl());
        assertChainWasRead(ethers);
        assertEthersReadsReverts(ethers);
        assertThat(ethers.text("subscribe")).startsWith("0x");
    }

    @Test
    void viemWorksOverHttpWithBatches() {
        NodeScript viem = NodeScript.run("viem-client.mjs", weir.url());
        assertChainWasRead(viem);
        assertViemReadsReverts(viem);
        assertThat(viem.saw("batch").path("revertCode").asInt()).isEqualTo(3);
        assertThat(viem.saw("batch").path("largest").asInt()).isGreaterThan(SLOTS);
    }

    @Test
    void viemWorksOverWebSocketAndItsKeepAliveLeavesTheSocketHealthy() {
        NodeScript viem = NodeScript.run("viem-client.mjs", weir.socketUrl());
        assertChainWasRead(viem);
        assertViemReadsReverts(viem);
        assertThat(viem.text("subscribe")).startsWith("0x");
        assertThat(viem.saw("keepAlive").path("answers").asInt()).isEqualTo(3);
        assertThat(viem.saw("keepAlive").path("openAfter").asBoolean()).isTrue();
    }

    @Test
    void aKeepAliveMessageWithIdNullIsAnsweredAndOneWithoutIdIsNot() {
        try (JsonRpcSocket socket = JsonRpcSocket.connect(weir.socketUrl())) {
            socket.send("{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"net_version\",\"params\":[]}");
            assertThat(socket.await()).contains("\"id\":null").contains("\"result\":\"31337\"");
            socket.send("{\"jsonrpc\":\"2.0\",\"method\":\"net_version\",\"params\":[]}");
            socket.send("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"eth_chainId\",\"params\":[]}");
            assertThat(socket.await()).contains("\"id\":7").contains("\"result\":\"0x7a69\"");
            assertThat(socket.closed()).isNotDone();
        }
    }

    private static void assertChainWasRead(NodeScript client) {
        assertThat(client.text("chainId")).isEqualTo(AnvilNode.CHAIN_ID);
        assertThat(client.text("balance")).isEqualTo("10000000000000000000000");
        assertThat(client.text("emptyBalance")).isEqualTo("0");
        assertThat(client.text("blockNumber")).isEqualTo("0");
        assertThat(client.text("paidBalance")).isEqualTo("12345");
        assertThat(client.text("gasOfTransfer")).isEqualTo("21000");
        assertThat(client.text("storage")).isEqualTo("0x" + word(42));
        assertThat(client.text("code")).isEqualTo("0x365f5f37365ffd");
        assertThatIterable(client.saw("logs")).hasSize(1);
        assertThat(client.saw("logs").at("/0/0").asString()).isEqualTo("0x" + word(1));

        JsonNode transfer = client.saw("transfer");
        assertThat(transfer.path("status").asString()).isIn("1", "success");
        assertThat(transfer.path("gasUsed").asString()).isEqualTo("21000");
        assertThat(transfer.path("from").asString()).isEqualToIgnoringCase(AnvilNode.RICH_ACCOUNT);
        assertThat(transfer.path("blocks").asString()).isEqualTo("1");
        JsonNode inBlock = client.saw("blockWithTransactions");
        assertThat(inBlock.path("hash").asString())
                .isEqualTo(transfer.path("hash").asString());
        assertThat(inBlock.path("from").asString()).isEqualToIgnoringCase(AnvilNode.RICH_ACCOUNT);
        assertThat(inBlock.path("value").asString()).isEqualTo("12345");
        assertThat(inBlock.path("parentKnown").asBoolean()).isTrue();
        assertThat(client.saw("transaction").path("blockHash").asBoolean()).isTrue();

        JsonNode batch = client.saw("batch");
        assertThat(batch.path("receiptAfterIt").asBoolean()).isTrue();
        assertThatIterable(batch.path("slots"))
                .extracting(JsonNode::asString)
                .containsExactlyElementsOf(IntStream.range(42, 42 + SLOTS)
                        .mapToObj(String::valueOf)
                        .toList());
    }

    private static void assertEthersReadsReverts(NodeScript ethers) {
        for (String step : new String[] {"estimateRevert", "callRevert"}) {
            assertThat(ethers.saw(step).path("code").asString()).isEqualTo("CALL_EXCEPTION");
            assertThat(ethers.saw(step).path("reason").asString()).isEqualTo("not enough funds in vault");
            assertThat(ethers.saw(step).path("data").asString()).isEqualTo(REASON_DATA);
        }
        assertThat(ethers.saw("callPanic").path("reason").asString()).isEqualTo("Panic due to OVERFLOW(17)");
        assertThat(ethers.saw("callCustomError").path("data").asString()).isEqualTo(CUSTOM_DATA);
        assertThat(ethers.saw("callEmptyRevert").path("code").asString()).isEqualTo("CALL_EXCEPTION");
        assertThat(ethers.saw("callEmptyRevert").path("data").asString()).isEqualTo("0x");
        assertThat(ethers.saw("sendWithoutFunds").path("code").asString()).isEqualTo("INSUFFICIENT_FUNDS");
        assertThat(ethers.saw("unknownMethod").path("rpcCode").asInt()).isEqualTo(-32601);
        assertThat(ethers.saw("unknownMethod").path("code").asString()).isEqualTo("UNSUPPORTED_OPERATION");
        assertThat(ethers.saw("unknownTransaction").isNull()).isTrue();
        assertThat(ethers.saw("unknownReceipt").isNull()).isTrue();
        assertThat(ethers.saw("unknownBlock").isNull()).isTrue();
        assertThat(ethers.saw("blockNumberAtEnd").asBoolean()).isTrue();
    }

    private static void assertViemReadsReverts(NodeScript viem) {
        for (String step : new String[] {"estimateRevert", "callRevert"}) {
            assertRevert(viem.saw(step), REASON_DATA);
            assertThat(viem.saw(step).path("shortMessage").asString())
                    .isEqualTo("Execution reverted with reason: not enough funds in vault.");
        }
        assertRevert(viem.saw("callPanic"), PANIC_DATA);
        assertRevert(viem.saw("callCustomError"), CUSTOM_DATA);
        assertThat(viem.saw("callCustomError").at("/decoded/errorName").asString())
                .isEqualTo("InsufficientBalance");
        assertRevert(viem.saw("callEmptyRevert"), "0x");
        assertNamed(viem.saw("unknownMethod"), "MethodNotFoundRpcError");
        assertNamed(viem.saw("unknownTransaction"), "TransactionNotFoundError");
        assertNamed(viem.saw("unknownReceipt"), "TransactionReceiptNotFoundError");
        assertNamed(viem.saw("unknownBlock"), "BlockNotFoundError");
        assertThat(viem.saw("transactionByIndex").asBoolean()).isTrue();
        assertThat(viem.saw("receiptInBlock").path("transactions").asInt()).isEqualTo(1);
        assertThat(viem.saw("feeHistory").asInt()).isEqualTo(3);
    }

    private static void assertRevert(JsonNode failure, String data) {
        assertNamed(failure, "ExecutionRevertedError");
        assertThat(failure.path("code").asInt()).isEqualTo(3);
        assertThat(failure.path("data").asString()).isEqualTo(data);
    }

    private static void assertNamed(JsonNode failure, String name) {
        assertThat(failure.path("failed").asBoolean()).isTrue();
        assertThatIterable(failure.path("names")).extracting(JsonNode::asString).contains(name);
    }

    private static String word(int value) {
        return String.format("%064x", value);
    }
}
