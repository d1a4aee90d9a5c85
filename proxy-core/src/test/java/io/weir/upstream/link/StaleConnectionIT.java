package io.weir.upstream.link;

import static io.weir.testing.RawNode.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.testing.NoLeaks;
import io.weir.testing.RawNode;
import io.weir.testing.RawNode.Connection;
import io.weir.testing.RawNode.Request;
import io.weir.upstream.Attempt;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Reused connections that the node closes silently at the moment of their reuse. */
@NoLeaks
class StaleConnectionIT {

    private static final Answered ONE = new Answered(new RpcReply.Result(RawJson.of("1")));
    private static final Failed STALE =
            new Failed(Fault.STALE_CONNECTION, Executed.MAYBE, "a kept connection broke before an answer began", 0);

    private final ClientBench bench = new ClientBench(1);
    private final List<RawNode> nodes = new ArrayList<>();

    @AfterEach
    void end() {
        bench.close();
        nodes.forEach(RawNode::close);
    }

    /** Answers one request on each connection, and closes it under the next. */
    private RawNode node() throws IOException {
        RawNode node = new RawNode(connection -> {
            answer(connection);
            connection.read();
        });
        nodes.add(node);
        return node;
    }

    private static void answer(Connection connection) throws IOException {
        Request request = connection.read();
        connection.answer("200 OK", result(request, "1"));
    }

    private NodeOutcome anew(SocketNodeClient client) {
        return outcome(client::askAnew);
    }

    private interface Sender {
        void ask(EventLoop loop, RpcCall call, long deadlineNanos, Attempt attempt);
    }

    private NodeOutcome outcome(Sender sender) {
        CompletableFuture<NodeOutcome> outcome = new CompletableFuture<>();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        bench.loop.execute(() -> sender.ask(bench.loop, ClientBench.call(), deadline, Attempt.of(outcome::complete)));
        return outcome.orTimeout(90, TimeUnit.SECONDS).join();
    }

    @Test
    void aReusedConnectionThatBreaksBeforeTheAnswerIsStaleAndTheNextIsFresh() throws IOException {
        SocketNodeClient client = bench.client(node());
        assertThat(bench.outcome(client)).isEqualTo(ONE);
        assertThat(bench.outcome(client)).isEqualTo(STALE);
        assertThat(anew(client)).isEqualTo(ONE);
        assertThat(client.connects()).isEqualTo(2);
    }

    @Test
    void aReusedConnectionThatBreaksWithinAnAnswerIsADisconnection() throws IOException {
        RawNode node = new RawNode(connection -> {
            answer(connection);
            connection.read();
            connection.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{");
        });
        nodes.add(node);
        SocketNodeClient client = bench.client(node);
        assertThat(bench.outcome(client)).isEqualTo(ONE);
        assertThat(bench.outcome(client))
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.fault()).isEqualTo(Fault.DISCONNECTED));
    }

    @Test
    void aProbeIsSentOnceMoreByTheClient() throws IOException {
        SocketNodeClient client = bench.client(node());
        for (int i = 1; i <= 4; i++) {
            assertThat(outcome(client::probe)).as("probe " + i).isEqualTo(ONE);
        }
        assertThat(client.connects()).isEqualTo(4);
    }

    @Test
    void theOtherUnusedConnectionsGoToo() throws IOException {
        CountDownLatch both = new CountDownLatch(2);
        AtomicInteger ended = new AtomicInteger();
        RawNode node = new RawNode(connection -> {
            try {
                Request request = connection.read();
                both.countDown();
                both.await();
                connection.answer("200 OK", result(request, "1"));
                connection.read();
            } finally {
                ended.incrementAndGet();
            }
        });
        nodes.add(node);
        SocketNodeClient client = bench.client(node);
        List<CompletableFuture<NodeOutcome>> first = List.of(bench.ask(client, 60_000), bench.ask(client, 60_000));
        assertThat(first)
                .allSatisfy(outcome -> assertThat(
                                outcome.orTimeout(90, TimeUnit.SECONDS).join())
                        .isEqualTo(ONE));
        assertThat(bench.outcome(client)).isEqualTo(STALE);
        await().untilAsserted(
                        () -> assertThat(ended).as("connections that ended").hasValue(2));
        assertThat(bench.outcome(client)).isEqualTo(ONE);
        assertThat(client.connects()).isEqualTo(3);
    }

    @Test
    void aRepeatedCallGetsAFreshConnectionThoughEveryConnectionIsBusy() throws IOException {
        bench.maxConnections = 1;
        RawNode node = new RawNode(connection -> {
            while (true) {
                answer(connection);
            }
        });
        nodes.add(node);
        SocketNodeClient client = bench.client(node);
        assertThat(bench.outcome(client)).isEqualTo(ONE);
        assertThat(anew(client)).as("the only connection is unused").isEqualTo(ONE);
        assertThat(client.connects()).isEqualTo(2);
        CompletableFuture<NodeOutcome> under = new CompletableFuture<>();
        CompletableFuture<NodeOutcome> anew = new CompletableFuture<>();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        bench.loop.execute(() -> {
            client.ask(bench.loop, ClientBench.call(), deadline, Attempt.of(under::complete));
            client.askAnew(bench.loop, ClientBench.call(), deadline, Attempt.of(anew::complete));
        });
        assertThat(under.orTimeout(90, TimeUnit.SECONDS).join()).isEqualTo(ONE);
        assertThat(anew.orTimeout(90, TimeUnit.SECONDS).join()).isEqualTo(ONE);
        assertThat(client.connects()).isEqualTo(3);
    }
}
