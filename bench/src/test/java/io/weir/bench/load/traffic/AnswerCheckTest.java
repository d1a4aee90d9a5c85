package io.weir.bench.load.traffic;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.bench.load.chain.Answers;
import io.weir.bench.load.chain.BenchChain;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AnswerCheckTest {

    private static final String CALL = "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"eth_chainId\",\"params\":[]}";
    private static final String BATCH =
            "[" + CALL + ",{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"eth_blockNumber\",\"params\":[]}]";
    private static AnswerCheck check;

    @BeforeAll
    static void makeTheChain() {
        check = new AnswerCheck(new Answers(new BenchChain())::result);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":\"0x1\"}",
                "{ \"result\": \"0x1\", \"id\": 3, \"jsonrpc\": \"2.0\" }"
            })
    void aRightAnswerIsRightHoweverItIsWritten(String answer) {
        assertThat(problem(CALL, answer)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":\"0x1\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":\"3\",\"result\":\"0x1\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":\"0x2\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":\"0x1\",\"error\":{\"code\":1}}",
                "{\"jsonrpc\":\"2.0\",\"id\":3,\"error\":{\"code\":-32603,\"message\":\"no\"}}",
                "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":\"0x1",
                "[]",
                "no JSON",
                ""
            })
    void everyOtherAnswerIsWrong(String answer) {
        assertThat(problem(CALL, answer)).contains("expected");
    }

    @Test
    void aBatchMayBeAnsweredInAnyOrderButWhole() {
        String first = "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":\"0x1\"}";
        String second = "{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":\"0x190\"}";

        assertThat(problem(BATCH, "[" + first + "," + second + "]")).isNull();
        assertThat(problem(BATCH, "[" + second + "," + first + "]")).isNull();
        assertThat(problem(BATCH, "[" + first + "]")).isNotNull();
        assertThat(problem(BATCH, "[" + first + "," + first + "]")).isNotNull();
        assertThat(problem(BATCH, first)).isNotNull();
    }

    private static String problem(String call, String answer) {
        return check.problem(call.getBytes(UTF_8), answer.getBytes(UTF_8));
    }
}
