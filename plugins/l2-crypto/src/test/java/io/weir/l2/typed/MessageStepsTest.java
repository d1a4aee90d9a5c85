package io.weir.l2.typed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.weir.l2.Felt;
import io.weir.l2.StepBudget;
import io.weir.l2.Vectors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Isolated("its largest messages fill most of the heap")
class MessageStepsTest {
    private static final String ACTIVE =
            "'StarknetDomain':[{'name':'name','type':'shortstring'},{'name':'revision','type':'shortstring'}]";
    private static final String LEGACY = "'StarkNetDomain':[{'name':'name','type':'felt'}]";

    private static TypedData message(boolean active, String types, String value) {
        String domain = active ? "{'name':'test','revision':'1'}" : "{'name':'test'}";
        String text = "{'types':{" + (active ? ACTIVE : LEGACY) + "," + types + "},'primaryType':'M','domain':" + domain
                + ",'message':{'a':" + value + "}}";
        return TypedData.of(Vectors.parse(text.replace('\'', '"')));
    }

    private static String root(String type) {
        return "'M':[{'name':'a','type':'" + type + "'}]";
    }

    private static String list(int size, String element) {
        return IntStream.range(0, size).mapToObj(index -> element).collect(Collectors.joining(",", "[", "]"));
    }

    /** Types that all need each other: each type's text holds all of them. */
    private static String mesh(int size) {
        StringBuilder types = new StringBuilder(root("t0"));
        for (int type = 0; type < size; type++) {
            int first = type * 8 + 1;
            String fields = IntStream.range(0, 8)
                    .mapToObj(field -> "{'name':'" + field + "','type':'t" + (first + field) % size + "*'}")
                    .collect(Collectors.joining(","));
            types.append(",'t").append(type).append("':[").append(fields).append(']');
        }
        return types.toString();
    }

    private static String nested(int depth, String name, String innermost) {
        return depth == 0 ? innermost : "{'" + name + "':[" + nested(depth - 1, name, innermost) + "]}";
    }

    private static String tree(int depth, int width) {
        return depth == 0 ? "{'n':[]}" : "{'n':" + list(width, tree(depth - 1, width)) + "}";
    }

    static Stream<Arguments> heavyMessages() {
        String leaves = "'M':[{'name':'a','type':'merkletree','contains':'felt'}]";
        String longName = "n".repeat(20_000);
        String choice = "'M':[{'name':'a','type':'Deep*'}],'Deep':[{'name':'e','type':'enum','contains':'E'}],"
                + "'E':[{'name':'v','type':'(" + "u128,".repeat(255) + "u128)'}]";
        return Stream.of(
                Arguments.of("felts of Poseidon", message(true, root("felt*"), list(9_900, "1"))),
                Arguments.of("felts of Pedersen", message(false, root("felt*"), list(990, "1"))),
                Arguments.of("leaves of Poseidon", message(true, leaves, list(9_000, "1"))),
                Arguments.of("leaves of Pedersen", message(false, leaves, list(900, "1"))),
                Arguments.of("long text", message(true, root("string"), "'" + "x".repeat(1_000_000) + "'")),
                Arguments.of(
                        "long names within each other",
                        message(
                                true,
                                root("L") + ",'L':[{'name':'" + longName + "','type':'L*'}]",
                                nested(
                                        14,
                                        longName,
                                        list(3_000, "{'" + longName + "':[]}").replaceAll("^\\[|]$", "")))),
                Arguments.of("tuples of enums", message(true, choice, list(39, "{'e':{'v':" + list(256, "1") + "}}"))),
                Arguments.of(
                        "structs within structs",
                        message(true, root("N") + ",'N':[{'name':'n','type':'N*'}]", tree(4, 9))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("heavyMessages")
    void aHeavyMessageIsRefusedWithinTheStepsOfAMessage(String name, TypedData message) {
        StepBudget budget = new StepBudget(MeteredHash.MAX_STEPS);
        assertThatIllegalArgumentException()
                .as(name)
                .isThrownBy(() -> message.messageHash(Felt.ONE, budget))
                .withMessageContaining("too much to read and hash (expected: a message of at most 500000 steps")
                .satisfies(refused -> assertThat(refused.getMessage()).hasSizeLessThan(400));
        assertThat(budget.isSpent()).isTrue();
    }

    @Test
    void aMessageOfAThousandNumbersHasStepsToSpare() {
        TypedData message = message(true, root("felt*"), list(1_000, "1"));
        assertThatNoException()
                .isThrownBy(() -> message.messageHash(Felt.ONE, new StepBudget(MeteredHash.MAX_STEPS / 4)));
    }

    @Test
    void typesThatAllNeedEachOtherTakeStepsByTheirLengthAlone() {
        String value = IntStream.range(0, 8)
                .mapToObj(field -> "'" + field + "':[]")
                .collect(Collectors.joining(",", "{", "}"));
        TypedData message = message(true, mesh(250), value);
        assertThatNoException().isThrownBy(() -> message.messageHash(Felt.ONE, new StepBudget(20_000)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> message.messageHash(Felt.ONE, new StepBudget(4_000)))
                .withMessageStartingWith("types: too much to read and hash");
    }
}
