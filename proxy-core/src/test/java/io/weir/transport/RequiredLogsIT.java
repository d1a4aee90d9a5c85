package io.weir.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.testing.NoLeaks;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests whose headers require that lists of logs are proven, over HTTP and in the handshake of a WebSocket. */
@NoLeaks
class RequiredLogsIT {

    private static final String CALL = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"requires\"}";

    private TestProxy proxy;

    @BeforeEach
    void start() throws Exception {
        proxy = new TestProxy();
        proxy.runner.on(
                "requires",
                (context, sink) -> sink.accept(new RpcReply.Result(
                        RawJson.of(Boolean.toString(context.caller().requiresLogs())))));
    }

    @AfterEach
    void stop() {
        proxy.close();
    }

    @ParameterizedTest
    @CsvSource({"Accept: a, false", "Weir-Require: logs, true", "weir-require:LOGS, true", "Weir-Require:  logs , true"
    })
    void aHeaderCountsForItsRequest(String header, boolean requires) throws Exception {
        try (RawConnection connection = new RawConnection(proxy)) {
            for (int i = 0; i < 3; i++) {
                RawConnection.Answer answer = connection
                        .send(RawConnection.post("/v3/half", CALL, header))
                        .read();
                assertThat(answer.body()).contains("\"result\":" + requires);
                assertThat(connection
                                .send(RawConnection.post("/v3/half", CALL))
                                .read()
                                .body())
                        .contains("\"result\":false");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Weir-Require:", "Weir-Require: receipts", "Weir-Require: logs, all"})
    void anotherValueIsRejected(String header) throws Exception {
        for (String request : new String[] {
            RawConnection.post("/v3/half", CALL, header), RawWebSocket.handshake("/ws/v3/half", header)
        }) {
            try (RawConnection connection = new RawConnection(proxy)) {
                RawConnection.Answer answer = connection.send(request).read();
                assertThat(answer.status()).isEqualTo(400);
                assertThat(answer.body()).contains("Weir-Require: unknown value (expected: logs or state, or both)");
            }
        }
        assertThat(proxy.refused("framing")).isEqualTo(2);
        assertThat(proxy.runner.calls()).isZero();
    }

    @Test
    void theHandshakeOfAWebSocketCountsForAllItsCallsAlsoAfterAReload() throws Exception {
        try (RawWebSocket strict = RawWebSocket.with(proxy, "/ws/v3/half", "Weir-Require: logs");
                RawWebSocket other = RawWebSocket.with(proxy, "/ws/v3/half")) {
            for (int i = 0; i < 2; i++) {
                assertThat(strict.text(CALL).read().text()).contains("\"result\":true");
                assertThat(other.text(CALL).read().text()).contains("\"result\":false");
                proxy.current.publish(proxy.generation(false));
            }
        }
    }
}
