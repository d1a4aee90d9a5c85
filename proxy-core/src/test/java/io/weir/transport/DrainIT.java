package io.weir.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.weir.metrics.Meter;
import io.weir.testing.NoLeaks;
import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How connections end when the proxy is about to stop. */
@NoLeaks
class DrainIT {

    private static final String PATH = "/v3/" + TestProxy.KEY;
    private static final String CALL = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"network\"}";
    private static final long LONG = 60_000;

    private final Held held = new Held();
    private TestProxy proxy;

    @BeforeEach
    void start() throws Exception {
        ServerBounds bounds = new ServerBounds();
        bounds.maxPipelined = 2;
        proxy = new TestProxy(bounds);
        proxy.runner.on("held", held);
    }

    @AfterEach
    void stop() {
        proxy.close();
    }

    @Test
    void withoutConnectionsItEndsAtOnce() throws Exception {
        proxy.listener.drain(LONG).get(60, TimeUnit.SECONDS);
        assertThatThrownBy(() -> new RawConnection(proxy)).isInstanceOf(ConnectException.class);
    }

    @Test
    void idleConnectionsCloseAtOnce() throws Exception {
        try (RawConnection fresh = new RawConnection(proxy);
                RawConnection used = new RawConnection(proxy)) {
            assertThat(used.send(RawConnection.post(PATH, CALL)).read().status())
                    .isEqualTo(200);
            await().until(() -> proxy.gauge(io.weir.metrics.Meter.CONNECTIONS) == 2);
            CompletableFuture<Void> drained = proxy.listener.drain(LONG);
            assertThat(used.isEnded()).isTrue();
            assertThat(fresh.isEnded()).isTrue();
            drained.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void callsInFlightAreAnsweredAndTheLastAnswerSaysThatItIsTheLast() throws Exception {
        try (RawConnection connection = new RawConnection(proxy)) {
            // The third is held back by the bound of two in flight; it was sent before, and is answered too.
            connection.send(held(1) + held(2) + held(3));
            await().until(() -> held.count() == 2);
            CompletableFuture<Void> drained = proxy.listener.drain(LONG);
            held.release("2");
            held.release("1");
            RawConnection.Answer first = connection.read();
            assertThat(first.body()).endsWith("\"result\":1}");
            assertThat(first.header("Connection")).isNull();
            assertThat(connection.read().body()).endsWith("\"result\":2}");
            await().until(() -> held.count() == 1);
            held.release("3");
            RawConnection.Answer last = connection.read();
            assertThat(last.body()).endsWith("\"result\":3}");
            assertThat(last.header("Connection")).isEqualTo("close");
            assertThat(connection.isEnded()).isTrue();
            connection.closeOutput();
            drained.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void anUnfinishedRequestIsAwaited() throws Exception {
        String request = held(1);
        try (RawConnection connection = new RawConnection(proxy)) {
            connection.send(RawConnection.post(PATH, CALL) + request.substring(0, 30));
            assertThat(connection.read().status()).isEqualTo(200);
            CompletableFuture<Void> drained = proxy.listener.drain(LONG);
            connection.send(request.substring(30));
            await().until(() -> held.count() == 1);
            held.release("1");
            RawConnection.Answer last = connection.read();
            assertThat(last.body()).endsWith("\"result\":1}");
            assertThat(last.header("Connection")).isEqualTo("close");
            connection.closeOutput();
            drained.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void aWebSocketIsAnsweredWhatIsInFlightAndClosedWith1012() throws Exception {
        try (RawWebSocket busy = new RawWebSocket(proxy, "/ws" + PATH);
                RawWebSocket idle = new RawWebSocket(proxy, "/ws" + PATH)) {
            busy.text("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"held\"}");
            await().until(() -> held.count() == 1);
            CompletableFuture<Void> drained = proxy.listener.drain(LONG);
            assertThat(idle.read().closeStatus()).isEqualTo(1012);
            idle.raw(RawWebSocket.frame(0x88, new byte[] {3, (byte) 0xe9}));
            assertThat(idle.isEnded()).isTrue();
            held.release("1");
            assertThat(busy.read().text()).contains("\"id\":1,");
            assertThat(busy.read().closeStatus()).isEqualTo(1012);
            // This client never answers the close frame; it is not awaited for long.
            assertThat(busy.isEnded()).isTrue();
            drained.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void manyWebSocketsEndOneAfterTheOther() throws Exception {
        List<RawWebSocket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < 60; i++) {
                sockets.add(new RawWebSocket(proxy, "/ws" + PATH));
            }
            await().until(() -> proxy.gauge(Meter.WEBSOCKETS) == 60);
            long beganNanos = System.nanoTime();
            proxy.listener.drain(LONG);
            List<Long> ends = new ArrayList<>();
            for (RawWebSocket socket : sockets) {
                assertThat(socket.read().closeStatus()).isEqualTo(1012);
                ends.add(System.nanoTime() - beganNanos);
            }
            // By chance all of them may begin in the first third of the time: once in 3 to the 60th drains.
            assertThat(Collections.max(ends)).isGreaterThan(100_000_000L);
        } finally {
            for (RawWebSocket socket : sockets) {
                socket.close();
            }
        }
    }

    @Test
    void connectionsStillOpenInTheEndAreClosed() throws Exception {
        try (RawConnection connection = new RawConnection(proxy)) {
            connection.send(held(1));
            await().until(() -> held.count() == 1);
            proxy.listener.drain(50).get(60, TimeUnit.SECONDS);
            assertThat(connection.isEnded()).isTrue();
        }
    }

    @Test
    void aPortThatIsTakenIsReportedInOneLine() {
        ServerBounds bounds = new ServerBounds();
        bounds.port = proxy.port();
        assertThatThrownBy(() -> new TestProxy(bounds))
                .isInstanceOf(IOException.class)
                .hasMessage("server.port: " + proxy.port()
                        + " on 127.0.0.1: taken by another program, such as a node or another proxy"
                        + " (expected: a free port; --port PORT names another)");
    }

    private static String held(int id) {
        return RawConnection.post(PATH, "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"held\"}");
    }
}
