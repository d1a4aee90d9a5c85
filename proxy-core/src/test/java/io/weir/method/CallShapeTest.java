package io.weir.method;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CallShapeTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[\"0x1\", true] | m[quantity,t]",
                "[\"latest\",false] | m[latest,f]",
                "[\"safe\"] | m[safe]",
                "[{\"fromBlock\":\"0x1\",\"limit\":-12.5e3}] | m[{fromBlock:quantity,limit:1}]",
                "[null, 7, []] | m[n,1,[]]",
                "[\"a longer text\"] | m[text]",
                "[\"q\\\"uote\"] | m[q\\\"uote]",
                "[\"\"] | m[]",
                "[\"0xab0000000000000000\"] | m[bytes]"
            })
    void ofValuesOnlyTheTypeCounts(String params, String shape) {
        assertThat(CallShape.of(call(params))).isEqualTo(shape);
    }

    @Test
    void addressesAndHashesAreFormsOfTheirOwn() {
        assertThat(CallShape.of(call("[\"0x" + "1".repeat(40) + "\",\"0x" + "2".repeat(64) + "\"]")))
                .isEqualTo("m[address,hash]");
    }

    @Test
    void aFormThatIsTooLongIsNone() {
        assertThat(CallShape.of(call("[" + "\"0x1\",".repeat(500) + "1]"))).isNull();
        assertThat(CallShape.of(new RpcCall(RawJson.of("1"), "m".repeat(500), null)))
                .isNull();
        assertThat(CallShape.of(new RpcCall(RawJson.of("1"), "m", null))).isEqualTo("m");
    }

    @Test
    void aFormOfTagsFlagsAndNamesHasNoValues() {
        assertThat(CallShape.hasValues(call("[\"safe\",false]"))).isFalse();
        assertThat(CallShape.hasValues(call("[{\"fromBlock\":\"latest\"}]"))).isFalse();
        assertThat(CallShape.hasValues(call("[{\"fromBlock\":\"0x1\"}]"))).isTrue();
        assertThat(CallShape.hasValues(call("[7]"))).isTrue();
        assertThat(CallShape.hasValues(call("[\"a longer text\"]"))).isTrue();
    }

    private static RpcCall call(String params) {
        return new RpcCall(RawJson.of("1"), "m", RawJson.of(params));
    }
}
