package io.weir.upstream.link;

import static io.weir.testing.RawNode.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.testing.NoLeaks;
import io.weir.testing.RawNode;
import io.weir.testing.RawNode.Request;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.link.WebSocketConnectionHandler.ReconnectPause;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pauses for a node whose sockets fail. */
@NoLeaks
class ReconnectPauseIT {

    private static final Answered ONE = new Answered(new RpcReply.Result(RawJson.of("1")));
    private static final Failed BROKEN = new Failed(Fault.DISCONNECTED, Executed.MAYBE, "the connection broke", 0);
    private static final Failed REFUSED = new Failed(Fault.CONNECT, Executed.NO, "the connection was refused", 0);

    private final SocketBench bench = new SocketBench(1);
    private final List<RawNode> nodes = new ArrayList<>();

    @AfterEach
    void end() {
        bench.close();
        nodes.forEach(RawNode::close);
    }

    private RawNode node(RawNode.Script script) throws IOException {
        RawNode node = new RawNode(script);
        nodes.add(node);
        return node;
    }

    private static void serve(RawNode.Connection connection) throws IOException {
        NodeSocket socket = NodeSocket.accept(connection);
        while (true) {
            socket.text(result(socket.read(), "1"));
        }
    }

    @Test
    void afterAFailureNoSocketIsBegunBeforeThePauseIsOver() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        SocketNodeClient client = bench.client("ws://127.0.0.1:" + port);
        assertThat(bench.outcome(client)).isEqualTo(REFUSED);
        RawNode node = new RawNode(new ServerSocket(), port, ReconnectPauseIT::serve);
        nodes.add(node);
        assertThat(bench.outcome(client)).isEqualTo(REFUSED);
        assertThat(node.accepted()).isZero();
        bench.clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(ReconnectPause.FIRST_MILLIS));
        assertThat(bench.outcome(client)).isEqualTo(ONE);
    }

    @Test
    void pausesGrowWithEachFailureUpToABound() throws IOException {
        AtomicBoolean welcome = new AtomicBoolean();
        RawNode node = node(connection -> {
            if (welcome.get()) {
                serve(connection);
            }
        });
        SocketNodeClient client = bench.client(node);
        long pauseMillis = ReconnectPause.FIRST_MILLIS;
        for (int tries = 1; tries <= 12; tries++) {
            bench.outcome(client);
            bench.clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(pauseMillis) - 1);
            bench.outcome(client);
            assertThat(node.accepted()).as("before the pause is over").isEqualTo(tries);
            bench.clock.addAndGet(1);
            pauseMillis = Math.min(2 * pauseMillis, ReconnectPause.MAX_MILLIS);
        }
        welcome.set(true);
        assertThat(bench.outcome(client)).isEqualTo(ONE);
        assertThat(node.accepted()).isEqualTo(13);
    }

    @Test
    void aProbeHeedsNoPauseAndItsAnswerEndsIt() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        SocketNodeClient client = bench.client("ws://127.0.0.1:" + port);
        assertThat(bench.outcome(client)).isEqualTo(REFUSED);
        nodes.add(new RawNode(new ServerSocket(), port, ReconnectPauseIT::serve));
        assertThat(SocketBench.get(bench.probe(client, 10_000))).isEqualTo(ONE);
        assertThat(bench.outcome(client)).isEqualTo(ONE);
        assertThat(client.connects()).isEqualTo(2);
    }

    @Test
    void aNodeThatClosesEachSocketBeforeAnAnswerIsLeftInPeaceToo() throws IOException {
        RawNode node = node(connection -> NodeSocket.accept(connection).read());
        SocketNodeClient client = bench.client(node);
        assertThat(bench.outcome(client)).isEqualTo(BROKEN);
        await().until(() -> bench.open(client) == 0);
        assertThat(bench.outcome(client))
                .isEqualTo(new Failed(Fault.CONNECT, Executed.NO, "the connection broke before any answer", 0));
        assertThat(node.accepted()).isEqualTo(1);
    }

    @Test
    void aCallThatWaitsForASocketFailsOnceThatOneBrokeBeforeAnAnswer() throws IOException {
        bench.maxConnections = 1;
        CountDownLatch queued = new CountDownLatch(1);
        RawNode node = node(connection -> {
            NodeSocket.accept(connection).read();
            queued.await();
        });
        SocketNodeClient client = bench.client(node);
        CompletableFuture<NodeOutcome> sent = bench.ask(client, 60_000);
        SocketBench.Cancellable waits = bench.askCancellable(client);
        queued.countDown();
        assertThat(SocketBench.get(sent)).isEqualTo(BROKEN);
        assertThat(SocketBench.get(waits.outcome))
                .isEqualTo(new Failed(Fault.CONNECT, Executed.NO, "the connection broke before any answer", 0));
        assertThat(node.accepted()).isEqualTo(1);
    }

    @Test
    void aCallWaitsForASocketThatIsFullThoughAnotherOneFailed() throws IOException {
        bench.maxConnections = 1;
        CountDownLatch read = new CountDownLatch(1);
        CountDownLatch failed = new CountDownLatch(1);
        AtomicBoolean first = new AtomicBoolean(true);
        RawNode node = node(connection -> {
            if (!first.getAndSet(false)) {
                return;
            }
            NodeSocket socket = NodeSocket.accept(connection);
            Request request = socket.read();
            read.countDown();
            failed.await();
            socket.text(result(request, "1"));
            socket.text(result(socket.read(), "1"));
        });
        SocketNodeClient client = bench.client(node);
        CompletableFuture<NodeOutcome> fills = bench.ask(client, 60_000);
        await().until(() -> read.getCount() == 0);
        assertThat(SocketBench.get(bench.probe(client, 60_000))).isInstanceOf(Failed.class);
        CompletableFuture<NodeOutcome> waits = bench.ask(client, 60_000);
        failed.countDown();
        assertThat(SocketBench.get(fills)).isEqualTo(ONE);
        assertThat(SocketBench.get(waits)).isEqualTo(ONE);
    }
}
