package io.weir.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.metrics.Meter;
import io.weir.testing.NoLeaks;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** One connection has only so many calls in flight; those over it wait, and none is lost. */
@NoLeaks
class ConnectionCallsIT {

    private static final String PATH = "/v3/" + TestProxy.KEY;

    private final ServerBounds bounds = new ServerBounds();
    private final Held held = new Held();

    private TestProxy proxy() throws Exception {
        TestProxy proxy = new TestProxy(bounds);
        proxy.runner.on("held", held);
        return proxy;
    }

    private static String call(int id) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"held\"}";
    }

    private static String batch(int first, int count) {
        return IntStream.range(first, first + count)
                .mapToObj(ConnectionCallsIT::call)
                .collect(Collectors.joining(",", "[", "]"));
    }

    private void release(int first, int count) {
        for (int id = first; id < first + count; id++) {
            held.release(Integer.toString(id));
        }
    }

    private static String answers(int first, int count) {
        return IntStream.range(first, first + count)
                .mapToObj(id -> "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + id + "}")
                .collect(Collectors.joining(",", "[", "]"));
    }

    @Test
    void aBatchThatWouldBeOverTheBoundWaitsForThoseBeforeItAndIsAnsweredInTurn() throws Exception {
        bounds.callsPerConnection = 5;
        try (TestProxy proxy = proxy();
                RawConnection connection = new RawConnection(proxy);
                RawConnection other = new RawConnection(proxy)) {
            connection.send(RawConnection.post(PATH, batch(1, 3))
                    + RawConnection.post(PATH, batch(4, 3))
                    + RawConnection.post(PATH, batch(7, 2)));
            await().until(() -> held.count() == 3);
            // By the time that another connection's call is there, the batches behind would be, too.
            other.send(RawConnection.post(PATH, call(100)));
            await().until(() -> held.count() == 4);
            assertThat(proxy.gauge(Meter.CALLS_IN_FLIGHT)).isEqualTo(4);
            release(1, 3);
            assertThat(connection.read().body()).isEqualTo(answers(1, 3));
            await().until(() -> held.count() == 6);
            release(4, 5);
            assertThat(connection.read().body()).isEqualTo(answers(4, 3));
            assertThat(connection.read().body()).isEqualTo(answers(7, 2));
            release(100, 1);
            assertThat(other.read().status()).isEqualTo(200);
            await().until(() -> proxy.gauge(Meter.BYTES_IN_FLIGHT) == 0);
        }
    }

    @Test
    void aBatchThatIsLargerThanTheBoundRunsAlone() throws Exception {
        bounds.callsPerConnection = 2;
        try (TestProxy proxy = proxy();
                RawConnection connection = new RawConnection(proxy)) {
            connection.send(RawConnection.post(PATH, batch(1, 4)) + RawConnection.post(PATH, batch(5, 1)));
            await().until(() -> held.count() == 4);
            release(1, 4);
            assertThat(connection.read().body()).isEqualTo(answers(1, 4));
            await().until(() -> held.count() == 1);
            release(5, 1);
            assertThat(connection.read().body()).isEqualTo(answers(5, 1));
        }
    }

    @Test
    void callsOfAWebSocketOverTheBoundWaitAndAreAnsweredAsOthersEnd() throws Exception {
        bounds.callsPerConnection = 2;
        bounds.maxPipelined = 100;
        try (TestProxy proxy = proxy();
                RawWebSocket socket = new RawWebSocket(proxy, "/ws" + PATH)) {
            int count = 40;
            for (int id = 1; id <= count; id++) {
                socket.text(call(id));
            }
            List<String> seen = new ArrayList<>();
            for (int id = 1; id <= count; id++) {
                String next = Integer.toString(id);
                await().until(() -> held.isWaiting(next));
                assertThat(proxy.gauge(Meter.CALLS_IN_FLIGHT)).isLessThanOrEqualTo(2);
                held.release(next);
                seen.add(socket.read().text());
            }
            assertThat(seen).doesNotHaveDuplicates().hasSize(count);
            await().until(() -> proxy.gauge(Meter.BYTES_IN_FLIGHT) == 0);
        }
    }

    @Test
    void waitingBodiesAreDroppedIfTheConnectionCloses() throws Exception {
        bounds.callsPerConnection = 1;
        try (TestProxy proxy = proxy();
                RawConnection connection = new RawConnection(proxy);
                RawWebSocket socket = new RawWebSocket(proxy, "/ws" + PATH)) {
            connection.send(RawConnection.post(PATH, batch(1, 1)) + RawConnection.post(PATH, batch(2, 1)));
            socket.text(call(11)).text(call(12));
            await().until(() -> held.count() == 2);
            proxy.listener.close();
            await().until(() -> proxy.gauge(Meter.CONNECTIONS) == 0);
            release(1, 1);
            release(11, 1);
            await().until(() -> proxy.gauge(Meter.BYTES_IN_FLIGHT) == 0);
            assertThat(proxy.gauge(Meter.CALLS_IN_FLIGHT)).isZero();
            assertThat(held.count()).isZero();
        }
    }
}
