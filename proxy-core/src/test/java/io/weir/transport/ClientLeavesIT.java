package io.weir.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.testing.NoLeaks;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Calls that take note of a client that leaves before its answer. */
@NoLeaks
class ClientLeavesIT {

    private static final String PATH = "/v3/" + TestProxy.KEY;

    private final ServerBounds bounds = new ServerBounds();
    private final Held held = new Held();
    private final List<String> left = new CopyOnWriteArrayList<>();

    @BeforeEach
    void boundNothing() {
        bounds.maxPipelined = 16;
    }

    private TestProxy proxy() throws Exception {
        TestProxy proxy = new TestProxy(bounds);
        proxy.runner.on("held", (context, sink) -> {
            String id = String.valueOf(context.call().id());
            context.whenClientLeaves(() -> left.add(id));
            held.answer(context, sink);
        });
        return proxy;
    }

    private static String call(int id) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"held\"}";
    }

    @Test
    void aClosedConnectionIsToldToEachOfItsCallsOnce() throws Exception {
        try (TestProxy proxy = proxy()) {
            RawConnection connection = new RawConnection(proxy);
            connection.send(RawConnection.post(PATH, "[" + call(1) + "," + call(2) + "]"));
            connection.send(RawConnection.post(PATH, call(3)));
            await().until(() -> held.count() == 3);
            connection.reset();
            await().until(() -> left.size() == 3);
            assertThat(left).containsExactlyInAnyOrder("1", "2", "3");
            List.of("1", "2", "3").forEach(held::release);
        }
    }

    @Test
    void aClientThatSendsNothingMoreCountsAsGoneAndGetsItsAnswer() throws Exception {
        try (TestProxy proxy = proxy();
                RawConnection connection = new RawConnection(proxy)) {
            connection.send(RawConnection.post(PATH, call(1)));
            await().until(() -> held.count() == 1);
            assertThat(left).isEmpty();
            connection.closeOutput();
            await().until(() -> left.equals(List.of("1")));
            held.release("1");
            assertThat(connection.read().body()).endsWith("\"result\":1}");
        }
        assertThat(left).containsExactly("1");
    }

    @Test
    void callsThatEndBecauseTheirClientLeavesDisturbNoOthers() throws Exception {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger logger = (Logger) LoggerFactory.getLogger("io.weir.transport.http");
        logger.addAppender(log);
        try (TestProxy proxy = proxy();
                RawConnection connection = new RawConnection(proxy)) {
            AtomicInteger waiting = new AtomicInteger();
            proxy.runner.on("waits", (context, sink) -> {
                context.whenClientLeaves(() -> sink.accept(new RpcReply.Result(RawJson.of("1"))));
                waiting.incrementAndGet();
            });
            String call = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"waits\"}";
            connection.send(RawConnection.post(PATH, call)).send(RawConnection.post(PATH, call));
            await().until(() -> waiting.get() == 2);
            connection.closeOutput();
            assertThat(connection.read().body()).endsWith("\"result\":1}");
            assertThat(connection.read().body()).endsWith("\"result\":1}");
        } finally {
            logger.detachAppender(log);
        }
        assertThat(log.list).isEmpty();
    }

    @Test
    void aConnectionThatClosesAfterTheAnswerIsToldToNobody() throws Exception {
        try (TestProxy proxy = proxy()) {
            try (RawConnection connection = new RawConnection(proxy)) {
                connection.send(RawConnection.post(PATH, call(1)));
                await().until(() -> held.count() == 1);
                held.release("1");
                connection.read();
                connection.send(RawConnection.post(PATH, call(2)));
                await().until(() -> held.count() == 1);
                connection.reset();
            }
            await().until(() -> left.contains("2"));
            assertThat(left).containsExactly("2");
            held.release("2");
        }
    }

    @Test
    void aClosedWebSocketIsToldToTheCallsWithoutAnAnswer() throws Exception {
        try (TestProxy proxy = proxy()) {
            RawWebSocket socket = new RawWebSocket(proxy, "/ws" + PATH);
            socket.text(call(1)).text(call(2));
            await().until(() -> held.count() == 2);
            held.release("1");
            socket.read();
            socket.send(RawWebSocket.CLOSE, true, new byte[] {3, (byte) 0xe8});
            assertThat(new String(socket.read().payload(), UTF_8)).isNotNull();
            await().until(() -> left.equals(List.of("2")));
            held.release("2");
            socket.close();
        }
        assertThat(left).containsExactly("2");
    }
}
