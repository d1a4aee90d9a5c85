package io.weir.upstream.link;

import static io.weir.testing.RawNode.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.testing.NoLeaks;
import io.weir.testing.RawNode;
import io.weir.testing.RawNode.Request;
import io.weir.upstream.Attempt;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.NodeOutcome.Flaw;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sockets and the calls on them. */
@NoLeaks
class WebSocketLinkIT {

    private static final Answered ONE = new Answered(new RpcReply.Result(RawJson.of("1")));
    private static final Failed BROKEN = new Failed(Fault.DISCONNECTED, Executed.MAYBE, "the connection broke", 0);

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
    void callsAtOnceShareOneSocketAndAreAnsweredInWhateverOrder() throws IOException {
        bench.maxConnections = 3;
        RawNode node = node(connection -> {
            NodeSocket socket = NodeSocket.accept(connection);
            List<Request> requests = new ArrayList<>(List.of(socket.read(), socket.read(), socket.read()));
            Collections.reverse(requests);
            for (Request request : requests) {
                socket.text(result(request, request.id()));
            }
            socket.frame();
        });
        List<CompletableFuture<NodeOutcome>> outcomes = bench.ask(bench.client(node), 3, 60_000);
        for (int i = 0; i < 3; i++) {
            RawJson own = RawJson.of(Integer.toString(i + 1));
            assertThat(SocketBench.get(outcomes.get(i))).isEqualTo(new Answered(new RpcReply.Result(own)));
        }
        assertThat(node.accepted()).isEqualTo(1);
    }

    @Test
    void callsOverTheBoundWaitInTurnAndThoseOverTheQueuesFail() throws IOException {
        bench.maxConnections = 2;
        AtomicInteger unanswered = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch go = new CountDownLatch(1);
        RawNode node = node(connection -> {
            NodeSocket socket = NodeSocket.accept(connection);
            Request first = socket.read();
            Request second = socket.read();
            unanswered.set(2);
            go.await();
            socket.text(result(first, "1"));
            socket.text(result(second, "1"));
            while (true) {
                Request next = socket.read();
                most.accumulateAndGet(unanswered.get(), Math::max);
                socket.text(result(next, "1"));
            }
        });
        SocketNodeClient client = bench.client(node);
        List<CompletableFuture<NodeOutcome>> within = IntStream.range(
                        0, bench.maxConnections + SocketNodeClient.MAX_QUEUE)
                .mapToObj(holder -> bench.ask(client, "holder" + holder))
                .toList();
        assertThat(SocketBench.get(bench.ask(client, "another")))
                .isEqualTo(new Failed(Fault.OVERLOADED, Executed.NO, "too many calls wait for a connection", 0));
        await().until(() -> unanswered.get() == 2);
        go.countDown();
        assertThat(within)
                .allSatisfy(outcome -> assertThat(SocketBench.get(outcome)).isEqualTo(ONE));
        assertThat(most).hasValue(2);
        assertThat(node.accepted()).isEqualTo(1);
    }

    @Test
    void aHolderWithManyCallsLeavesAPlaceOnTheSocketToAnotherOne() throws IOException {
        bench.maxConnections = 9;
        CountDownLatch read = new CountDownLatch(8);
        CountDownLatch go = new CountDownLatch(1);
        RawNode node = node(connection -> {
            NodeSocket socket = NodeSocket.accept(connection);
            List<Request> large = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                large.add(socket.read());
                read.countDown();
            }
            socket.text(result(socket.read(), "1"));
            go.await();
            for (Request request : large) {
                socket.text(result(request, "1"));
            }
            while (true) {
                socket.text(result(socket.read(), "1"));
            }
        });
        SocketNodeClient client = bench.client(node);
        List<CompletableFuture<NodeOutcome>> large =
                IntStream.range(0, 12).mapToObj(i -> bench.ask(client, "large")).toList();
        await().until(() -> read.getCount() == 0);
        assertThat(SocketBench.get(bench.ask(client, "small"))).isEqualTo(ONE);
        assertThat(large).noneMatch(CompletableFuture::isDone);
        go.countDown();
        assertThat(large)
                .allSatisfy(outcome -> assertThat(SocketBench.get(outcome)).isEqualTo(ONE));
    }

    @Test
    void theEndOfTheSocketOfProbesOfANodeThatWasLeftIsTold() throws IOException {
        CountDownLatch leave = new CountDownLatch(1);
        RawNode node = node(connection -> {
            NodeSocket socket = NodeSocket.accept(connection);
            socket.text(result(socket.read(), "1"));
            leave.await();
        });
        SocketNodeClient client = bench.client(node);
        assertThat(SocketBench.get(bench.probe(client, 60_000))).isEqualTo(ONE);
        AtomicInteger lost = new AtomicInteger();
        bench.loop.submit(() -> client.leave(bench.loop, lost::incrementAndGet)).syncUninterruptibly();
        assertThat(bench.open(client)).as("it stays open").isOne();
        assertThat(lost).hasValue(0);
        leave.countDown();
        await().until(() -> lost.get() == 1);
    }

    @Test
    void aCallThatWasGivenUpFreesItsPlaceAndItsLateAnswerIsIgnored() throws IOException {
        bench.maxConnections = 1;
        CountDownLatch read = new CountDownLatch(1);
        RawNode node = node(connection -> {
            NodeSocket socket = NodeSocket.accept(connection);
            Request first = socket.read();
            read.countDown();
            Request second = socket.read();
            socket.text(result(first, "2"));
            socket.text(result(second, "1"));
            socket.frame();
        });
        SocketNodeClient client = bench.client(node);
        SocketBench.Cancellable given = bench.askCancellable(client);
        await().until(() -> read.getCount() == 0);
        given.cancel();
        assertThat(bench.outcome(client)).isEqualTo(ONE);
        assertThat(given.outcome).isNotDone();
        assertThat(bench.unsolicited("late")).isOne();
    }

    @Test
    void aCallThatWaitsTooLongWasNotSent() throws IOException {
        bench.maxConnections = 1;
        RawNode node = node(connection -> {
            NodeSocket socket = NodeSocket.accept(connection);
            socket.read();
            socket.frame();
        });
        SocketNodeClient client = bench.client(node);
        CompletableFuture<NodeOutcome> first = bench.ask(client, 60_000);
        assertThat(SocketBench.get(bench.ask(client, 100)))
                .isEqualTo(new Failed(Fault.TIMEOUT, Executed.NO, "no connection was free in time", 0));
        assertThat(first).isNotDone();
    }

    @Test
    void callsOnASocketThatWasLeftTakeNoPlacesOfTheNextOne() throws Exception {
        bench.maxConnections = 2;
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        RawNode node = node(connection -> {
            if (connection.number == 1) {
                NodeSocket socket = NodeSocket.accept(connection);
                socket.read();
                socket.read();
                held.countDown();
                end.await();
            } else {
                serve(connection);
            }
        });
        SocketNodeClient client = bench.client(node);
        List<CompletableFuture<NodeOutcome>> hanging = bench.ask(client, 2, 60_000);
        assertThat(held.await(60, TimeUnit.SECONDS)).isTrue();

        client.reset(false);

        assertThat(bench.outcome(client)).isEqualTo(ONE);
        assertThat(hanging).noneMatch(CompletableFuture::isDone);
        end.countDown();
    }

    @Test
    void aLostSocketIsADisconnectionForWhatWasSentAndTheNextCallGetsAnother() throws IOException {
        bench.maxConnections = 2;
        RawNode node = node(connection -> {
            if (connection.number == 1) {
                NodeSocket socket = NodeSocket.accept(connection);
                socket.text(result(socket.read(), "1"));
                socket.read();
                socket.read();
                connection.reset();
            } else {
                serve(connection);
            }
        });
        SocketNodeClient client = bench.client(node);
        assertThat(bench.outcome(client)).isEqualTo(ONE);
        List<CompletableFuture<NodeOutcome>> outcomes = bench.ask(client, 3, 60_000);
        assertThat(SocketBench.get(outcomes.get(0))).isEqualTo(BROKEN);
        assertThat(SocketBench.get(outcomes.get(1))).isEqualTo(BROKEN);
        assertThat(SocketBench.get(outcomes.get(2)))
                .as("the one that waited for room")
                .isEqualTo(ONE);
        assertThat(client.connects()).isEqualTo(2);
    }

    @Test
    void aCallThatDidNotLeaveWholeCannotHaveBeenCarriedOut() throws IOException {
        CountDownLatch full = new CountDownLatch(1);
        ServerSocket narrow = new ServerSocket();
        narrow.setReceiveBufferSize(4096);
        RawNode node = new RawNode(narrow, 0, connection -> {
            NodeSocket.accept(connection);
            full.await();
            connection.reset();
        });
        nodes.add(node);
        SocketNodeClient client = bench.client(node);
        CompletableFuture<NodeOutcome> outcome = new CompletableFuture<>();
        RawJson large = RawJson.of("[\"" + "x".repeat(6 << 20) + "\"]");
        bench.loop.execute(() -> client.ask(
                bench.loop,
                new RpcCall(RawJson.of("1"), "eth_test", large),
                System.nanoTime() + TimeUnit.SECONDS.toNanos(60),
                Attempt.of(outcome::complete)));
        await().until(() -> client.connects() == 1);
        // Once this has run the loop has written what it can.
        CompletableFuture.runAsync(() -> {}, bench.loop).join();
        full.countDown();
        assertThat(SocketBench.get(outcome))
                .isEqualTo(new Failed(Fault.CONNECT, Executed.NO, "the connection broke before the call was sent", 0));
    }

    @Test
    void aCloseFrameEndsTheSocketAndTheCallsOnIt() throws IOException {
        AtomicReference<NodeSocket.Frame> echo = new AtomicReference<>();
        RawNode node = node(connection -> {
            NodeSocket socket = NodeSocket.accept(connection);
            socket.read();
            socket.finalFrame(NodeSocket.CLOSE, "\u000c\u0000");
            echo.set(socket.frame());
        });
        assertThat(bench.outcome(bench.client(node))).isEqualTo(BROKEN);
        await().until(() -> echo.get() != null);
        assertThat(echo.get().opcode()).isEqualTo(NodeSocket.CLOSE);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        401 No;                      CREDENTIALS;  refuses our credentials (HTTP 401);  0;
        429 Slow|retry-after: 7;     RATE_LIMITED; HTTP 429;                            7;
        503 Busy;                    SERVER_ERROR; HTTP 503;                            0; SERVER_ERROR
        200 OK;                      CONNECT;      HTTP 200 in place of a WebSocket;    0; NO_WEBSOCKET
        404 Not Found;               CONNECT;      HTTP 404 in place of a WebSocket;    0; NO_WEBSOCKET
        101 Sure|upgrade: websocket; CONNECT;      no valid answer to the handshake;    0; NO_WEBSOCKET
        """)
    void aRefusedHandshakeMeansWhatItsStatusSays(String answer, Fault fault, String detail, int retry, Flaw flaw)
            throws IOException {
        RawNode node = node(connection -> {
            connection.read();
            connection.write("HTTP/1.1 " + answer.replace("|", "\r\n") + "\r\ncontent-length: 0\r\n\r\n");
            connection.read();
        });
        SocketNodeClient client = bench.client(node);
        assertThat(bench.outcome(client)).isEqualTo(new Failed(fault, Executed.NO, detail, retry, flaw));
        await().until(() -> bench.open(client) == 0);
    }

    @Test
    void aHandshakeThatDoesNotEndIsGivenUpInTime() throws IOException {
        bench.connectTimeoutMillis = 200;
        RawNode node = node(connection -> {
            connection.read();
            connection.read();
        });
        assertThat(bench.outcome(bench.client(node)))
                .isEqualTo(new Failed(Fault.CONNECT, Executed.NO, "no connection in time", 0));
    }

    @Test
    void anUnusedSocketIsClosedWithACloseHandshake() throws IOException {
        bench.idleMillis = 200;
        AtomicReference<NodeSocket.Frame> closeHandshake = new AtomicReference<>();
        RawNode node = node(connection -> {
            NodeSocket socket = NodeSocket.accept(connection);
            socket.text(result(socket.read(), "1"));
            closeHandshake.set(socket.frame());
        });
        SocketNodeClient client = bench.client(node);
        assertThat(bench.outcome(client)).isEqualTo(ONE);
        await().until(() -> closeHandshake.get() != null);
        assertThat(closeHandshake.get().opcode()).isEqualTo(NodeSocket.CLOSE);
        await().until(() -> bench.open(client) == 0);
    }

    @Test
    void aSilentNodeIsPingedAndKeptIfItAnswers() throws IOException {
        bench.pingMillis = 1_500;
        AtomicInteger pings = new AtomicInteger();
        RawNode node = node(connection -> {
            NodeSocket socket = NodeSocket.accept(connection);
            Request request = socket.read();
            while (pings.get() < 2) {
                NodeSocket.Frame frame = socket.frame();
                assertThat(frame.opcode()).isEqualTo(NodeSocket.PING);
                socket.finalFrame(NodeSocket.PONG, frame.text());
                pings.incrementAndGet();
            }
            socket.text(result(request, "1"));
            socket.frame();
        });
        assertThat(bench.outcome(bench.client(node))).isEqualTo(ONE);
        assertThat(pings).hasValue(2);
    }

    @Test
    void aNodeThatGivesNoSignIsLost() throws IOException {
        bench.pingMillis = 50;
        CountDownLatch ended = new CountDownLatch(1);
        RawNode node = node(connection -> {
            NodeSocket socket = NodeSocket.accept(connection);
            socket.read();
            ended.await();
        });
        SocketNodeClient client = bench.client(node);
        assertThat(bench.outcome(client))
                .isEqualTo(new Failed(Fault.DISCONNECTED, Executed.MAYBE, "the node fell silent", 0));
        await().until(() -> bench.open(client) == 0);
        ended.countDown();
    }

    @Test
    void aResetLetsCallsInFlightEndAndGivesTheNextAFreshSocket() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        RawNode node = node(connection -> {
            if (connection.number > 1) {
                serve(connection);
            }
            NodeSocket socket = NodeSocket.accept(connection);
            Request request = socket.read();
            go.await();
            socket.text(result(request, "1"));
            if (socket.frame().opcode() == NodeSocket.CLOSE) {
                closed.countDown();
            }
        });
        SocketNodeClient client = bench.client(node);
        CompletableFuture<NodeOutcome> first = bench.ask(client, 60_000);
        await().until(() -> client.connects() == 1);
        client.reset(false);
        assertThat(bench.outcome(client)).isEqualTo(ONE);
        assertThat(first).isNotDone();
        go.countDown();
        assertThat(SocketBench.get(first)).isEqualTo(ONE);
        assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(client.connects()).isEqualTo(2);
        await().until(() -> bench.open(client) == 1);
    }

    @Test
    void closingEndsCallsInFlightAndWaitingCalls() throws IOException {
        bench.maxConnections = 1;
        RawNode node = node(connection -> {
            NodeSocket socket = NodeSocket.accept(connection);
            socket.read();
            socket.frame();
        });
        SocketNodeClient client = bench.client(node);
        CompletableFuture<NodeOutcome> sent = bench.ask(client, 60_000);
        CompletableFuture<NodeOutcome> waiting = bench.ask(client, 60_000);
        await().until(() -> client.connects() == 1);
        client.close();
        assertThat(SocketBench.get(sent)).isEqualTo(new Failed(Fault.CLOSED, Executed.MAYBE, "closed", 0));
        assertThat(SocketBench.get(waiting)).isEqualTo(new Failed(Fault.CLOSED, Executed.NO, "closed", 0));
        assertThat(bench.outcome(client)).isEqualTo(new Failed(Fault.CLOSED, Executed.NO, "closed", 0));
        await().until(() -> bench.open(client) == 0);
    }
}
