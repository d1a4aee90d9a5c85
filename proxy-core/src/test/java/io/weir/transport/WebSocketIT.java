package io.weir.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.metrics.Meter;
import io.weir.pipeline.RequestAnswer;
import io.weir.testing.NoLeaks;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages over WebSocket, frame by frame. */
@NoLeaks
class WebSocketIT {

    private static final String PATH = "/ws/v3/" + TestProxy.KEY;
    private static final String CALL = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"network\"}";
    private static final String ANSWER = "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":\"main\"}";
    private static final int MAX = 4;

    private final Held held = new Held();
    private TestProxy proxy;

    /** The listener's configuration before the bounds of these tests. */
    ServerBounds bounds() {
        return new ServerBounds();
    }

    @BeforeEach
    void start() throws Exception {
        ServerBounds bounds = bounds();
        bounds.maxPipelined = MAX;
        bounds.maxBodyBytes = 2 << 20;
        proxy = new TestProxy(bounds);
        proxy.runner.on("held", held);
    }

    @AfterEach
    void stop() {
        proxy.close();
    }

    @Test
    void aCallIsAnsweredByOneTextFrame() throws Exception {
        try (RawWebSocket socket = new RawWebSocket(proxy, PATH)) {
            RawWebSocket.Frame frame = socket.text(CALL).read();
            assertThat(frame.first()).isEqualTo(0x81);
            assertThat(frame.text()).isEqualTo(ANSWER);
            assertThat(proxy.gauge(Meter.WEBSOCKETS)).isEqualTo(1);
        }
        await().until(() -> proxy.gauge(Meter.WEBSOCKETS) == 0);
    }

    @Test
    void aCallThatComesTogetherWithTheHandshakeIsAnswered() throws Exception {
        try (RawWebSocket socket = new RawWebSocket(proxy, PATH, RawWebSocket.frame(0x81, CALL.getBytes(UTF_8)))) {
            assertThat(socket.read().text()).isEqualTo(ANSWER);
        }
    }

    @Test
    void aBinaryFrameThatHoldsJsonIsAnsweredByText() throws Exception {
        try (RawWebSocket socket = new RawWebSocket(proxy, PATH)) {
            RawWebSocket.Frame frame =
                    socket.send(RawWebSocket.BINARY, true, CALL.getBytes(UTF_8)).read();
            assertThat(frame.first()).isEqualTo(0x81);
            assertThat(frame.text()).isEqualTo(ANSWER);
        }
    }

    @Test
    void callsAreAnsweredAsTheyEnd() throws Exception {
        try (RawWebSocket socket = new RawWebSocket(proxy, PATH)) {
            socket.text(held(1)).text(held(2)).text(CALL);
            assertThat(socket.read().text()).isEqualTo(ANSWER);
            await().until(() -> held.count() == 2);
            held.release("2");
            assertThat(socket.read().text()).contains("\"id\":2,");
            held.release("1");
            assertThat(socket.read().text()).contains("\"id\":1,");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void manyCallsInFlightAreAnsweredInTheOrderInWhichTheyEnd(int seed) throws Exception {
        List<Integer> order = new ArrayList<>(IntStream.range(0, 200).boxed().toList());
        Collections.shuffle(order, new Random(seed));
        ServerBounds bounds = bounds();
        bounds.maxPipelined = order.size() + 1;
        try (TestProxy wide = new TestProxy(bounds);
                RawWebSocket socket = new RawWebSocket(wide, PATH)) {
            wide.runner.on("held", held);
            for (int i = 0; i < order.size(); i++) {
                socket.text(held(i));
            }
            await().until(() -> held.count() == order.size());
            byte[] payload = "still there?".getBytes(UTF_8);
            assertThat(socket.send(RawWebSocket.PING, true, payload).read().payload())
                    .as("seed %d", seed)
                    .isEqualTo(payload);
            for (int id : order) {
                held.release(Integer.toString(id));
                assertThat(socket.read().text()).as("seed %d", seed).contains("\"id\":" + id + ",");
            }
        }
    }

    @Test
    void keepAlivesWithAndWithoutIdLeaveTheSocketHealthy() throws Exception {
        proxy.runner.on("net_version", call -> RawJson.of("\"1\""));
        String params = "\"method\":\"net_version\",\"params\":[]}";
        try (RawWebSocket socket = new RawWebSocket(proxy, PATH)) {
            for (int i = 0; i < 3; i++) {
                socket.text("{\"jsonrpc\":\"2.0\"," + params);
                RawWebSocket.Frame answer = socket.text("{\"jsonrpc\":\"2.0\",\"id\":null," + params)
                        .read();
                assertThat(answer.text()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":null,\"result\":\"1\"}");
            }
            // The one answer is all that came, and the socket still serves.
            assertThat(socket.text(CALL).read().text()).isEqualTo(ANSWER);
            assertThat(proxy.runner.calls()).isEqualTo(7);
        }
    }

    @Test
    void noMoreMessagesAreTakenThanMayBeInFlight() throws Exception {
        try (RawWebSocket socket = new RawWebSocket(proxy, PATH)) {
            int messages = 40;
            for (int i = 0; i < messages; i++) {
                socket.text(held(i));
            }
            for (int i = 0; i < messages; i++) {
                int expected = Math.min(MAX, messages - i);
                await().until(() -> held.count() >= expected);
                assertThat(held.count()).isEqualTo(expected);
                held.release(Integer.toString(i));
                assertThat(socket.read().text()).contains("\"id\":" + i + ",");
            }
        }
    }

    @Test
    void notificationsGetSilenceAndAnIdOfNullAnAnswer() throws Exception {
        try (RawWebSocket socket = new RawWebSocket(proxy, PATH)) {
            socket.text("{\"jsonrpc\":\"2.0\",\"method\":\"echo\"}");
            socket.text("[{\"jsonrpc\":\"2.0\",\"method\":\"echo\"},{\"jsonrpc\":\"2.0\",\"method\":\"nothing\"}]");
            socket.text("{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"echo\",\"params\":[]}");
            assertThat(socket.read().text()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":null,\"result\":[]}");
            assertThat(proxy.runner.calls()).isEqualTo(4);
        }
    }

    @Test
    void aBatchIsAnsweredByOneFrameInOrder() throws Exception {
        try (RawWebSocket socket = new RawWebSocket(proxy, PATH)) {
            assertThat(socket.text("[" + CALL + ",2," + CALL + "]").read().text())
                    .startsWith("[" + ANSWER + ",{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600")
                    .endsWith("," + ANSWER + "]");
        }
    }

    @Test
    void aBodyRejectedWholeGetsOneObjectForEachId() throws Exception {
        RpcReply.Failure failure =
                new RpcReply.Failure(ErrorCode.LIMIT_EXCEEDED.error(), RpcReply.FailureKind.RATE_LIMITED, 5);
        String error = "\"error\":{\"code\":-32005,\"message\":\"rate limit exceeded\"}}";
        List<RawJson> two = List.of(RawJson.of("1"), RawJson.of("\"b\""));
        try (RawWebSocket socket = new RawWebSocket(proxy, PATH)) {
            proxy.runner.answerAll(body -> new RequestAnswer.Refused(two, failure, true));
            assertThat(socket.text("[]").read().text())
                    .isEqualTo("[{\"jsonrpc\":\"2.0\",\"id\":1," + error + ",{\"jsonrpc\":\"2.0\",\"id\":\"b\"," + error
                            + "]");
            proxy.runner.answerAll(body -> new RequestAnswer.Refused(List.of(), failure, true));
            socket.text("[]").send(RawWebSocket.PING, true, new byte[0]);
            assertThat(socket.read().opcode()).isEqualTo(RawWebSocket.PONG);
            proxy.runner.answerAll(body -> new RequestAnswer.Refused(two.subList(0, 1), failure, false));
            assertThat(socket.text("{}").read().text()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1," + error);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void fragmentsArePutTogetherWithPingsBetweenThem(int seed) throws Exception {
        Random random = new Random(seed);
        String params = "[\"" + "é".repeat(random.nextInt(50_000)) + "\"]";
        byte[] call = ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\",\"params\":" + params + "}").getBytes(UTF_8);
        try (RawWebSocket socket = new RawWebSocket(proxy, PATH)) {
            int opcode = random.nextBoolean() ? RawWebSocket.TEXT : RawWebSocket.BINARY;
            int at = 0;
            while (at < call.length) {
                int end = Math.min(call.length, at + random.nextInt(20_000));
                socket.send(opcode, end == call.length, java.util.Arrays.copyOfRange(call, at, end));
                socket.send(RawWebSocket.PING, true, new byte[] {(byte) seed});
                RawWebSocket.Frame next = socket.read();
                if (next.opcode() == RawWebSocket.TEXT) {
                    assertThat(end).as("seed %d", seed).isEqualTo(call.length);
                    assertThat(next.text()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" + params + "}");
                    next = socket.read();
                }
                assertThat(next.opcode()).as("seed %d", seed).isEqualTo(RawWebSocket.PONG);
                assertThat(next.payload()).containsExactly(seed);
                opcode = RawWebSocket.CONTINUATION;
                at = end;
            }
            assertThat(proxy.runner.calls()).isEqualTo(1);
        }
    }

    @Test
    void invalidUtf8InTextClosesWith1007() throws Exception {
        assertClosed(1007, RawWebSocket.frame(0x81, new byte[] {'"', (byte) 0xc3, 0x28, '"'}));
        assertClosed(1007, RawWebSocket.frame(0x81, new byte[] {'"', (byte) 0xed, (byte) 0xa0, (byte) 0x80, '"'}));
        assertClosed(1007, RawWebSocket.frame(0x81, new byte[] {'"', (byte) 0xc3}));
        assertThat(proxy.runner.calls()).isZero();
    }

    @Test
    void invalidUtf8InABinaryFrameIsAParseError() throws Exception {
        try (RawWebSocket socket = new RawWebSocket(proxy, PATH)) {
            RawWebSocket.Frame frame = socket.raw(RawWebSocket.frame(0x82, new byte[] {'"', (byte) 0xc3, 0x28, '"'}))
                    .read();
            assertThat(frame.text()).contains("-32700");
        }
    }

    @Test
    void framesAndMessagesOverTheirBoundsCloseWith1009() throws Exception {
        assertClosed(1009, RawWebSocket.frame(0x81, new byte[(2 << 20) + 1]));
        byte[] piece = " ".repeat(900_000).getBytes(UTF_8);
        assertClosed(
                1009,
                RawWebSocket.frame(0x01, piece),
                RawWebSocket.frame(0x00, piece),
                RawWebSocket.frame(0x00, piece));
        assertThat(proxy.runner.calls()).isZero();
    }

    @Test
    void protocolViolationsCloseWith1002() throws Exception {
        byte[] unmasked = {(byte) 0x81, 2, '{', '}'};
        assertClosed(1002, unmasked);
        assertClosed(1002, RawWebSocket.frame(0xc1, "{}".getBytes(UTF_8)));
        assertClosed(1002, RawWebSocket.frame(0x83, new byte[0]));
        assertClosed(1002, RawWebSocket.frame(0x80, "{}".getBytes(UTF_8)));
        assertClosed(1002, RawWebSocket.frame(0x09, new byte[0]));
        assertClosed(1002, RawWebSocket.frame(0x89, new byte[126]));
        assertClosed(1002, RawWebSocket.frame(0x01, new byte[1]), RawWebSocket.frame(0x81, new byte[1]));
        assertClosed(1002, RawWebSocket.frame(0x88, new byte[] {3}));
        assertClosed(1002, RawWebSocket.frame(0x88, new byte[] {3, (byte) 0xed}));
    }

    @Test
    void aCloseFrameIsEchoedAndTheConnectionCloses() throws Exception {
        assertClosed(1000, RawWebSocket.frame(0x88, new byte[] {3, (byte) 0xe8}));
        assertClosed(4321, RawWebSocket.frame(0x88, new byte[] {0x10, (byte) 0xe1, 'b', 'y', 'e'}));
        assertClosed(1005, RawWebSocket.frame(0x88, new byte[0]));
    }

    @Test
    void whileAClientDoesNotReadNothingMoreIsReadFromIt() throws Exception {
        RawJson large = RawJson.of("\"" + "x".repeat(2 << 20) + "\"");
        proxy.runner.on("large", (context, sink) -> sink.accept(new RpcReply.Result(large)));
        int messages = 40;
        try (RawWebSocket socket = new RawWebSocket(proxy, PATH)) {
            for (int i = 0; i < messages; i++) {
                socket.text("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"large\"}");
            }
            await().until(() -> proxy.runner.calls() > 0);
            try (RawWebSocket other = new RawWebSocket(proxy, PATH)) {
                assertThat(other.text(CALL).read().text()).isEqualTo(ANSWER);
            }
            assertThat(proxy.runner.calls()).isLessThan(messages / 2);
            for (int i = 0; i < messages; i++) {
                assertThat(socket.read().payload().length).isGreaterThan(2 << 20);
            }
        }
    }

    @Test
    void aRunnerThatThrowsHarmsOneMessageOnly() throws Exception {
        proxy.runner.on("bad", (context, sink) -> {
            throw new IllegalStateException("secret detail");
        });
        try (RawWebSocket socket = new RawWebSocket(proxy, PATH)) {
            socket.text("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"bad\"}").text(CALL);
            assertThat(socket.read().text()).contains("-32603").doesNotContain("secret");
            assertThat(socket.read().text()).isEqualTo(ANSWER);
        }
    }

    @Test
    void aKeyThatIsTakenAwayEndsItsWebSocketsAtOnce() throws Exception {
        try (RawWebSocket socket = new RawWebSocket(proxy, PATH)) {
            assertThat(socket.text(CALL).read().text()).isEqualTo(ANSWER);
            proxy.current.publish(proxy.generation(false));
            assertThat(socket.text(CALL).read().text()).isEqualTo(ANSWER);
            proxy.current.publish(proxy.generation(true));
            assertThat(socket.read().closeStatus()).isEqualTo(1008);
            assertThat(proxy.runner.calls()).isEqualTo(2);
        }
    }

    private void assertClosed(int status, byte[]... frames) throws Exception {
        try (RawWebSocket socket = new RawWebSocket(proxy, PATH)) {
            for (byte[] frame : frames) {
                socket.raw(frame);
            }
            RawWebSocket.Frame close = socket.read();
            assertThat(close.opcode()).isEqualTo(RawWebSocket.CLOSE);
            assertThat(close.closeStatus()).isEqualTo(status);
            socket.raw(RawWebSocket.frame(0x88, new byte[] {3, (byte) 0xe8}));
            assertThat(socket.isEnded()).isTrue();
        }
    }

    private static String held(int id) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"held\"}";
    }
}
