package io.weir.app;

import static io.weir.app.StreamingProxy.expected;
import static io.weir.app.StreamingProxy.request;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.testing.traffic.StrictAnswer;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Large results that go on to the client while they arrive, in the form of their method and in another one. */
final class StreamedFormsIT {

    private static final int SIZE = 1_000_000;
    private static final String ADDRESS = '"' + "0x" + "1".repeat(40) + '"';

    private static StreamingProxy proxy;

    @BeforeAll
    static void start() throws IOException {
        proxy = new StreamingProxy();
    }

    @AfterAll
    static void stop() throws IOException {
        proxy.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            eth_call         | {}                           | [0   | ]
            eth_call         | {}                           | {"a":"  | "}
            eth_getBalance   | #                            | "0x0 | "
            eth_getStorageAt | #,"0x0"                      | [0   | ]
            eth_getProof     | #,[]                         | "0x  | "
            eth_simulateV1   | {"blockStateCalls":[{}]}     | {"a":"  | "}
            """)
    void aResultOfAnotherFormIsBrokenOff(String method, String params, String begin, String end) throws IOException {
        double before = proxy.streamed();
        proxy.answerWith((begin + "0".repeat(SIZE) + end).getBytes(US_ASCII));
        assertThatThrownBy(() -> ask(method, params)).isInstanceOf(IOException.class);
        assertThat(proxy.streamed()).isEqualTo(before + 1);
        assertThat(proxy.weir.admin().metric("weir_upstream_bad_answers_total", "reason=\"wrong_form\""))
                .isPositive();
        proxy.assertNothingInFlight();
    }

    @ParameterizedTest
    @ValueSource(strings = {"eth_call", "eth_simulateV1", "eth_getProof"})
    void aResultOfTheMethodsFormArrivesByteForByte(String method) throws IOException {
        String digits = "0123456789abcdefABCDEF".repeat(SIZE / 22);
        String result = switch (method) {
            case "eth_call" -> "\"0x" + digits + '"';
            case "eth_simulateV1" -> "[{\"number\":\"0x1\"}, {\"logs\":[1,\"" + digits + "\"]} ]";
            default -> "{\"address\":" + ADDRESS + ",\"accountProof\":[\"0x" + digits + "\"]}";
        };
        String params = switch (method) {
            case "eth_call" -> "{}";
            case "eth_simulateV1" -> "{\"blockStateCalls\":[{}]}";
            default -> "#,[]";
        };
        proxy.answerWith(result.getBytes(US_ASCII));
        assertThat(ask(method, params).body()).isEqualTo(expected("1", result.getBytes(US_ASCII)));
    }

    private static StrictAnswer ask(String method, String params) throws IOException {
        String call = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\",\"params\":["
                + params.replace("#", ADDRESS) + ",\"0x5\"]}";
        return proxy.ask(request(call, "Connection: close"));
    }
}
