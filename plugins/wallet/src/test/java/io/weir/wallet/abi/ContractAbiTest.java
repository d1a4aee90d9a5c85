package io.weir.wallet.abi;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.l2.Felt;
import io.weir.wallet.approval.ApprovalRequest.Argument;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class ContractAbiTest {
    private static final String ABI = """
        [{"type":"struct","name":"a::Point","members":[{"name":"x","type":"core::felt252"},
          {"name":"y","type":"core::integer::u8"}]},
         {"type":"struct","name":"a::Endless","members":[{"name":"more","type":"a::Endless"}]},
         {"type":"function","name":"draw","inputs":[{"name":"points","type":"core::array::Array::<a::Point>"},
          {"name":"closed","type":"core::bool"},{"name":"width","type":"core::integer::u256"}]},
         {"type":"function","name":"loop","inputs":[{"name":"all","type":"a::Endless"}]},
         {"type":"function","name":"odd","inputs":[{"name":"one","type":"core::option::Option::<core::felt252>"}]}]
        """;

    private final ContractAbi abi =
            ContractAbi.read(JsonMapper.builder().build().readTree(ABI));

    private static List<Felt> felts(long... numbers) {
        return Arrays.stream(numbers).mapToObj(Felt::of).toList();
    }

    @Test
    void argumentsAreNamedAndTyped() {
        assertThat(abi.decode("draw", felts(2, 16, 3, 17, 4, 1, 5, 1)).orElseThrow())
                .containsExactly(
                        new Argument("points", "Array::<Point>", "[{x: 0x10, y: 3}, {x: 0x11, y: 4}]"),
                        new Argument("closed", "bool", "true"),
                        new Argument("width", "u256", "340282366920938463463374607431768211461"));
    }

    @Test
    void whatDoesNotFitToTheLastElementIsNotDescribed() {
        assertThat(abi.decode("draw", felts(1, 16, 3, 1, 5))).isEmpty();
        assertThat(abi.decode("draw", felts(1, 16, 3, 1, 5, 0, 9))).isEmpty();
        assertThat(abi.decode("draw", felts(9, 16, 3, 1, 5, 0))).isEmpty();
        assertThat(abi.decode("loop", felts(1))).isEmpty();
        assertThat(abi.decode("odd", felts(0, 1))).isEmpty();
        assertThat(abi.decode("unknown", felts(0, 1))).isEmpty();
    }

    @Test
    void aDescriptionThatIsNoneDescribesNothing() {
        assertThat(ContractAbi.read(JsonMapper.builder().build().readTree("7")).decode("draw", felts(1)))
                .isEmpty();
    }

    @Test
    void aDescriptionThatMultipliesIsGivenUp() {
        StringBuilder text = new StringBuilder("[{'type':'function','name':'f','inputs':[{'name':'a','type':'s0'}]}");
        for (int level = 0; level < 8; level++) {
            text.append(",{'type':'struct','name':'s").append(level).append("','members':[");
            for (int member = 0; member < 12; member++) {
                text.append(member == 0 ? "" : ",")
                        .append("{'name':'m','type':'s")
                        .append(level + 1)
                        .append("'}");
            }
            text.append("]}");
        }
        text.append(",{'type':'struct','name':'s8','members':[]}]");
        ContractAbi bomb = ContractAbi.read(
                JsonMapper.builder().build().readTree(text.toString().replace('\'', '"')));
        assertThat(bomb.decode("f", List.of())).isEmpty();
    }

    @Test
    void aLongTypeCostsNoMoreThanItsLength() {
        String type = "a".repeat(2_000_000);
        String text =
                "[{\"type\":\"function\",\"name\":\"f\",\"inputs\":[{\"name\":\"x\",\"type\":\"" + type + "\"}]}]";
        ContractAbi description = ContractAbi.read(JsonMapper.builder().build().readTree(text));
        assertThat(org.junit.jupiter.api.Assertions.assertTimeoutPreemptively(
                        java.time.Duration.ofSeconds(5), () -> description.decode("f", felts(1))))
                .isEmpty();
    }
}
