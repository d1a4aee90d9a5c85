package io.weir.upstream.link;

import static io.weir.testing.RawNode.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.limit.Budget;
import io.weir.testing.NoLeaks;
import io.weir.testing.RawNode;
import io.weir.testing.RawNode.Connection;
import io.weir.testing.RawNode.Request;
import io.weir.testing.RawNode.Script;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.NodeOutcome.Flaw;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections and the calls on them. */
@NoLeaks
class HttpConnectionIT {

    private static final Answered ONE = new Answered(new RpcReply.Result(RawJson.of("1")));
    private static final Failed BROKEN = new Failed(Fault.DISCONNECTED, Executed.MAYBE, "the connection broke", 0);

    private final ClientBench bench = new ClientBench(1);
    private final List<RawNode> nodes = new ArrayList<>();

    @AfterEach
    void end() {
        bench.close();
        nodes.forEach(RawNode::close);
    }

    private RawNode node(Script script) throws IOException {
        RawNode node = new RawNode(script);
        nodes.add(node);
        return node;
    }

    private static void serve(Connection connection) throws IOException {
        while (true) {
            Request request = connection.read();
            connection.answer("200 OK", result(request, "1"));
        }
    }

    private static NodeOutcome get(CompletableFuture<NodeOutcome> outcome) {
        return outcome.orTimeout(90, TimeUnit.SECONDS).join();
    }

    @Test
    void aConnectionIsUsedAgain() throws IOException {
        RawNode node = node(HttpConnectionIT::serve);
        SocketNodeClient client = bench.client(node);
        for (int i = 0; i < 20; i++) {
            assertThat(bench.outcome(client)).isEqualTo(ONE);
        }
        assertThat(node.accepted()).isEqualTo(1);
        assertThat(client.connects()).isEqualTo(1);
    }

    @Test
    void callsAtOnceShareTheConnectionsThatAreAllowed() throws IOException {
        RawNode node = node(HttpConnectionIT::serve);
        SocketNodeClient client = bench.client(node);
        List<CompletableFuture<NodeOutcome>> outcomes = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            outcomes.add(bench.ask(client, 60_000));
        }
        assertThat(outcomes).allSatisfy(outcome -> assertThat(get(outcome)).isEqualTo(ONE));
        assertThat(node.accepted()).isBetween(1, bench.maxConnections);
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 200 OK\r\nconnection: close\r\n", "HTTP/1.0 200 OK\r\n"})
    void aConnectionThatTheNodeWantsToCloseIsNotUsedAgain(String head) throws IOException {
        RawNode node = node(connection -> {
            Request request = connection.read();
            String body = result(request, "1");
            connection.write(head + "content-length: " + body.length() + "\r\n\r\n" + body);
            connection.read();
        });
        SocketNodeClient client = bench.client(node);
        assertThat(bench.outcome(client)).isEqualTo(ONE);
        assertThat(bench.outcome(client)).isEqualTo(ONE);
        assertThat(node.accepted()).isEqualTo(2);
    }

    @Test
    void aBodyMayComeInChunksOrEndWithTheConnection() throws IOException {
        RawNode node = node(connection -> {
            Request request = connection.read();
            String body = result(request, "1");
            if (connection.number == 1) {
                connection.write("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
                for (char c : body.toCharArray()) {
                    connection.write("1\r\n" + c + "\r\n");
                }
                connection.write("0\r\n\r\n");
                request = connection.read();
                body = result(request, "\"" + "x".repeat(100_000) + "\"");
                connection.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n"
                        + Integer.toHexString(body.length()) + "\r\n" + body + "\r\n0\r\n\r\n");
            } else {
                connection.write("HTTP/1.1 200 OK\r\n\r\n" + body);
            }
        });
        SocketNodeClient client = bench.client(node);
        assertThat(bench.outcome(client)).isEqualTo(ONE);
        assertThat(((RpcReply.Result) ((Answered) bench.outcome(client)).reply())
                        .value()
                        .length())
                .isEqualTo(100_002);
        assertThat(bench.outcome(client)).isEqualTo(ONE);
        assertThat(node.accepted()).isEqualTo(2);
    }

    @Test
    void chunksOverTheBoundAreReported() throws IOException {
        bench.maxResponseBytes = 10_000;
        RawNode node = node(connection -> {
            connection.read();
            connection.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
            while (true) {
                connection.write("100\r\n" + "x".repeat(256) + "\r\n");
            }
        });
        assertThat(bench.outcome(bench.client(node)))
                .isEqualTo(Failed.of(Flaw.TOO_LARGE, "the answer is larger than allowed"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nconte",
                "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{\"jsonrpc\":\"2.0\"",
                "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{\"jso\r\n"
            })
    void anAnswerThatBreaksOffIsADisconnection(String start) throws IOException {
        RawNode node = node(connection -> {
            connection.read();
            connection.write(start);
        });
        assertThat(bench.outcome(bench.client(node)))
                .isEqualTo(new Failed(
                        Fault.DISCONNECTED, Executed.MAYBE, "the connection broke within the answer", 0, Flaw.CUT_OFF));
    }

    @Test
    void aConnectionThatEndsWithoutAnAnswerIsADisconnection() throws IOException {
        RawNode node = node(Connection::read);
        assertThat(bench.outcome(bench.client(node))).isEqualTo(BROKEN);
    }

    @Test
    void aResetIsADisconnection() throws IOException {
        RawNode node = node(connection -> {
            connection.read();
            connection.reset();
        });
        assertThat(bench.outcome(bench.client(node))).isEqualTo(BROKEN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"SSH-2.0-OpenSSH\r\n\r\n", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n"})
    void bytesThatAreNotHttpAreNoAnswer(String text) throws IOException {
        RawNode node = node(connection -> {
            connection.read();
            connection.write(text);
            connection.read();
        });
        assertThat(bench.outcome(bench.client(node)))
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.fault()).isEqualTo(Fault.BAD_ANSWER));
    }

    @Test
    void aConnectionWithAWrongAnswerIsNotUsedAgain() throws IOException {
        RawNode node = node(connection -> {
            Request request = connection.read();
            String id = connection.number == 1 ? "99" : request.id();
            connection.answer("200 OK", "{\"id\":" + id + ",\"result\":1}");
            connection.read();
        });
        SocketNodeClient client = bench.client(node);
        assertThat(bench.outcome(client)).isEqualTo(Failed.of(Flaw.WRONG_ID, "HTTP 200 and an answer to another id"));
        assertThat(bench.outcome(client)).isEqualTo(ONE);
        assertThat(node.accepted()).isEqualTo(2);
    }

    @Test
    void anAnswerForWhichThereIsNoMemoryIsNoFaultOfTheNode() throws IOException {
        // No array can have this size, whatever the memory.
        bench.maxResponseBytes = Integer.MAX_VALUE;
        bench.bytes = Budget.unbounded();
        RawNode node = node(connection -> {
            connection.read();
            connection.write("HTTP/1.1 200 OK\r\ncontent-length: 2147483647\r\n\r\n{");
            connection.read();
        });
        assertThat(bench.outcome(bench.client(node)))
                .isEqualTo(new Failed(Fault.INTERNAL, Executed.MAYBE, "the proxy failed to read an answer", 0));
    }

    @Test
    void aConnectionIsKeptAfterAnErrorStatus() throws IOException {
        RawNode node = node(connection -> {
            connection.read();
            connection.answer("500 Oh", "x".repeat(10_000));
            connection.read();
            connection.answer("429 Slow", "");
            serve(connection);
        });
        SocketNodeClient client = bench.client(node);
        assertThat(bench.outcome(client)).isInstanceOf(Failed.class);
        assertThat(bench.outcome(client)).isInstanceOf(Failed.class);
        assertThat(bench.outcome(client)).isEqualTo(ONE);
        assertThat(node.accepted()).isEqualTo(1);
    }

    @Test
    void aRefusedConnectionIsReportedAndTheCallWasNotSent() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        assertThat(bench.outcome(bench.client("http://127.0.0.1:" + port)))
                .isEqualTo(new Failed(Fault.CONNECT, Executed.NO, "the connection was refused", 0));
    }

    @Test
    void aHostThatDoesNotExistIsReported() {
        assertThat(bench.outcome(bench.client("http://nowhere.invalid/")))
                .isEqualTo(new Failed(Fault.CONNECT, Executed.NO, "the host name was not found", 0));
    }

    @Test
    void aHostNameIsLookedUp() throws IOException {
        RawNode node = node(HttpConnectionIT::serve);
        assertThat(bench.outcome(bench.client("http://localhost:" + node.port())))
                .isEqualTo(ONE);
    }

    @Test
    void aCallWithoutAnAnswerInTimeTakesItsConnectionAlong() throws IOException {
        AtomicInteger late = new AtomicInteger();
        CountDownLatch gone = new CountDownLatch(1);
        RawNode node = node(connection -> {
            Request request = connection.read();
            if (connection.number == 1) {
                try {
                    connection.read();
                } finally {
                    late.incrementAndGet();
                    gone.countDown();
                }
            }
            connection.answer("200 OK", result(request, "1"));
            connection.read();
        });
        SocketNodeClient client = bench.client(node);
        // The call must have been sent by then.
        assertThat(get(bench.ask(client, 2_000)))
                .isEqualTo(new Failed(Fault.TIMEOUT, Executed.MAYBE, "no answer in time", 0));
        await().until(() -> gone.getCount() == 0);
        assertThat(late).as("closed without another request on it").hasValue(1);
        assertThat(bench.outcome(client)).isEqualTo(ONE);
        assertThat(node.accepted()).isEqualTo(2);
    }

    @Test
    void aCallBeyondItsDeadlineIsNotSent() throws IOException {
        RawNode node = node(HttpConnectionIT::serve);
        assertThat(get(bench.ask(bench.client(node), -1)))
                .isEqualTo(new Failed(Fault.TIMEOUT, Executed.NO, "no time left", 0));
        assertThat(node.accepted()).isZero();
    }
}
