package io.weir.transport;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.metrics.Meter;
import io.weir.testing.NoLeaks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** New work while too much is in flight, and that nothing remains counted in the end. */
@NoLeaks
class OverloadIT {

    private static final String PATH = "/v3/" + TestProxy.KEY;
    private static final int LARGE = 6 << 20;

    private final ServerBounds bounds = new ServerBounds();
    private final Held held = new Held();

    private TestProxy proxy() throws Exception {
        TestProxy proxy = new TestProxy(bounds);
        RawJson large = RawJson.of("\"" + "x".repeat(LARGE) + "\"");
        proxy.runner.on("held", held).on("large", call -> large);
        return proxy;
    }

    private static String call(int id, String method) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\"}";
    }

    @Test
    void newWorkIsRejectedWhileOthersUseUpTheBudgetAndServedAfterwards() throws Exception {
        bounds.bytesInFlight = 1 << 20;
        try (TestProxy proxy = proxy();
                RawConnection connection = new RawConnection(proxy)) {
            proxy.bytes.take(1 << 20);
            RawConnection.Answer refused = connection
                    .send(RawConnection.post(PATH, call(2, "network")))
                    .read();
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.header("Retry-After")).isEqualTo("1");
            assertThat(refused.body()).contains("\"code\":-32603", "overloaded");
            assertThat(proxy.refused("overload")).isEqualTo(1);
            proxy.bytes.give(1 << 20);
            // The body of what was refused has been read, and the connection stays.
            assertThat(connection
                            .send(RawConnection.post(PATH, call(3, "network")))
                            .read()
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void anAnswerOverTheShareOfItsCallerIsAnErrorAndIsNotHeld() throws Exception {
        bounds.bytesInFlight = LARGE;
        try (TestProxy proxy = proxy();
                RawConnection connection = new RawConnection(proxy)) {
            RawConnection.Answer refused =
                    connection.send(RawConnection.post(PATH, call(1, "large"))).read();
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.body()).contains("\"code\":-32603", "overloaded: no room for the answer");
            await().until(() -> proxy.gauge(Meter.BYTES_IN_FLIGHT) == 0);
        }
    }

    @Test
    void newWorkWaitsBrieflyForTheBudget() throws Exception {
        bounds.bytesInFlight = 10_000;
        CompletableFuture<Void> full = new CompletableFuture<>();
        try (TestProxy proxy = proxy();
                RawConnection first = new RawConnection(proxy);
                RawConnection other = new RawConnection(proxy)) {
            // The loop itself gives the budget back, before its own last check for that, however late both are.
            proxy.runner.on("soon", (context, sink) -> {
                proxy.bytes.take(10_000);
                full.complete(null);
                context.loop()
                        .schedule(
                                () -> {
                                    proxy.bytes.give(10_000);
                                    sink.accept(new RpcReply.Result(RawJson.NULL));
                                },
                                200,
                                TimeUnit.MILLISECONDS);
            });
            first.send(RawConnection.post(PATH, call(4, "soon")));
            full.get(60, TimeUnit.SECONDS);
            other.send(RawConnection.post(PATH, call(2, "network")) + RawConnection.post(PATH, call(3, "network")));
            assertThat(other.read().body()).contains("\"id\":2,\"result\"");
            assertThat(other.read().body()).contains("\"id\":3,\"result\"");
            assertThat(first.read().status()).isEqualTo(200);
            assertThat(proxy.refused("overload")).isZero();
        }
    }

    @Test
    void aBodyThatOutgrowsTheBoundIsRejectedAndLeavesNothingBehind() throws Exception {
        bounds.bytesInFlight = 10_000;
        try (TestProxy proxy = proxy();
                RawConnection connection = new RawConnection(proxy)) {
            connection.send(RawConnection.post(PATH, " ".repeat(20_000)));
            RawConnection.Answer refused = connection.read();
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.header("Connection")).isEqualTo("close");
            assertThat(connection.isEnded()).isTrue();
            assertThat(proxy.gauge(Meter.BYTES_IN_FLIGHT)).isZero();
        }
    }

    @Test
    void aWebSocketMessageOverTheBudgetClosesItWith1013() throws Exception {
        bounds.bytesInFlight = 10_000;
        try (TestProxy proxy = proxy();
                RawWebSocket socket = new RawWebSocket(proxy, "/ws" + PATH)) {
            socket.text(" ".repeat(20_000));
            assertThat(socket.read().closeStatus()).isEqualTo(1013);
            assertThat(proxy.refused("overload")).isEqualTo(1);
            await().until(() -> proxy.gauge(Meter.BYTES_IN_FLIGHT) == 0);
        }
    }

    @Test
    void repliesOfABatchAreCountedWhileTheyWaitForTheOthers() throws Exception {
        try (TestProxy proxy = proxy();
                RawConnection connection = new RawConnection(proxy)) {
            connection.send(RawConnection.post(PATH, "[" + call(1, "large") + "," + call(2, "held") + "]"));
            await().until(() -> held.count() == 1);
            assertThat(proxy.gauge(Meter.BYTES_IN_FLIGHT)).isBetween((long) LARGE, LARGE + 1000L);
            held.release("2");
            assertThat(connection.read().body()).hasSizeGreaterThan(LARGE);
            await().until(() -> proxy.gauge(Meter.BYTES_IN_FLIGHT) == 0);
        }
    }

    @Test
    void anErrorCountsWithItsDataUntilItIsSent() throws Exception {
        RawJson data = RawJson.of("\"" + "x".repeat(LARGE) + "\"");
        try (TestProxy proxy = proxy();
                RawConnection connection = new RawConnection(proxy)) {
            proxy.runner.on(
                    "fails",
                    (context, sink) -> sink.accept(RpcReply.failure(new RpcError(3, "execution reverted", data))));
            connection.send(RawConnection.post(PATH, call(1, "held")) + RawConnection.post(PATH, call(2, "fails")));
            await().until(() -> held.count() == 1 && proxy.gauge(Meter.BYTES_IN_FLIGHT) >= LARGE);
            held.release("1");
            assertThat(connection.read().status()).isEqualTo(200);
            assertThat(connection.read().body()).hasSizeGreaterThan(LARGE);
            await().until(() -> proxy.gauge(Meter.BYTES_IN_FLIGHT) == 0);
        }
    }

    @Test
    void aFrameThatIsNotWholeIsCountedAndGivenBackWhenItsMessageIsAnswered() throws Exception {
        try (TestProxy proxy = proxy();
                RawWebSocket socket = new RawWebSocket(proxy, "/ws" + PATH)) {
            byte[] frame = RawWebSocket.frame(0x81, (" ".repeat(200_000) + call(1, "network")).getBytes(US_ASCII));
            socket.raw(Arrays.copyOf(frame, 150_000));
            await().until(() -> proxy.gauge(Meter.BYTES_IN_FLIGHT) >= 149_000);
            assertThat(proxy.gauge(Meter.BYTES_IN_FLIGHT)).isLessThanOrEqualTo(150_000);
            socket.raw(Arrays.copyOfRange(frame, 150_000, frame.length));
            assertThat(socket.read().text()).contains("\"id\":1,\"result\"");
            await().until(() -> proxy.gauge(Meter.BYTES_IN_FLIGHT) == 0);
        }
    }

    @Test
    void anUnfinishedFrameOverTheBudgetClosesItWith1013() throws Exception {
        bounds.bytesInFlight = 100_000;
        try (TestProxy proxy = proxy();
                RawWebSocket socket = new RawWebSocket(proxy, "/ws" + PATH)) {
            socket.raw(Arrays.copyOf(RawWebSocket.frame(0x81, new byte[300_000]), 200_000));
            assertThat(socket.read().closeStatus()).isEqualTo(1013);
            assertThat(socket.isEnded()).isTrue();
            assertThat(proxy.refused("overload")).isEqualTo(1);
            await().until(() -> proxy.gauge(Meter.BYTES_IN_FLIGHT) == 0);
        }
    }

    @Test
    void callsOverTheBoundAreRejectedAndABatchOfThemAsOne() throws Exception {
        bounds.callsInFlight = 2;
        try (TestProxy proxy = proxy();
                RawConnection first = new RawConnection(proxy);
                RawConnection second = new RawConnection(proxy)) {
            first.send(RawConnection.post(PATH, "[" + call(1, "held") + "," + call(2, "held") + "]"));
            await().until(() -> held.count() == 2);
            assertThat(proxy.gauge(Meter.CALLS_IN_FLIGHT)).isEqualTo(2);
            RawConnection.Answer refused =
                    second.send(RawConnection.post(PATH, call(3, "network"))).read();
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.header("Retry-After")).isEqualTo("1");
            assertThat(refused.body()).contains("\"id\":3,", "\"code\":-32603");
            assertThat(second.send(RawConnection.post(PATH, "[" + call(4, "network") + "]"))
                            .read()
                            .status())
                    .isEqualTo(503);
            held.release("1");
            held.release("2");
            assertThat(first.read().status()).isEqualTo(200);
            assertThat(proxy.gauge(Meter.CALLS_IN_FLIGHT)).isZero();
            // Larger than the bound, it may still run alone.
            String three = "[" + call(5, "network") + "," + call(6, "network") + "," + call(7, "network") + "]";
            assertThat(second.send(RawConnection.post(PATH, three)).read().status())
                    .isEqualTo(200);
        }
    }

    @Test
    void connectionsFromThisMachineAreNotBoundedByTheirAddress() throws Exception {
        bounds.connectionsPerAddress = 1;
        try (TestProxy proxy = proxy();
                RawConnection first = new RawConnection(proxy);
                RawConnection second = new RawConnection(proxy)) {
            for (RawConnection connection : List.of(first, second)) {
                assertThat(connection
                                .send(RawConnection.post(PATH, call(1, "network")))
                                .read()
                                .status())
                        .isEqualTo(200);
            }
            assertThat(proxy.meters
                            .counter(Meter.CONNECTIONS_REFUSED_BY_ADDRESS)
                            .getCount())
                    .isZero();
        }
    }

    @Test
    void aRunnerThatThrowsAnErrorGivesBackWhatItsCallsHeld() throws Exception {
        bounds.callsInFlight = 2;
        bounds.callsPerConnection = 2;
        try (TestProxy proxy = proxy();
                RawConnection connection = new RawConnection(proxy);
                RawWebSocket socket = new RawWebSocket(proxy, "/ws" + PATH)) {
            proxy.runner.on("broken", (context, sink) -> {
                throw new StackOverflowError();
            });
            for (int i = 0; i < 5; i++) {
                assertThat(connection
                                .send(RawConnection.post(PATH, call(i, "broken")))
                                .read()
                                .body())
                        .contains("internal error");
                String batch = "[" + call(i, "network") + "," + call(i, "broken") + "]";
                assertThat(connection
                                .send(RawConnection.post(PATH, batch))
                                .read()
                                .body())
                        .contains("internal error");
                socket.text(call(i, "broken"));
                assertThat(socket.read().text()).contains("internal error");
            }
            assertThat(proxy.gauge(Meter.CALLS_IN_FLIGHT)).isZero();
            await().until(() -> proxy.gauge(Meter.BYTES_IN_FLIGHT) == 0);
        }
    }

    @Test
    void nothingStaysCountedOfClientsThatLeaveInTheMiddle() throws Exception {
        try (TestProxy proxy = proxy()) {
            List<RawConnection> left = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                RawConnection connection = new RawConnection(proxy);
                left.add(connection);
                // Behind a call that waits, one that is answered already, and half a body.
                connection.send(RawConnection.post(PATH, call(i, "held"))
                        + RawConnection.post(PATH, call(99, "large"))
                        + RawConnection.post(PATH, " ".repeat(1000)).substring(0, 600));
            }
            RawWebSocket socket = new RawWebSocket(proxy, "/ws" + PATH);
            socket.text(call(50, "held"));
            await().until(() -> held.count() == 6 && proxy.gauge(Meter.BYTES_IN_FLIGHT) > 5L * LARGE);
            for (RawConnection connection : left) {
                connection.reset();
            }
            socket.close();
            await().until(() -> proxy.gauge(Meter.CONNECTIONS) == 0);
            for (int i = 0; i < 5; i++) {
                held.release(Integer.toString(i));
            }
            held.release("50");
            await().until(() -> proxy.gauge(Meter.BYTES_IN_FLIGHT) == 0);
            assertThat(proxy.gauge(Meter.CALLS_IN_FLIGHT)).isZero();
        }
    }
}
