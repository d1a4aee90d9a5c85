package io.weir.app;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcSocket;
import io.weir.testing.WeirProcess;
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

    private static volatile ScriptedAnswers.Script script = (call, out) -> {};
    private static ScriptedAnswers node;
    private static WeirProcess weir;

    @BeforeAll
    static void start() throws IOException {
        node = new ScriptedAnswers((call, out) -> script.answer(call, out));
        weir = WeirProcess.start(ConfigurationText.of("main", "1")
                .upstream("a", node.url())
                .networkSetting("ejection.faults = 0")
                .text());
        await().until(() -> weir.admin().readyStatus() == 200);
    }

    @AfterAll
    static void stop() throws IOException {
        try {
            weir.close();
        } finally {
            node.close();
        }
    }

    @Test
    void theMessageIsTheNodesResultAndOthersComeBehindIt() {
        byte[] result = ScriptedAnswers.result(1, SIZE);
        double before = streamed();
        CountDownLatch others = new CountDownLatch(1);
        script = (call, out) -> {
            int kind = call.path("params").path(0).asInt();
            byte[] body = ScriptedAnswers.body(call, kind == 2 ? "\"small\"".getBytes(US_ASCII) : result);
            out.write(ScriptedAnswers.head("Content-Length: " + body.length));
            out.write(body, 0, body.length / 2);
            if (kind == 0) {
                awaitLatch(others);
            }
            out.write(body, body.length / 2, body.length - body.length / 2);
        };
        try (JsonRpcSocket socket = JsonRpcSocket.connect(weir.socketUrl())) {
            socket.send(call(1, 0));
            await().until(() -> streamed() == before + 1);
            int asked = node.calls();
            socket.send(call(2, 2));
            socket.send(call(3, 1));
            await().until(() -> node.calls() == asked + 2);
            await().until(() -> weir.admin().metric("weir_upstream_in_flight") == 1);
            others.countDown();
            assertThat(socket.await()).isEqualTo(expected(1, result));
            assertThat(List.of(socket.await(), socket.await()))
                    .containsExactlyInAnyOrder(expected(2, "\"small\"".getBytes(US_ASCII)), expected(3, result));
            assertThat(streamed()).isEqualTo(before + 1);
        }
        assertNothingInFlight();
    }

    @Test
    void aNodeThatBreaksOffClosesTheWebSocket() throws Exception {
        byte[] result = ScriptedAnswers.result(2, SIZE);
        double before = weir.admin().metric("weir_upstream_broken_off_total");
        script = (call, out) -> {
            byte[] body = ScriptedAnswers.body(call, result);
            out.write(ScriptedAnswers.head("Content-Length: " + body.length));
            out.write(body, 0, SIZE - 1);
            throw new IOException("cut");
        };
        try (JsonRpcSocket socket = JsonRpcSocket.connect(weir.socketUrl())) {
            socket.send(call(1, 0));
            assertThat(socket.closed().get(1, TimeUnit.MINUTES).code()).isEqualTo(1011);
        }
        await().until(() -> weir.admin().metric("weir_upstream_broken_off_total") == before + 1);
        assertNothingInFlight();
    }

    @Test
    void aClientThatLeavesEndsTheReadingFromTheNode() {
        byte[] result = ScriptedAnswers.result(3, SIZE);
        int failed = node.failed();
        double before = streamed();
        CountDownLatch left = new CountDownLatch(1);
        script = (call, out) -> {
            byte[] body = ScriptedAnswers.body(call, result);
            out.write(ScriptedAnswers.head("Content-Length: " + 25 * body.length));
            out.write(body, 0, SIZE / 2);
            awaitLatch(left);
            for (int i = 0; i < 40; i++) {
                out.write(body, 1, SIZE / 2);
            }
        };
        try (JsonRpcSocket socket = JsonRpcSocket.connect(weir.socketUrl())) {
            socket.send(call(1, 0));
            await().until(() -> streamed() == before + 1);
        }
        await().until(() -> weir.admin().metric("weir_websockets") == 0);
        left.countDown();
        await().until(() -> node.failed() == failed + 1);
        assertNothingInFlight();
    }

    private static void assertNothingInFlight() {
        await().until(() -> weir.admin().metric("weir_bytes_in_flight") == 0);
        await().until(() -> weir.admin().metric("weir_upstream_in_flight") == 0);
    }

    private static double streamed() {
        return weir.admin().metric("weir_upstream_streamed_total");
    }

    private static String call(int id, int kind) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"trace_filter\",\"params\":[" + kind + "]}";
    }

    private static String expected(int id, byte[] result) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + new String(result, UTF_8) + "}";
    }

    private static void awaitLatch(CountDownLatch latch) throws IOException {
        try {
            assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
