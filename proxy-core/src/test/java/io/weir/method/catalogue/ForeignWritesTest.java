package io.weir.method.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ForeignWritesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "eth_sendBundle",
                "eth_sendRawTransactionConditional",
                "kaia_sendRawTransaction",
                "personal_sendTransaction"
            })
    void aMethodWhoseNameSaysThatItSendsSendsATransaction(String method) {
        assertThat(ForeignWrites.isWrite(method)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"alchemy_getTokenBalances", "eth_resend", "trace_x", "sender_count", ""})
    void otherMethodsDoNot(String method) {
        assertThat(ForeignWrites.isWrite(method)).isFalse();
    }
}
