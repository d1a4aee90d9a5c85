package io.weir.method;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MethodPatternTest {

    @Test
    void aNameMeansThatMethodOnly() {
        assertThat(MethodPattern.matches("eth_call", "eth_call")).isTrue();
        assertThat(MethodPattern.matches("eth_call", "eth_callMany")).isFalse();
        assertThat(MethodPattern.matches("eth_call", "eth_cal")).isFalse();
        assertThat(MethodPattern.matches("eth_call", "ETH_CALL")).isFalse();
        assertThat(MethodPattern.matches("eth_call", "")).isFalse();
    }

    @Test
    void aPrefixMeansEveryMethodThatBeginsSo() {
        assertThat(MethodPattern.matches("debug_*", "debug_traceCall")).isTrue();
        assertThat(MethodPattern.matches("debug_*", "debug_")).isTrue();
        assertThat(MethodPattern.matches("debug_*", "debug")).isFalse();
        assertThat(MethodPattern.matches("debug_*", "xdebug_traceCall")).isFalse();
    }

    @Test
    void aStarMeansEveryMethod() {
        assertThat(MethodPattern.matches("*", "anything at all")).isTrue();
        assertThat(MethodPattern.matches("*", "")).isTrue();
    }

    @Test
    void aDotOrABracketIsNoPattern() {
        assertThat(MethodPattern.matches("eth.call", "eth_call")).isFalse();
        assertThat(MethodPattern.matches("[a-z]*", "eth_call")).isFalse();
    }

    @Test
    void oneOfManyPatternsIsEnough() {
        assertThat(MethodPattern.anyMatches(List.of("net_*", "eth_call"), "eth_call"))
                .isTrue();
        assertThat(MethodPattern.anyMatches(List.of("net_*", "eth_call"), "eth_sign"))
                .isFalse();
        assertThat(MethodPattern.anyMatches(List.of(), "eth_call")).isFalse();
    }
}
