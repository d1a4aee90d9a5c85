package io.weir.pipeline.agree;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RawJson;
import io.weir.method.catalogue.MethodCatalogue;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommonFormTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "eth_getBalance | `\"0x0A\"` | `\"0xa\"`",
                "eth_getCode | `\"0x0A\"` | `\"0x0a\"`",
                "eth_getBlockByHash | `{\"b\": [1, 2], \"a\": {}}` | `{\"a\":{},\"b\":[1,2]}`",
                "debug_traceTransaction | `{\"b\": 1, \"a\": \"0x0A\"}` | `{\"a\":\"0x0A\",\"b\":1}`",
                "debug_traceTransaction | `\"a\\/b\"` | `\"a/b\"`",
                "debug_traceTransaction | `{\"a\":1, \"a\":2}` | `{\"a\":1, \"a\":2}`",
                "eth_getBlockByHash | null | null"
            })
    void equalResultsHaveOneForm(String method, String result, String form) {
        assertThat(CommonForm.of(MethodCatalogue.ethereum().facts(method), RawJson.of(result), Set.of()))
                .hasToString(form);
    }
}
