package io.weir.plugin.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.api.RpcException;
import io.weir.jsonrpc.RawJson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

class TreesTest {

    private static final JsonMapper JSON = new JsonMapper();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '#',
            value = {
                "[] | 1",
                "7 | 1",
                "[1,25,true,null] | 5",
                "{\"a\":1,\"b\":{\"c\":[]}} | 4",
                "[ { } , [ [ ] ] , \"x\" ] | 5",
                "[\"a,b:c[]{}\",\"\\\\\",\"\\\"\",{\"\\\"\":1}] | 6",
            })
    void namesAreNoValues(String text, int count) {
        RawJson params = RawJson.of(text);

        assertThat(new Trees(count).params(params)).isEqualTo(JSON.readTree(text));
        assertThatThrownBy(() -> new Trees(count - 1).params(params))
                .hasMessage("params: %d values (expected: at most %d)", count, count - 1);
    }

    @Test
    void parametersOfAPluginsMethodWithTooManyValuesMakeNoTree() {
        Trees trees = new Trees(3);

        assertThat(trees.params(RawJson.of("[1,2]")).size()).isEqualTo(2);
        assertThatThrownBy(() -> trees.params(RawJson.of("[1,2,3]")))
                .isInstanceOf(RpcException.class)
                .hasMessage("params: 4 values (expected: at most 3)");
    }
}
