package io.weir.plugin.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.api.RpcException;
import io.weir.jsonrpc.RawJson;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class ValueCountTest {

    private static final JsonMapper JSON = new JsonMapper();
    private static final String[] TEXTS = {"", "a", ",", ":", "[", "}", "\\", "\"", "\\\"", "é", "1", "null"};

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '#',
            value = {
                "[] | 1",
                "7 | 1",
                "[1,2.5e-3,true,null] | 5",
                "{\"a\":1,\"b\":{\"c\":[]}} | 4",
                "[ { } , [ [ ] ] , \"x\" ] | 5",
                "[\"a,b:c[]{}\",\"\\\\\",\"\\\"\",{\"\\\"\":1}] | 6",
            })
    void namesAreNoValues(String text, int count) {
        assertThat(ValueCount.of(RawJson.of(text))).isEqualTo(count);
    }

    @Test
    void theCountIsThatOfTheTree() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 2_000; i++) {
            JsonNode tree = tree(random, 5);
            String text = random.nextBoolean() ? tree.toString() : tree.toPrettyString();
            assertThat(ValueCount.of(RawJson.of(text)))
                    .as("seed %d: %s", seed, text)
                    .isEqualTo(count(tree));
        }
    }

    private static JsonNode tree(Random random, int depth) {
        int kind = random.nextInt(depth == 0 ? 4 : 6);
        switch (kind) {
            case 0:
                return JSON.valueToTree(random.nextInt(1_000) - 500);
            case 1:
                return JSON.valueToTree(random.nextBoolean());
            case 2:
                return JSON.nullNode();
            case 3:
                return JSON.valueToTree(TEXTS[random.nextInt(TEXTS.length)]);
            case 4:
                ArrayNode list = JSON.createArrayNode();
                random.ints(random.nextInt(5)).forEach(i -> list.add(tree(random, depth - 1)));
                return list;
            default:
                ObjectNode object = JSON.createObjectNode();
                random.ints(random.nextInt(5))
                        .forEach(i -> object.set(TEXTS[random.nextInt(TEXTS.length)], tree(random, depth - 1)));
                return object;
        }
    }

    private static int count(JsonNode tree) {
        return 1 + tree.valueStream().mapToInt(ValueCountTest::count).sum();
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
