package io.weir.upstream.verdict;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryPauseTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"rate\":{\"allowed_rps\":5,\"backoff_seconds\":30,\"current_rps\":5.2},\"see\":\"https://infura.io/dashboard\"}|30",
                "{\"try_again_in\":\"827.06ms\"}|1",
                "{\"try_again_in\":\"857.594µs\"}|1",
                "{\"try_again_in\" : \"12.5s\"}|13",
                "{\"retry_after\":2}|2",
                "{\"retryAfter\":\"1m\"}|60",
                "{\"try_again_in\":\"10m0s\"}|600",
                "{\"try_again_in\":\"1m2.5s\"}|63",
                "{\"retry_after_seconds\":86400}|3600",
                "\"a text with \\\"backoff_seconds\\\":30\"|0",
                "{\"backoff_seconds\":null}|0",
                "{}|0",
            })
    void membersOfDataNameIt(String data, int seconds) {
        assertThat(RetryPause.seconds(new RpcError(-32005, "limited", RawJson.of(data))))
                .isEqualTo(seconds);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rate limit exceeded, try again in 10 seconds|10",
                "Too many requests. Retry in 5s.|5",
                "call rate limit exhausted, retry in 10m0s|60",
                "call rate limit exhausted, retry in 0m20s|20",
                "please wait for 2 minutes|60",
                "limited: retry after 500ms|1",
                "try again later|0",
                "30/second request limit reached|0",
            })
    void wordsNameItForAMinuteAtMost(String message, int seconds) {
        assertThat(RetryPause.seconds(new RpcError(-32005, message, null))).isEqualTo(seconds);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32005,\"data\":{\"rate\":{\"backoff_seconds\":30.4}}}}|31",
                "<html>Try again in 7 seconds</html>|7",
                "|0",
            })
    void bodiesNeedNotBeJson(String body, int seconds) {
        byte[] bytes = (body == null ? "" : body).getBytes(UTF_8);
        assertThat(RetryPause.seconds(bytes, bytes.length)).isEqualTo(seconds);
    }

    @Test
    void aDateTellsWhenToComeBackToo() {
        long now = 784_111_770_000L; // Sun, 06 Nov 1994 08:49:30 GMT
        assertThat(RetryPause.ofHeader("Sun, 06 Nov 1994 08:49:37 GMT", now)).isEqualTo(7);
        assertThat(RetryPause.ofHeader("Sun, 06 Nov 1994 08:49:00 GMT", now)).isZero();
        assertThat(RetryPause.ofHeader("Sun, 06 Nov 2094 08:49:37 GMT", now)).isEqualTo(3600);
    }
}
