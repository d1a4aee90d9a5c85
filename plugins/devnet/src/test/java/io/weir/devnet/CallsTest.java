package io.weir.devnet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CallsTest {
    private static final TestNode NODE = TestNode.start();

    private static String object(String more) {
        return "{\"from\":\"%s\",\"to\":\"%s\"%s}".formatted(TestNode.STRANGER, TestNode.ACCOUNT_0, more);
    }

    private static String message(String method, String more) {
        return NODE.error(method, object(more)).getMessage();
    }

    @Test
    void aCallOfAnAccountWithoutCodeReturnsNothing() {
        assertThat(NODE.text("eth_call", object(",\"data\":\"0x1234\""), "latest"))
                .isEqualTo("0x");
    }

    @Test
    void whatCannotBePaidForIsRefused() {
        assertThat(message("eth_call", ",\"value\":\"0x1\",\"gas\":\"0x5208\""))
                .isEqualTo("err: insufficient funds for gas * price + value: address " + TestNode.STRANGER
                        + " have 0 want 1 (supplied gas 21000)");
        assertThat(message("eth_estimateGas", ",\"value\":\"0x1\"")).isEqualTo("insufficient funds for transfer");
        assertThat(message("eth_estimateGas", ",\"gasPrice\":\"0x77359400\""))
                .isEqualTo("gas required exceeds allowance (0)");
    }

    @Test
    void tooLittleGasIsRefused() {
        assertThat(message("eth_call", ",\"gas\":\"0x5207\""))
                .isEqualTo("err: intrinsic gas too low: have 20999, want 21000 (supplied gas 20999)");
        String token = "{\"from\":\"%s\",\"to\":\"%s\",\"data\":\"0x18160ddd\",\"gas\":\"0x5400\"}"
                .formatted(TestNode.ACCOUNT_0, TestNode.TOKEN);
        assertThat(NODE.error("eth_call", token)).hasMessage("out of gas");
        assertThat(NODE.error("eth_estimateGas", token)).hasMessage("gas required exceeds allowance (21504)");
    }

    @Test
    void feesMustFitTogetherAndTheBaseFee() {
        assertThat(message("eth_call", ",\"gasPrice\":\"0x1\",\"gas\":\"0x5208\""))
                .startsWith("err: max fee per gas less than block base fee: address ");
        assertThat(message("eth_call", ",\"maxFeePerGas\":\"0x1\",\"maxPriorityFeePerGas\":\"0x2\""))
                .startsWith("err: max priority fee per gas higher than max fee per gas: address ");
        assertThat(message("eth_call", ",\"gasPrice\":\"0x1\",\"maxFeePerGas\":\"0x2\""))
                .isEqualTo("both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified");
    }

    @Test
    void dataAndInputMayNotDiffer() {
        assertThat(NODE.text("eth_call", object(",\"data\":\"0x12\",\"input\":\"0x12\"")))
                .isEqualTo("0x");
        assertThat(message("eth_call", ",\"data\":\"0x12\",\"input\":\"0x13\""))
                .startsWith("both \"data\" and \"input\" are set and not equal.");
    }

    @Test
    void theEstimateCountsDataAccessListAndCreation() {
        assertThat(NODE.number("eth_estimateGas", object(",\"data\":\"0x0001\"")))
                .isEqualTo(21_050);
        assertThat(NODE.number("eth_estimateGas", object(",\"data\":\"0x0001\""), "0x14"))
                .isEqualTo(21_072);
        assertThat(NODE.number("eth_estimateGas", object(",\"data\":\"0x0001\""), "0x40"))
                .isEqualTo(21_020);
        assertThat(NODE.number(
                        "eth_estimateGas",
                        object(",\"accessList\":[{\"address\":\"%s\",\"storageKeys\":[\"0x%s\"]}]"
                                .formatted(TestNode.TOKEN, "0".repeat(64)))))
                .isEqualTo(25_300);
        assertThat(NODE.number("eth_estimateGas", "{\"data\":\"0x600d380380600d6000396000f300\"}"))
                .isGreaterThan(java.math.BigInteger.valueOf(53_000));
    }
}
