package io.weir.app;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.traffic.ScriptedAnswers;
import java.io.IOException;
import java.net.Socket;
import org.junit.jupiter.api.Test;

/** Batches while other requests hold nearly all bytes in flight. */
final class BatchWithoutRoomIT {

    private static final int HELD = 8 << 20;
    private static final int ROOM = 128 << 10;

    @Test
    void aResultWithoutRoomInItsTurnIsAnErrorAndIsNotAskedForAgainAndAgain() throws IOException {
        byte[] result = ScriptedAnswers.result(1, 2 * ROOM - 10_000);
        byte[] small = "\"small\"".getBytes(US_ASCII);
        try (StreamingProxy proxy = new StreamingProxy(
                        "server.max-body = 8 MiB",
                        "server.bytes-in-flight = 8320 KiB",
                        "server.request-timeout = 5 m");
                Socket others = proxy.send(unfinished())) {
            assertThat(others.isConnected()).isTrue();
            await().until(() -> proxy.weir.admin().metric("weir_bytes_in_flight") == HELD);
            proxy.script = (call, out) -> {
                boolean large = call.path("params").path(0).asInt() == 1;
                ScriptedAnswers.writeWhole(out, ScriptedAnswers.body(call, large ? result : small));
            };
            String batch = "[" + call(0) + "," + call(1) + "," + call(2) + "]";
            String body = new String(proxy.ask(StreamingProxy.request(batch)).body(), UTF_8);
            assertThat(body)
                    .startsWith("[{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":\"small\"},{")
                    .contains("\"id\":1,\"error\":{\"code\":-32603,\"message\":\"overloaded: no room for the answer\"")
                    .endsWith("},{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":\"small\"}]");
            assertThat(proxy.node.calls()).isLessThan(10);
        }
    }

    /** Returns a request whose last byte is missing. */
    private static String unfinished() {
        String whole = StreamingProxy.request(" ".repeat(HELD));
        return whole.substring(0, whole.length() - 1);
    }

    private static String call(int place) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + place + ",\"method\":\"trace_filter\",\"params\":[" + place + "]}";
    }
}
