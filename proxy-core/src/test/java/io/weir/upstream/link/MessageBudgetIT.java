package io.weir.upstream.link;

import static io.weir.testing.RawNode.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.limit.Budget;
import io.weir.limit.Reservation;
import io.weir.testing.NoLeaks;
import io.weir.testing.RawNode;
import io.weir.testing.RawNode.Request;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Messages of nodes reserve bytes in flight while they arrive, and release them however they end. */
@NoLeaks
class MessageBudgetIT {

    private static final int LARGE = 200_000;

    private final SocketBench bench = new SocketBench(1);
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

    private static String large(Request request) {
        return result(request, "\"" + "x".repeat(LARGE - result(request, "\"\"").length()) + "\"");
    }

    /** Returns a frame of the node with a complete message. */
    private static byte[] frame(String text) {
        byte[] payload = text.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(10 + payload.length)
                .put((byte) 0x81)
                .put((byte) 127)
                .putLong(payload.length)
                .put(payload)
                .array();
    }

    /** Sends half of a frame, and the rest on command. */
    private void halfAndHalf(RawNode.Connection connection) throws Exception {
        NodeSocket socket = NodeSocket.accept(connection);
        byte[] frame = frame(large(socket.read()));
        connection.write(Arrays.copyOf(frame, LARGE / 2));
        if (goOn.await(30, TimeUnit.SECONDS)) {
            connection.write(Arrays.copyOfRange(frame, LARGE / 2, frame.length));
        }
        socket.frame();
    }

    private static Fault fault(NodeOutcome outcome) {
        assertThat(outcome).isInstanceOf(Failed.class);
        return ((Failed) outcome).fault();
    }

    @Test
    void aFrameIsCountedWhileItArrivesAndNotTwiceWhenItIsThere() throws Exception {
        bench.bytes = new Budget(LARGE);
        CompletableFuture<NodeOutcome> outcome = bench.ask(client(this::halfAndHalf), 20_000);
        await().until(() -> bench.bytes.taken() >= LARGE / 2 - 10);
        assertThat(bench.bytes.taken()).isLessThan(LARGE);
        goOn.countDown();
        // The budget does not suffice for it twice.
        assertThat(SocketBench.get(outcome)).isInstanceOf(Answered.class);
        await().until(() -> bench.bytes.taken() == 0);
    }

    @Test
    void aMessageInFramesIsCountedWhileItArrives() throws Exception {
        CompletableFuture<NodeOutcome> outcome = bench.ask(
                client(connection -> {
                    NodeSocket socket = NodeSocket.accept(connection);
                    String text = large(socket.read());
                    socket.frame(NodeSocket.TEXT, text.substring(0, LARGE / 2));
                    if (goOn.await(30, TimeUnit.SECONDS)) {
                        socket.finalFrame(NodeSocket.CONTINUATION, text.substring(LARGE / 2));
                    }
                    socket.frame();
                }),
                20_000);
        await().until(() -> bench.bytes.taken() >= LARGE / 2);
        goOn.countDown();
        assertThat(SocketBench.get(outcome)).isInstanceOf(Answered.class);
        await().until(() -> bench.bytes.taken() == 0);
    }

    @Test
    void aCallWhoseAnswerHasNoBudgetFailsAndTheOthersAreInterrupted() throws Exception {
        bench.bytes = new Budget(LARGE);
        SocketNodeClient client = client(connection -> {
            NodeSocket socket = NodeSocket.accept(connection);
            socket.read();
            connection.write(frame(large(socket.read())));
            socket.frame();
        });
        try (Reservation others = bench.bytes.reserve()) {
            others.add(LARGE / 2);
            List<CompletableFuture<NodeOutcome>> outcomes = bench.ask(client, 2, 60_000);
            assertThat(fault(SocketBench.get(outcomes.get(1)))).isEqualTo(Fault.OVER_BUDGET);
            assertThat(fault(SocketBench.get(outcomes.get(0)))).isEqualTo(Fault.INTERRUPTED);
            await().until(() -> bench.bytes.taken() == LARGE / 2);
        }
    }

    @Test
    void aSmallAnswerAndAProbeNeedNoBudget() throws Exception {
        SocketNodeClient client = client(connection -> {
            NodeSocket socket = NodeSocket.accept(connection);
            while (true) {
                socket.text(result(socket.read(), "1"));
            }
        });
        try (Reservation others = bench.bytes.reserve()) {
            others.add(bench.bytes.max());
            assertThat(bench.outcome(client)).isInstanceOf(Answered.class);
            assertThat(SocketBench.get(bench.probe(client, 10_000))).isInstanceOf(Answered.class);
        }
    }

    @Test
    void receivedBytesAreReleasedIfTheConnectionBreaks() throws Exception {
        SocketNodeClient client = client(connection -> {
            NodeSocket socket = NodeSocket.accept(connection);
            connection.write(Arrays.copyOf(frame(large(socket.read())), LARGE / 2));
        });
        assertThat(fault(bench.outcome(client))).isEqualTo(Fault.DISCONNECTED);
        await().until(() -> bench.bytes.taken() == 0);
    }
}
