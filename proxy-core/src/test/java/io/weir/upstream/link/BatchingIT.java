package io.weir.upstream.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.limit.Budget;
import io.weir.limit.Reservation;
import io.weir.metrics.Meter;
import io.weir.testing.NoLeaks;
import io.weir.upstream.Attempt;
import io.weir.upstream.NodeOutcome;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Batches over real connections to nodes with many kinds of answers. */
@NoLeaks
class BatchingIT {

    private static final String REFUSAL = "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":%s,\"message\":\"%s\"}}";

    private final BatchBench bench = new BatchBench();
    private final List<BatchNode> nodes = new ArrayList<>();

    @AfterEach
    void end() {
        nodes.forEach(BatchNode::close);
        bench.close();
        assertThat(bench.bytes.taken()).as("bytes in flight at the end").isZero();
    }

    private BatchNode node(BatchNode node) {
        nodes.add(node);
        return node;
    }

    private static void assertResults(List<CompletableFuture<NodeOutcome>> outcomes, String suffix) {
        for (int i = 0; i < outcomes.size(); i++) {
            assertThat(BatchBench.result(outcomes.get(i))).isEqualTo("[\"" + i + suffix + "\"]");
        }
    }

    @Test
    void aLoneLookupIsWrittenInTheTurnOfTheEventLoopInWhichItCame() throws Exception {
        BatchNode node = node(new BatchNode());
        node.goOn.countDown();
        SocketNodeClient client = bench.client(node.url());
        // Makes the connection that is used then.
        assertResults(bench.askAll(client, 1, "a"), "a");
        CompletableFuture<NodeOutcome> outcome = new CompletableFuture<>();
        CompletableFuture<Boolean> writtenInTheTurn = new CompletableFuture<>();
        bench.loop.execute(() -> {
            client.ask(
                    bench.loop,
                    BatchBench.call("eth_test", "lone"),
                    BatchBench.deadline(),
                    Attempt.of(outcome::complete));
            // This task of the loop ends only when the node has the call.
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (node.bodies.size() < 2 && System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            writtenInTheTurn.complete(node.bodies.size() == 2);
        });
        assertThat(writtenInTheTurn.get(20, TimeUnit.SECONDS)).isTrue();
        assertThat(BatchBench.result(outcome)).isEqualTo("[\"lone\"]");
    }

    @Test
    void callsBehindASingleCallAreSentAsOneBatchAndAnsweredInAnyOrder() throws Exception {
        BatchNode node = node(new BatchNode());
        bench.window(50, 10_000);
        SocketNodeClient client = bench.client(node.url());
        List<CompletableFuture<NodeOutcome>> outcomes = bench.askAll(client, 40, "");
        assertThat(node.awaitFirst()).isTrue();
        assertThat(node.bodies).hasSize(1);
        node.goOn.countDown();
        assertResults(outcomes, "");
        assertThat(node.bodies).hasSize(2);
        assertThat(bench.count(Meter.UPSTREAM_BATCHES)).isEqualTo(1);
        assertThat(bench.count(Meter.UPSTREAM_BATCHED_CALLS)).isEqualTo(39);
    }

    @Test
    void unbatchableAndRepeatedCallsAndProbesAreSentAtOnce() throws Exception {
        BatchNode node = node(new BatchNode());
        bench.window(50, 10_000);
        SocketNodeClient client = bench.client(node.url());
        List<CompletableFuture<NodeOutcome>> lookups = bench.askAll(client, 3, "");
        List<CompletableFuture<NodeOutcome>> others = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            CompletableFuture<NodeOutcome> other = new CompletableFuture<>();
            others.add(other);
            bench.loop.execute(() -> client.ask(
                    bench.loop, BatchBench.call("eth_call", "x"), BatchBench.deadline(), Attempt.of(other::complete)));
        }
        CompletableFuture<NodeOutcome> again = new CompletableFuture<>();
        others.add(again);
        bench.loop.execute(() -> client.askAnew(
                bench.loop, BatchBench.call("eth_test", "x"), BatchBench.deadline(), Attempt.of(again::complete)));
        CompletableFuture<NodeOutcome> probe = bench.probe(client, 20_000);
        await().until(() -> node.bodies.size() == 5);
        node.goOn.countDown();
        assertResults(lookups, "");
        others.forEach(other -> assertThat(BatchBench.result(other)).isEqualTo("[\"x\"]"));
        assertThat(BatchBench.get(probe)).isInstanceOf(NodeOutcome.Answered.class);
        assertThat(node.batches()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "200 OK|-32600|batch too large|4",
                "413 Content Too Large|-32014|too many calls|4",
                "400 Bad Request|-32600|Invalid request|0",
                "200 OK|-32601|no batches here|0",
                "500 Internal Server Error|-32603|oops|0",
                "404 Not Found|-32601|nothing|0"
            })
    void aRefusedBatchIsSentSinglyAndTheRefusalRemembered(String status, String code, String words, int next)
            throws Exception {
        for (String form : List.of(REFUSAL, "[" + REFUSAL + "]")) {
            BatchNode node = node(new BatchNode(
                    (connection, request) -> connection.answer(status, form.formatted(request.id(), code, words))));
            bench.window(50, 10_000);
            SocketNodeClient client = bench.client(node.url());
            List<CompletableFuture<NodeOutcome>> outcomes = bench.askAll(client, 9, "");
            node.goOn.countDown();
            assertResults(outcomes, "");
            assertThat(node.batches()).isEqualTo(1);
            assertThat(node.singles()).isEqualTo(9);
            List<CompletableFuture<NodeOutcome>> more = bench.askAll(client, 3, "more");
            assertResults(more, "more");
            assertThat(node.batches()).as("batches after " + form).isEqualTo(next == 0 ? 1 : 2);
        }
    }

    @Test
    void callsOfABatchWhoseConnectionIsClosedAreSentSingly() throws Exception {
        AtomicInteger closed = new AtomicInteger();
        BatchNode node = node(new BatchNode((connection, request) -> {
            closed.incrementAndGet();
            connection.reset();
        }));
        bench.window(50, 10_000);
        SocketNodeClient client = bench.client(node.url());
        List<CompletableFuture<NodeOutcome>> outcomes = bench.askAll(client, 5, "");
        node.goOn.countDown();
        assertResults(outcomes, "");
        assertThat(closed)
                .as("once over the kept connection, once over a fresh one")
                .hasValue(2);
    }

    @Test
    void aBatchWhoseAnswerIsTooLargeIsSentInParts() throws Exception {
        bench.maxResponseBytes = 4096;
        bench.window(50, 10_000);
        BatchNode node = node(new BatchNode());
        SocketNodeClient client = bench.client(node.url());
        String long1000 = "x".repeat(1000);
        List<CompletableFuture<NodeOutcome>> outcomes = bench.askAll(client, 9, long1000);
        node.goOn.countDown();
        assertResults(outcomes, long1000);
        assertThat(bench.count(Meter.UPSTREAM_BATCHES_SPLIT)).isEqualTo(1);
    }

    @Test
    void thePartsOfAnAnswerAreCountedOnceUntilEachIsTaken() throws Exception {
        int size = 1000;
        bench.window(50, 10_000);
        bench.bytes = new Budget(64 << 10);
        BatchNode node = node(new BatchNode());
        SocketNodeClient client = bench.client(node.url());
        List<Reservation> takers = new ArrayList<>();
        List<Long> counted = new ArrayList<>();
        CountDownLatch ended = new CountDownLatch(21);
        bench.loop.execute(() -> {
            for (int i = 0; i < 21; i++) {
                var call = BatchBench.call("eth_test", "y".repeat(size));
                client.ask(bench.loop, call, BatchBench.deadline(), Attempt.of(outcome -> {
                    Reservation taker = bench.bytes.reserve();
                    taker.add(size + 4);
                    takers.add(taker);
                    counted.add(bench.bytes.taken());
                    ended.countDown();
                }));
            }
        });
        node.goOn.countDown();
        assertThat(ended.await(20, TimeUnit.SECONDS)).isTrue();
        long parts = 20L * (size + 4);
        long envelopes = 20 * 60;
        CompletableFuture<Long> after = new CompletableFuture<>();
        bench.loop.execute(() -> after.complete(bench.bytes.taken()));
        assertThat(after.get(20, TimeUnit.SECONDS)).isEqualTo(parts + size + 4);
        assertThat(counted.subList(1, 21))
                .allSatisfy(taken -> assertThat(taken).isBetween(parts + size + 4, parts + size + 4 + envelopes));
        bench.loop.execute(() -> takers.forEach(Reservation::close));
        bench.loop.submit(() -> {}).await();
    }

    @Test
    void closingEndsWhatWaitsAndWhatIsOut() throws Exception {
        BatchNode node = node(new BatchNode());
        bench.window(5, 10_000);
        SocketNodeClient client = bench.client(node.url());
        List<CompletableFuture<NodeOutcome>> outcomes = bench.askAll(client, 8, "");
        await().until(() -> node.bodies.size() == 2);
        client.close();
        for (CompletableFuture<NodeOutcome> outcome : outcomes) {
            assertThat(((Failed) BatchBench.get(outcome)).fault()).isEqualTo(Fault.CLOSED);
        }
    }

    @Test
    void aDefectOfOneAnswerAffectsItsCallAlone() throws IOException {
        BatchNode node = node(new BatchNode((connection, request) -> {
            String results = BatchNode.results(request.body());
            String first = results.replaceFirst("\"result\"", "\"error\":{\"code\":1,\"message\":\"\"},\"result\"");
            connection.answer("200 OK", first);
        }));
        bench.window(50, 10_000);
        SocketNodeClient client = bench.client(node.url());
        List<CompletableFuture<NodeOutcome>> outcomes = bench.askAll(client, 6, "");
        node.goOn.countDown();
        assertResults(outcomes.subList(0, 5), "");
        Failed failed = (Failed) BatchBench.get(outcomes.get(5));
        assertThat(failed.flaw()).isEqualTo(NodeOutcome.Flaw.BOTH_RESULT_AND_ERROR);
    }
}
