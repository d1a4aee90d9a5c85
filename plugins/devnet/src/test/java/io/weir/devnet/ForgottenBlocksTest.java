package io.weir.devnet;

import static io.weir.devnet.Devnet.Bounds.USUAL;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ForgottenBlocksTest {
    @Test
    void forgottenNumbersAreAnErrorAndForgottenHashesAreNull() {
        TestNode node = TestNode.start(new Devnet.Bounds(2, USUAL.liveBytes(), USUAL.pool(), USUAL.logs()));
        String transaction = node.send(
                node.transfer(TestNode.KEY_0, TestNode.STRANGER, 1).build().sign(TestNode.KEY_0));
        String hash = node.mine().hash().hex();
        assertThat(node.call("eth_getTransactionReceipt", transaction).isNull()).isFalse();
        node.mine();
        node.mine();
        assertThat(node.call("eth_getBlockByHash", hash, false).isNull()).isTrue();
        assertThat(node.call("eth_getTransactionReceipt", transaction).isNull()).isTrue();
        assertThat(node.error("eth_getBlockByNumber", "0x81", false))
                .hasMessage("pruned history unavailable")
                .extracting("code")
                .isEqualTo(4444);
        assertThat(node.error("eth_getBalance", TestNode.STRANGER, "0x81")).hasMessage("pruned history unavailable");
        assertThat(node.call("eth_getBlockByNumber", "0x80", false).isNull()).isFalse();
        assertThat(node.number("eth_getBalance", TestNode.STRANGER, "latest")).isEqualTo(1);
    }
}
