package io.weir.wallet.abi;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.l2.Felt;
import io.weir.l2.StepBudget;
import io.weir.l2.hash.Selector;
import io.weir.wallet.approval.Content.Argument;
import java.math.BigInteger;
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

    private final ContractAbi abi = read(ABI, steps());

    private static ContractAbi read(String text, StepBudget steps) {
        return ContractAbi.read(JsonMapper.builder().build().readTree(text.replace('\'', '"')), steps);
    }

    private static StepBudget steps() {
        return new StepBudget(CallDescriber.MAX_STEPS);
    }

    private static List<Felt> felts(long... numbers) {
        return Arrays.stream(numbers).mapToObj(Felt::of).toList();
    }

    @Test
    void argumentsAreNamedAndTyped() {
        assertThat(abi.decode("draw", felts(2, 16, 3, 17, 4, 1, 5, 1), steps()).orElseThrow())
                .containsExactly(
                        new Argument("points", "Array::<Point>", "[{x: 0x10, y: 3}, {x: 0x11, y: 4}]"),
                        new Argument("closed", "bool", "true"),
                        new Argument("width", "u256", "340282366920938463463374607431768211461"));
    }

    @Test
    void aTypeWithoutAPathIsShownWhole() {
        String function = "[{'type':'function','name':'f','inputs':[{'name':'a','type':'felt'}]}]";
        assertThat(read(function, steps()).decode("f", felts(7), steps()).orElseThrow())
                .extracting(Argument::type)
                .containsExactly("felt");
    }

    @Test
    void whatDoesNotFitToTheLastElementIsNotDescribed() {
        assertThat(abi.decode("draw", felts(1, 16, 3, 1, 5), steps())).isEmpty();
        assertThat(abi.decode("draw", felts(1, 16, 3, 1, 5, 0, 9), steps())).isEmpty();
        assertThat(abi.decode("draw", felts(9, 16, 3, 1, 5, 0), steps())).isEmpty();
        assertThat(abi.decode("loop", felts(1), steps())).isEmpty();
        assertThat(abi.decode("odd", felts(0, 1), steps())).isEmpty();
        assertThat(abi.decode("unknown", felts(0, 1), steps())).isEmpty();
    }

    @Test
    void aFunctionIsFoundByItsSelector() {
        assertThat(abi.nameOf(Selector.of("draw"), steps())).contains("draw");
        assertThat(abi.nameOf(Selector.of("erase"), steps())).isEmpty();
        assertThat(abi.nameOf(Selector.of("draw"), new StepBudget(1))).isEmpty();
    }

    @Test
    void onlyAClassThatIsKnownAsAWholeLacksAFunction() {
        assertThat(abi.lacks("erase", steps())).isTrue();
        assertThat(abi.lacks("draw", steps())).isFalse();
        assertThat(read("[]", steps()).lacks("erase", steps())).isFalse();
        StepBudget spent = new StepBudget(1);
        spent.spend(2);
        assertThat(abi.lacks("erase", spent)).isFalse();
        String proxy = "[{'type':'function','name':'__default__','inputs':[]}]";
        assertThat(read(proxy, steps()).lacks("erase", steps()))
                .as("it passes all calls on")
                .isFalse();
    }

    @Test
    void aDescriptionThatIsNoneDescribesNothing() {
        assertThat(read("7", steps()).decode("draw", felts(1), steps())).isEmpty();
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
        ContractAbi bomb = read(text.toString(), steps());
        assertThat(bomb.decode("f", List.of(), steps())).isEmpty();
    }

    @Test
    void aLongTypeCostsNoMoreThanItsLength() {
        String type = "a".repeat(2_000_000);
        String text =
                "[{\"type\":\"function\",\"name\":\"f\",\"inputs\":[{\"name\":\"x\",\"type\":\"" + type + "\"}]}]";
        ContractAbi description = read(text, steps());
        assertThat(org.junit.jupiter.api.Assertions.assertTimeoutPreemptively(
                        java.time.Duration.ofSeconds(5), () -> description.decode("f", felts(1), steps())))
                .isEmpty();
    }

    @Test
    void aDescriptionAboveItsStepsIsReadNoFurther() {
        StringBuilder text =
                new StringBuilder("[{'type':'function','name':'first','inputs':[{'name':'a','type':'felt'}]}");
        for (int index = 0; index < 200; index++) {
            text.append(",{'type':'struct','name':'s','members':[{'name':'m','type':'felt'}]}");
        }
        text.append(",{'type':'function','name':'last','inputs':[{'name':'a','type':'felt'}]}]");
        StepBudget few = new StepBudget(100);
        ContractAbi description = read(text.toString(), few);
        assertThat(few.isSpent()).isTrue();
        assertThat(description.decode("first", felts(1), steps())).isPresent();
        assertThat(description.decode("last", felts(1), steps())).isEmpty();
        assertThat(description.decode("first", felts(1), few)).isEmpty();
    }

    @Test
    void theWorstArgumentsTakeAFractionOfTheSteps() {
        Felt[] numbers = new Felt[7_001];
        Arrays.fill(numbers, Felt.of(Felt.PRIME.subtract(BigInteger.ONE)));
        numbers[0] = Felt.of(7_000);
        String list = "[{'type':'function','name':'f','inputs':[{'name':'a','type':'core::array::Array::<felt>'}]}]";
        StepBudget enough = new StepBudget(CallDescriber.MAX_STEPS / 2);
        assertThat(read(list, enough).decode("f", List.of(numbers), enough)).isPresent();
        String longTypes = "[{'type':'function','name':'f','inputs':[{'name':'a','type':'core::array::Array::<"
                + "core::array::Span::<".repeat(7) + "felt" + ">".repeat(8) + "'}]}]";
        StepBudget nested = new StepBudget(CallDescriber.MAX_STEPS / 2);
        assertThat(read(longTypes, nested).decode("f", List.of(numbers), nested))
                .isEmpty();
        assertThat(nested.isSpent()).isFalse();
    }
}
