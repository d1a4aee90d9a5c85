package io.weir.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FirstParamTest {

    @Test
    void aStringIsUnescaped() {
        assertThat(FirstParam.of(RawJson.of("[\"0\\u0078a\"]")).string()).isEqualTo("0xa");
        assertThat(FirstParam.of(RawJson.of("[1]")).string()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "[ ]", "{\"id\":\"0x1\"}"})
    void withoutAFirstThereIsNone(String params) {
        assertThat(FirstParam.of(RawJson.of(params))).isNull();
        assertThat(FirstParam.of(null)).isNull();
    }

    @Test
    void aRefusalShowsTheBeginningOnly() {
        RpcReply.Failure refusal = FirstParam.refusal(FirstParam.of(RawJson.of("[\"" + "z".repeat(500) + "\"]")), "x");
        assertThat(refusal.error().code()).isEqualTo(-32602);
        assertThat(refusal.error().message()).isEqualTo("params[0]: \"" + "z".repeat(76) + "... (expected: x)");
    }
}
