package io.weir.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.metrics.Meter;
import io.weir.testing.NoLeaks;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bounds on connections: how many, and for how long they may be slow or silent. */
@NoLeaks
class ConnectionBoundsIT {

    private static final String PATH = "/v3/" + TestProxy.KEY;
    private static final String CALL = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"network\"}";

    private final ServerBounds bounds = new ServerBounds();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void connectionsOverTheBoundAreClosedOnArrival(boolean nio) throws Exception {
        bounds.transport = nio ? SocketTransport.nio() : SocketTransport.best();
        bounds.maxConnections = 2;
        try (TestProxy proxy = new TestProxy(bounds);
                RawConnection first = new RawConnection(proxy)) {
            try (RawConnection second = new RawConnection(proxy)) {
                assertServed(first);
                assertServed(second);
                try (RawConnection third = new RawConnection(proxy)) {
                    assertThat(third.isEnded()).isTrue();
                }
                assertThat(proxy.meters.counter(Meter.CONNECTIONS_REFUSED).getCount())
                        .isEqualTo(1);
                assertThat(proxy.gauge(Meter.CONNECTIONS)).isEqualTo(2);
                assertServed(first);
            }
            await().until(() -> proxy.gauge(Meter.CONNECTIONS) == 1);
            try (RawConnection next = new RawConnection(proxy)) {
                assertServed(next);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"P", "POST " + PATH + " HTTP/1.1\r\n", "POST " + PATH + " HTTP/1.1\r\nHost: a\r\n\r", "HEAD+BODY"
            })
    void aRequestThatDoesNotArriveWholeInTimeIsReported(String beginning) throws Exception {
        bounds.requestTimeoutMillis = 100;
        String whole = RawConnection.post(PATH, CALL);
        try (TestProxy proxy = new TestProxy(bounds);
                RawConnection connection = new RawConnection(proxy)) {
            String piece = beginning.equals("HEAD+BODY") ? whole.substring(0, whole.length() - 1) : beginning;
            connection.send(whole + piece);
            assertThat(connection.read().status()).isEqualTo(200);
            RawConnection.Answer slow = connection.read();
            assertThat(slow.status()).isEqualTo(408);
            assertThat(slow.header("Connection")).isEqualTo("close");
            assertThat(connection.isEnded()).isTrue();
            assertThat(proxy.refused("slow")).isEqualTo(1);
        }
    }

    @Test
    void headersHaveATimeOfTheirOwn() throws Exception {
        bounds.headerTimeoutMillis = 3_000;
        String whole = RawConnection.post(PATH, CALL);
        try (TestProxy proxy = new TestProxy(bounds);
                RawConnection slowBody = new RawConnection(proxy);
                RawConnection slowHead = new RawConnection(proxy)) {
            slowBody.send(whole.substring(0, whole.length() - 1));
            slowHead.send("POST " + PATH + " HTTP/1.1\r\nHost: a\r\n");
            RawConnection.Answer slow = slowHead.read();
            assertThat(slow.status()).isEqualTo(408);
            assertThat(slow.body()).isEqualTo("headers: did not arrive in time\n");
            assertThat(slowBody.send(whole.substring(whole.length() - 1)).read().status())
                    .isEqualTo(200);
        }
    }

    @Test
    void aConnectionThatSendsNothingIsClosedAfterTheTimeOfAHead() throws Exception {
        // Seconds: the served connection too must send its first head within this time.
        bounds.headerTimeoutMillis = 3_000;
        try (TestProxy proxy = new TestProxy(bounds);
                RawConnection served = new RawConnection(proxy)) {
            assertServed(served);
            try (RawConnection silent = new RawConnection(proxy)) {
                assertThat(silent.readToEnd()).isEmpty();
            }
            // Behind its first request a connection has the time of an idle one.
            assertServed(served);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aWebSocketMessageThatDoesNotArriveWholeInTimeIsReported(boolean fragments) throws Exception {
        bounds.requestTimeoutMillis = 200;
        try (TestProxy proxy = new TestProxy(bounds);
                RawWebSocket idle = new RawWebSocket(proxy, "/ws" + PATH);
                RawWebSocket socket = new RawWebSocket(proxy, "/ws" + PATH)) {
            socket.text(CALL);
            assertThat(socket.read().text()).contains("\"id\":7,");
            byte[] frame = RawWebSocket.frame(fragments ? 0x01 : 0x81, CALL.getBytes(UTF_8));
            socket.raw(fragments ? frame : Arrays.copyOf(frame, 1));
            assertThat(socket.read().closeStatus()).isEqualTo(1008);
            assertThat(socket.isEnded()).isTrue();
            assertThat(proxy.refused("slow")).isEqualTo(1);
            // To say nothing is no half message.
            idle.text(CALL);
            assertThat(idle.read().text()).contains("\"id\":7,");
        }
    }

    @Test
    void theTimeOfARequestIsNotThatOfItsAnswer() throws Exception {
        bounds.requestTimeoutMillis = 2_000;
        bounds.idleMillis = 2_000;
        Held held = new Held();
        try (TestProxy proxy = new TestProxy(bounds);
                RawConnection connection = new RawConnection(proxy)) {
            proxy.runner.on("held", held);
            connection.send(RawConnection.post(PATH, CALL.replace("network", "held")));
            await().until(() -> held.count() == 1);
            // Another connection sees the time go by.
            try (RawConnection idle = new RawConnection(proxy)) {
                assertThat(idle.isEnded()).isTrue();
            }
            held.release("7");
            assertThat(connection.read().status()).isEqualTo(200);
            assertThat(connection.isEnded()).isTrue();
        }
    }

    @Test
    void aSilentConnectionIsClosed() throws Exception {
        bounds.idleMillis = 2_000;
        try (TestProxy proxy = new TestProxy(bounds);
                RawConnection connection = new RawConnection(proxy)) {
            assertServed(connection);
            assertThat(connection.isEnded()).isTrue();
        }
    }

    @Test
    void aSilentWebSocketIsPingedAndClosedWhenItStaysSilent() throws Exception {
        // The client must answer the first ping in half of this time.
        bounds.idleMillis = 3_000;
        try (TestProxy proxy = new TestProxy(bounds);
                RawWebSocket socket = new RawWebSocket(proxy, "/ws" + PATH)) {
            assertThat(socket.read().opcode()).isEqualTo(RawWebSocket.PING);
            socket.send(RawWebSocket.PONG, true, new byte[0]);
            assertThat(socket.read().opcode()).isEqualTo(RawWebSocket.PING);
            RawWebSocket.Frame close = socket.read();
            assertThat(close.opcode()).isEqualTo(RawWebSocket.CLOSE);
            assertThat(socket.isEnded()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aClientThatTakesNoneOfItsAnswersIsCut(boolean nio) throws Exception {
        bounds.transport = nio ? SocketTransport.nio() : SocketTransport.best();
        bounds.writeTimeoutMillis = 400;
        RawJson large = RawJson.of("\"" + "x".repeat(8 << 20) + "\"");
        try (TestProxy proxy = new TestProxy(bounds);
                RawConnection connection = new RawConnection(proxy);
                RawWebSocket socket = new RawWebSocket(proxy, "/ws" + PATH)) {
            proxy.runner.on("large", call -> large);
            connection.send(RawConnection.post(PATH, CALL.replace("network", "large")));
            socket.text(CALL.replace("network", "large"));
            await().until(() -> proxy.meters.counter(Meter.SLOW_READERS).getCount() == 2);
            await().until(() -> proxy.gauge(Meter.CONNECTIONS) == 0);
        }
    }

    @Test
    void aClientThatReadsSlowlyIsServed() throws Exception {
        bounds.writeTimeoutMillis = 2_000;
        int length = 8 << 20;
        RawJson large = RawJson.of("\"" + "x".repeat(length) + "\"");
        try (TestProxy proxy = new TestProxy(bounds);
                RawConnection connection = new RawConnection(proxy)) {
            proxy.runner.on("large", call -> large);
            connection.send(RawConnection.post(PATH, CALL.replace("network", "large")));
            long beganNanos = System.nanoTime();
            for (int read = 0; read < length; read += 1 << 20) {
                connection.bytes(1 << 20);
                long pauseNanos = beganNanos + (read / (1 << 20) + 1) * 300_000_000L;
                await().pollInterval(Duration.ofMillis(10)).until(() -> System.nanoTime() - pauseNanos >= 0);
            }
            connection.closeOutput();
            assertThat(connection.readToEnd()).endsWith("x\"}");
            assertThat(proxy.meters.counter(Meter.SLOW_READERS).getCount()).isZero();
        }
    }

    private static void assertServed(RawConnection connection) throws Exception {
        assertThat(connection.send(RawConnection.post(PATH, CALL)).read().status())
                .isEqualTo(200);
    }

    @Test
    void aWebSocketIsNotIdleWhileItsReadingPauses() throws Exception {
        bounds.idleMillis = 2_000;
        bounds.callsPerConnection = 1;
        try (TestProxy proxy = new TestProxy(bounds);
                RawWebSocket socket = new RawWebSocket(proxy, "/ws" + PATH)) {
            proxy.runner.on(
                    "slow",
                    (context, sink) -> context.loop()
                            .schedule(() -> sink.accept(new RpcReply.Result(RawJson.NULL)), 3, TimeUnit.SECONDS));
            String slow = CALL.replace("network", "slow");
            socket.text(slow).text(slow);
            RawWebSocket.Frame frame = socket.read();
            while (frame.opcode() == RawWebSocket.PING) {
                frame = socket.read();
            }
            assertThat(frame.text()).contains("\"id\":7,");
        }
    }

    @Test
    void aRequestThatWasRejectedIsNotAnsweredAgainWhereItsBodyDoesNotCome() throws Exception {
        bounds.requestTimeoutMillis = 200;
        try (TestProxy proxy = new TestProxy(bounds);
                RawConnection connection = new RawConnection(proxy)) {
            connection.send("POST /no/such/path HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf");
            assertThat(connection.read().status()).isEqualTo(404);
            assertThat(connection.readToEnd()).isEmpty();
        }
    }
}
