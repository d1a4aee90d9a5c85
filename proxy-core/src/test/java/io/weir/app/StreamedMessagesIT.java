package io.weir.app;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.JsonRpcSocket;
import io.weir.testing.traffic.ScriptedAnswers;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Large results that go on to a WebSocket in fragments of one message while they arrive. */
final class StreamedMessagesIT {

    private static final int SIZE = 2_000_000;

    private static StreamingProxy proxy;

    @BeforeAll
    static void start() throws IOException {
        proxy = new StreamingProxy();
    }

    @AfterAll
    static void stop() throws IOException {
        proxy.close();
    }

    @Test
    void theMessageIsTheNodesResultAndOthersComeBehindIt() {
        byte[] result = ScriptedAnswers.result(1, SIZE);
        double before = proxy.streamed();
        CountDownLatch others = new CountDownLatch(1);
        proxy.script = (call, out) -> {
            int kind = call.path("params").path(0).asInt();
            byte[] body = ScriptedAnswers.body(call, kind == 2 ? "\"small\"".getBytes(US_ASCII) : result);
            out.write(ScriptedAnswers.head("Content-Length: " + body.length));
            out.write(body, 0, body.length / 2);
            if (kind == 0) {
                StreamingProxy.awaitLatch(others);
            }
            out.write(body, body.length / 2, body.length - body.length / 2);
        };
        try (JsonRpcSocket socket = JsonRpcSocket.connect(proxy.weir.socketUrl())) {
            socket.send(call(1, 0));
            await().until(() -> proxy.streamed() == before + 1);
            int asked = proxy.node.calls();
            socket.send(call(2, 2));
            socket.send(call(3, 1));
            await().until(() -> proxy.node.calls() == asked + 2);
            await().until(() -> proxy.weir.admin().metric("weir_upstream_in_flight") == 1);
            others.countDown();
            assertThat(socket.await()).isEqualTo(expected(1, result));
            assertThat(List.of(socket.await(), socket.await()))
                    .containsExactlyInAnyOrder(expected(2, "\"small\"".getBytes(US_ASCII)), expected(3, result));
            assertThat(proxy.streamed()).isEqualTo(before + 1);
        }
        proxy.assertNothingInFlight();
    }

    @Test
    void aNodeThatBreaksOffClosesTheWebSocket() throws Exception {
        byte[] result = ScriptedAnswers.result(2, SIZE);
        double before = proxy.brokenOff();
        proxy.breakOffAfter(result, SIZE - 1);
        try (JsonRpcSocket socket = JsonRpcSocket.connect(proxy.weir.socketUrl())) {
            socket.send(call(1, 0));
            assertThat(socket.closed().get(1, TimeUnit.MINUTES).code()).isEqualTo(1011);
        }
        await().until(() -> proxy.brokenOff() == before + 1);
        proxy.assertNothingInFlight();
    }

    @Test
    void aClientThatLeavesEndsTheReadingFromTheNode() {
        byte[] result = ScriptedAnswers.result(3, SIZE);
        int failed = proxy.node.failed();
        double before = proxy.streamed();
        CountDownLatch left = new CountDownLatch(1);
        proxy.script = (call, out) -> {
            byte[] body = ScriptedAnswers.body(call, result);
            out.write(ScriptedAnswers.head("Content-Length: " + 25 * body.length));
            out.write(body, 0, SIZE / 2);
            StreamingProxy.awaitLatch(left);
            for (int i = 0; i < 40; i++) {
                out.write(body, 1, SIZE / 2);
            }
        };
        try (JsonRpcSocket socket = JsonRpcSocket.connect(proxy.weir.socketUrl())) {
            socket.send(call(1, 0));
            await().until(() -> proxy.streamed() == before + 1);
        }
        await().until(() -> proxy.weir.admin().metric("weir_websockets") == 0);
        left.countDown();
        await().until(() -> proxy.node.failed() == failed + 1);
        proxy.assertNothingInFlight();
    }

    private static String call(int id, int kind) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"trace_filter\",\"params\":[" + kind + "]}";
    }

    private static String expected(int id, byte[] result) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + new String(result, UTF_8) + "}";
    }
}
