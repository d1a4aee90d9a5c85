package io.weir.upstream.link;

import static io.weir.testing.RawNode.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.framing.BodyBuffer;
import io.weir.limit.Budget;
import io.weir.limit.Reservation;
import io.weir.testing.NoLeaks;
import io.weir.testing.RawNode;
import io.weir.upstream.Attempt;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Answers reserve bytes in flight while they are collected, and release them however they end. */
@NoLeaks
class AnswerBudgetIT {

    private static final int LARGE = 100_000;

    private final ClientBench bench = new ClientBench(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final List<RawNode> nodes = new ArrayList<>();

    @AfterEach
    void end() {
        goOn.countDown();
        bench.close();
        nodes.forEach(RawNode::close);
        assertThat(bench.bytes.taken()).as("bytes in flight at the end").isZero();
    }

    private SocketNodeClient client(RawNode.Script script) throws IOException {
        RawNode node = new RawNode(script);
        nodes.add(node);
        return bench.client(node);
    }

    private static String body(RawNode.Request request, int size) {
        return result(request, "\"" + "x".repeat(size - result(request, "\"\"").length()) + "\"");
    }

    /** Answers every request with this number of bytes. */
    private static RawNode.Script answering(int size) {
        return connection -> {
            while (true) {
                connection.answer("200 OK", body(connection.read(), size));
            }
        };
    }

    /** Sends half of an answer, and the rest on command. */
    private void halfAndHalf(RawNode.Connection connection) throws Exception {
        RawNode.Request request = connection.read();
        String body = body(request, LARGE);
        connection.write("HTTP/1.1 200 OK\r\ncontent-length: " + LARGE + "\r\n\r\n" + body.substring(0, LARGE / 2));
        if (goOn.await(30, TimeUnit.SECONDS)) {
            connection.write(body.substring(LARGE / 2));
        }
        connection.read();
    }

    private static Fault fault(NodeOutcome outcome) {
        assertThat(outcome).isInstanceOf(Failed.class);
        return ((Failed) outcome).fault();
    }

    @Test
    void anAnswerIsCountedFromItsFirstPieceUntilItIsTakenAndNeverTwice() throws Exception {
        bench.bytes = new Budget(LARGE);
        SocketNodeClient client = client(this::halfAndHalf);
        Reservation taker = bench.bytes.reserve();
        CompletableFuture<Long> counted = new CompletableFuture<>();
        bench.loop.execute(() -> client.ask(
                bench.loop,
                ClientBench.call(),
                System.nanoTime() + TimeUnit.SECONDS.toNanos(60),
                Attempt.of(outcome -> {
                    taker.add(LARGE - 10);
                    counted.complete(outcome instanceof Answered ? bench.bytes.taken() : -1L);
                })));
        await().until(() -> bench.bytes.taken() == LARGE);
        goOn.countDown();
        assertThat(counted.get(20, TimeUnit.SECONDS)).isEqualTo(LARGE);
        await().until(() -> bench.bytes.taken() == LARGE - 10);
        taker.close();
    }

    @Test
    void anAnswerWithoutBudgetFailsAndIsNoFaultOfTheNode() throws Exception {
        bench.bytes = new Budget(LARGE + 10);
        SocketNodeClient client = client(answering(LARGE));
        try (Reservation others = bench.bytes.reserve()) {
            others.add(20);
            NodeOutcome outcome = bench.outcome(client);
            assertThat(fault(outcome)).isEqualTo(Fault.OVER_BUDGET);
            assertThat(((Failed) outcome).flaw()).isNull();
            assertThat(bench.bytes.taken()).isEqualTo(20);
        }
        assertThat(bench.outcome(client)).isInstanceOf(Answered.class);
    }

    @Test
    void aSmallAnswerIsAcceptedWithoutBudget() throws Exception {
        SocketNodeClient client = client(answering(BodyBuffer.SMALL_BYTES));
        try (Reservation others = bench.bytes.reserve()) {
            others.add(bench.bytes.max());
            assertThat(bench.outcome(client)).isInstanceOf(Answered.class);
        }
    }

    @Test
    void probesNeedNoBudget() throws Exception {
        SocketNodeClient client = client(answering(LARGE));
        try (Reservation others = bench.bytes.reserve()) {
            others.add(bench.bytes.max());
            assertThat(ClientBench.get(bench.probe(client, 10_000))).isInstanceOf(Answered.class);
            assertThat(bench.bytes.taken()).isEqualTo(bench.bytes.max());
        }
    }

    @Test
    void anAnswerThatCouldNeverFitIsTooLarge() throws Exception {
        bench.bytes = new Budget(LARGE - 1);
        assertThat(fault(bench.outcome(client(answering(LARGE))))).isEqualTo(Fault.TOO_LARGE);
    }

    @Test
    void anAnswerInChunksIsCountedAsItGrows() throws Exception {
        bench.bytes = new Budget(LARGE);
        bench.maxResponseBytes = 10 * LARGE;
        SocketNodeClient client = client(connection -> {
            RawNode.Request request = connection.read();
            connection.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
            for (String rest = body(request, LARGE / 2); !rest.isEmpty(); ) {
                int size = Math.min(rest.length(), 0x1000);
                connection.write(Integer.toHexString(size) + "\r\n" + rest.substring(0, size) + "\r\n");
                rest = rest.substring(size);
            }
            connection.write("0\r\n\r\n");
            connection.read();
        });
        try (Reservation others = bench.bytes.reserve()) {
            others.add(LARGE * 3 / 4);
            assertThat(fault(bench.outcome(client))).isEqualTo(Fault.OVER_BUDGET);
            assertThat(bench.bytes.taken()).isEqualTo(LARGE * 3 / 4);
        }
        // The last growth is no larger than needed if the holder's share is used up.
        try (Reservation others = bench.bytes.reserve()) {
            others.add(LARGE * 7 / 16 - 100);
            assertThat(bench.outcome(client)).isInstanceOf(Answered.class);
        }
    }

    @Test
    void collectedBytesAreReleasedAtTheDeadline() throws Exception {
        SocketNodeClient client = client(this::halfAndHalf);
        assertThat(fault(ClientBench.get(bench.ask(client, 500)))).isEqualTo(Fault.TIMEOUT);
        assertThat(bench.bytes.taken()).isZero();
    }

    @Test
    void collectedBytesAreReleasedIfTheConnectionBreaks() throws Exception {
        SocketNodeClient client = client(connection -> {
            connection.read();
            connection.write("HTTP/1.1 200 OK\r\ncontent-length: " + LARGE + "\r\n\r\n" + "x".repeat(LARGE / 2));
        });
        assertThat(fault(bench.outcome(client))).isEqualTo(Fault.DISCONNECTED);
        assertThat(bench.bytes.taken()).isZero();
    }

    @Test
    void collectedBytesAreReleasedIfTheClientIsClosed() throws Exception {
        SocketNodeClient client = client(this::halfAndHalf);
        CompletableFuture<NodeOutcome> outcome = bench.ask(client, 20_000);
        await().until(() -> bench.bytes.taken() > 0);
        client.close();
        assertThat(fault(ClientBench.get(outcome))).isEqualTo(Fault.CLOSED);
        await().until(() -> bench.bytes.taken() == 0);
    }
}
