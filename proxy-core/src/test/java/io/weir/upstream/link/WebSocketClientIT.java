package io.weir.upstream.link;

import static io.weir.testing.RawNode.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.testing.NoLeaks;
import io.weir.testing.RawNode;
import io.weir.testing.RawNode.Request;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.NodeOutcome.Flaw;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Form of handshakes and calls, and meaning of each kind of message. */
@NoLeaks
class WebSocketClientIT {

    private static final Answered ONE = new Answered(new RpcReply.Result(RawJson.of("1")));
    private static final Failed INTERRUPTED =
            new Failed(Fault.INTERRUPTED, Executed.MAYBE, "the answer to another call closed the connection", 0);

    private final SocketBench bench = new SocketBench(1);
    private RawNode node;

    @AfterEach
    void end() {
        bench.close();
        if (node != null) {
            node.close();
        }
    }

    /** Behaviour of a node on an open socket. */
    private interface Script {
        void run(NodeSocket socket) throws IOException;
    }

    private SocketNodeClient client(Script script) throws IOException {
        node = new RawNode(connection -> script.run(NodeSocket.accept(connection)));
        return bench.client(node);
    }

    /**
     * Returns a client of a node that gives this answer to the first call, with its id for {@code ID}, and 1 to every
     * later one.
     */
    private SocketNodeClient clientOfOneWho(String answers) throws IOException {
        return client(socket -> {
            socket.text(answers.replace("ID", socket.read().id()));
            serve(socket);
        });
    }

    private static void serve(NodeSocket socket) throws IOException {
        while (true) {
            socket.text(result(socket.read(), "1"));
        }
    }

    @Test
    void aHandshakeCarriesCredentialsAndWhatTheConfigurationAddsButNoOrigin() throws IOException {
        AtomicReference<String> head = new AtomicReference<>();
        AtomicReference<String> text = new AtomicReference<>();
        bench.headers.put("x-team", "blue");
        bench.headers.put("sec-websocket-protocol", "other");
        bench.headers.put("upgrade", "h2c");
        node = new RawNode(connection -> {
            Request handshake = connection.read();
            head.set(handshake.head());
            connection.write(NodeSocket.agreement(handshake));
            connection.read(1);
        });
        String url = "ws://us%3Aer:pass%2Bw+d@127.0.0.1:" + node.port() + "/ws/se%20cret?a=1%262";
        bench.ask(bench.client(url), 60_000);
        await().until(() -> head.get() != null);
        assertThat(head.get())
                .startsWith("GET /ws/se%20cret?a=1%262 HTTP/1.1\r\n")
                .containsIgnoringCase("\r\nhost: 127.0.0.1:" + node.port() + "\r\n")
                .contains("\r\nauthorization: Basic dXM6ZXI6cGFzcyt3K2Q=\r\n", "\r\nx-team: blue\r\n")
                .containsIgnoringCase("\r\nupgrade: websocket\r\n")
                .doesNotContainIgnoringCase(
                        "origin", "sec-websocket-protocol", "sec-websocket-extensions", "upgrade: h2c");
        assertThat(text).hasNullValue();
    }

    @Test
    void aCallGoesOutUnderAnIdOfItsOwn() throws IOException {
        AtomicReference<String> text = new AtomicReference<>();
        SocketNodeClient client = client(socket -> {
            Request request = socket.read();
            text.set(request.body());
            socket.text(result(request, "1"));
            socket.frame();
        });
        assertThat(bench.outcome(client)).isEqualTo(ONE);
        assertThat(text.get())
                .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"eth_test\",\"params\":[\"Ã©\",1]}");
    }

    @Test
    void aUrlThatIsNoWebSocketIsRefusedWithoutShowingIt() {
        assertThatThrownBy(() -> bench.client("wsx://user:secret@127.0.0.1/"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("ws-url: (expected: ws:// or wss:// and a host)");
    }

    @Test
    void anErrorOfTheNodeIsAnAnswer() throws IOException {
        SocketNodeClient client = clientOfOneWho("{\"id\":ID,\"error\":{\"code\":3,\"message\":\"no\"}}");
        assertThat(bench.outcome(client)).isEqualTo(new Answered(RpcReply.failure(new RpcError(3, "no", null))));
        assertThat(bench.outcome(client)).isEqualTo(ONE);
        assertThat(node.accepted()).isEqualTo(1);
    }

    @Test
    void anErrorWithoutAnIdIsTheAnswerToTheOnlyCall() throws IOException {
        SocketNodeClient client =
                clientOfOneWho("{\"id\":null,\"error\":{\"code\":-32700,\"message\":\"parse error\"}}");
        assertThat(bench.outcome(client))
                .isEqualTo(new Answered(RpcReply.failure(new RpcError(-32700, "parse error", null))));
    }

    @Test
    void anErrorWithTheCodeOfARateLimitIsOne() throws IOException {
        SocketNodeClient client = clientOfOneWho("{\"id\":ID,\"error\":{\"code\":429,\"message\":\"slow down\"}}");
        assertThat(bench.outcome(client)).isEqualTo(new Failed(Fault.RATE_LIMITED, Executed.NO, "error 429", 0));
        assertThat(bench.outcome(client)).isEqualTo(ONE);
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', textBlock = """
                    `{"id":ID,"result":2,"error":{"code":3,"message":"x"}}`, BOTH_RESULT_AND_ERROR
                    `{"id":ID}`, NEITHER_RESULT_NOR_ERROR
                    `{"id":ID,"error":{"code":"3","message":"x"}}`, BAD_ERROR
                    `{"id":ID,"result":1,"result":2}`, DUPLICATE_MEMBER
                    """)
    void anAnswerThatIsWrongUnderAKnownIdIsThatCallsAloneAndTheSocketStays(String answer, Flaw flaw)
            throws IOException {
        SocketNodeClient client = clientOfOneWho(answer);
        List<CompletableFuture<NodeOutcome>> outcomes = bench.ask(client, 3, 60_000);
        assertThat(SocketBench.get(outcomes.get(0)))
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.flaw()).isEqualTo(flaw));
        assertThat(SocketBench.get(outcomes.get(1))).isEqualTo(ONE);
        assertThat(SocketBench.get(outcomes.get(2))).isEqualTo(ONE);
        assertThat(node.accepted()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', textBlock = """
                    `{<html>`, NOT_JSON
                    `{"id":1,"result":`, TRUNCATED
                    `{"id":1,"result":2}}`, TRAILING_BYTES
                    `{"id":[1],"result":2}`, BAD_ID
                    """)
    void aMessageThatLeavesItsCallInDoubtClosesTheSocket(String message, Flaw flaw) throws IOException {
        SocketNodeClient client = client(socket -> {
            if (socket.connection().number == 1) {
                socket.read();
                socket.read();
                socket.text(message);
            }
            serve(socket);
        });
        List<CompletableFuture<NodeOutcome>> outcomes = bench.ask(client, 2, 60_000);
        assertThat(SocketBench.get(outcomes.get(0)))
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.flaw()).isEqualTo(flaw));
        assertThat(SocketBench.get(outcomes.get(1))).isEqualTo(INTERRUPTED);
        await().until(() -> bench.open(client) == 0);
        bench.clock.addAndGet(1_000_000_000L);
        assertThat(bench.outcome(client)).isEqualTo(ONE);
        assertThat(node.accepted()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', textBlock = """
                    `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"0x1","result":{}}}`, notification
                    `{"id":77,"result":2}`, unknown_id
                    `{"id":"77","result":2}`, unknown_id
                    `{"id":1.0,"result":2}`, unknown_id
                    `{"id":null,"result":2}`, unknown_id
                    `{"id":77}`, unknown_id
                    ``, unreadable
                    ` `, unreadable
                    keepalive, unreadable
                    <html>, unreadable
                    [], unreadable
                    1, unreadable
                    """)
    void aMessageThatAnswersNoCallIsIgnoredAndCounted(String message, String kind) throws IOException {
        SocketNodeClient client = client(socket -> {
            Request request = socket.read();
            socket.text(message);
            socket.text(result(request, "1"));
            serve(socket);
        });
        assertThat(bench.outcome(client)).isEqualTo(ONE);
        assertThat(bench.unsolicited(kind)).isEqualTo(1);
        assertThat(node.accepted()).isEqualTo(1);
    }

    @Test
    void anAnswerThatComesTooLateIsPassedOverAndCounted() throws IOException {
        SocketNodeClient client = client(socket -> {
            Request first = socket.read();
            Request second = socket.read();
            socket.text(result(first, "2"));
            socket.text(result(second, "1"));
            serve(socket);
        });
        // The call must have been sent by then.
        assertThat(SocketBench.get(bench.ask(client, 2_000)))
                .isEqualTo(new Failed(Fault.TIMEOUT, Executed.MAYBE, "no answer in time", 0));
        assertThat(bench.outcome(client)).isEqualTo(ONE);
        assertThat(bench.unsolicited("late")).isEqualTo(1);
        assertThat(node.accepted()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anAnswerOverTheBoundFailsTheCallThatItNames(boolean inOneFrame) throws IOException {
        bench.maxResponseBytes = 1_000;
        SocketNodeClient client = client(socket -> {
            socket.read();
            Request second = socket.read();
            String large = result(second, "\"" + "x".repeat(2_000) + "\"");
            if (inOneFrame) {
                socket.text(large);
            } else {
                socket.frame(NodeSocket.TEXT, large.substring(0, 500));
                socket.frame(NodeSocket.CONTINUATION, large.substring(500, 900));
                socket.finalFrame(NodeSocket.CONTINUATION, large.substring(900));
            }
            socket.frame();
        });
        List<CompletableFuture<NodeOutcome>> outcomes = bench.ask(client, 2, 60_000);
        assertThat(SocketBench.get(outcomes.get(1)))
                .isEqualTo(Failed.of(Flaw.TOO_LARGE, "the answer is larger than allowed"));
        assertThat(SocketBench.get(outcomes.get(0))).isEqualTo(INTERRUPTED);
        await().until(() -> bench.open(client) == 0);
    }

    @Test
    void anAnswerOverTheBoundThatNamesNoCallAtItsBeginningIsTheOnlyOnes() throws IOException {
        bench.maxResponseBytes = 1_000;
        SocketNodeClient client =
                clientOfOneWho("{\"result\":\"" + "x".repeat(2_000) + "\",\"id\":ID,\"jsonrpc\":\"2.0\"}");
        assertThat(bench.outcome(client)).isEqualTo(Failed.of(Flaw.TOO_LARGE, "the answer is larger than allowed"));
    }

    @Test
    void anAnswerOfExactlyTheBoundIsRead() throws IOException {
        String answer = "{\"id\":1,\"result\":\"" + "x".repeat(100) + "\"}";
        bench.maxResponseBytes = answer.length();
        assertThat(bench.outcome(clientOfOneWho(answer))).isInstanceOf(Answered.class);
    }

    @Test
    void anAnswerMayComeInFragmentsBetweenWhichThereArePings() throws IOException {
        AtomicReference<NodeSocket.Frame> pong = new AtomicReference<>();
        SocketNodeClient client = client(socket -> {
            String answer = result(socket.read(), "1");
            socket.frame(NodeSocket.BINARY, answer.substring(0, 5));
            socket.finalFrame(NodeSocket.PING, "there?");
            socket.frame(NodeSocket.CONTINUATION, answer.substring(5, 8));
            pong.set(socket.frame());
            socket.finalFrame(NodeSocket.CONTINUATION, answer.substring(8));
            serve(socket);
        });
        assertThat(bench.outcome(client)).isEqualTo(ONE);
        assertThat(pong.get()).isEqualTo(new NodeSocket.Frame(NodeSocket.PONG, "there?"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0xC1, 0x83, 0x80})
    void framesThatBreakTheRulesAreNoAnswer(int first) throws IOException {
        SocketNodeClient client = client(socket -> {
            socket.read();
            socket.frame(first, "{}");
            socket.frame();
        });
        assertThat(bench.outcome(client)).isEqualTo(Failed.of(Flaw.BROKEN_FRAMING, "broken framing"));
        await().until(() -> bench.open(client) == 0);
    }
}
