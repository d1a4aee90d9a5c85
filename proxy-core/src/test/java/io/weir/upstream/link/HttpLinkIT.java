package io.weir.upstream.link;

import static io.weir.testing.RawNode.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.api.EthereumKind;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.testing.NoLeaks;
import io.weir.testing.RawNode;
import io.weir.testing.RawNode.Request;
import io.weir.upstream.Attempt;
import io.weir.upstream.ChainQuestion;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Queues, resets, idle times and closing, with a node that answers on the test's command. */
@NoLeaks
class HttpLinkIT {

    private static final Answered ONE = new Answered(new RpcReply.Result(RawJson.of("1")));

    private final ClientBench bench = new ClientBench(1);
    private final Semaphore answers = new Semaphore(0);
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private RawNode node;

    @BeforeEach
    void begin() throws IOException {
        node = new RawNode(connection -> {
            try {
                while (true) {
                    Request request = connection.read();
                    requests.incrementAndGet();
                    answers.acquire();
                    connection.answer("200 OK", result(request, "1"));
                    answered.incrementAndGet();
                }
            } finally {
                ended.incrementAndGet();
            }
        });
    }

    @AfterEach
    void end() {
        bench.close();
        answers.release(1_000);
        node.close();
    }

    private static NodeOutcome get(CompletableFuture<NodeOutcome> outcome) {
        return outcome.orTimeout(90, TimeUnit.SECONDS).join();
    }

    private void awaitRequests(int count) {
        await().until(() -> requests.get() == count);
    }

    @Test
    void overTheBoundOfTheQueueACallFailsAtOnceAndTheOthersAreServed() {
        bench.maxConnections = 1;
        SocketNodeClient client = bench.client(node);
        List<CompletableFuture<NodeOutcome>> within = IntStream.rangeClosed(0, SocketNodeClient.MAX_QUEUE)
                .mapToObj(holder -> bench.ask(client, "holder" + holder))
                .toList();
        CompletableFuture<NodeOutcome> over = bench.ask(client, "another");
        assertThat(get(over))
                .isEqualTo(new Failed(Fault.OVERLOADED, Executed.NO, "too many calls wait for a connection", 0));
        answers.release(within.size());
        assertThat(within.stream().map(HttpLinkIT::get)).containsOnly(ONE);
        assertThat(node.accepted()).isEqualTo(1);
    }

    @Test
    void connectionsThatAreKeptForSmallHoldersServeAnotherOneAMomentLater() {
        bench.maxConnections = 8;
        SocketNodeClient client = bench.client(node);
        List<CompletableFuture<NodeOutcome>> small = IntStream.range(0, 8)
                .mapToObj(holder -> bench.ask(client, "small" + holder))
                .toList();
        awaitRequests(8);
        answers.release(8);
        small.forEach(HttpLinkIT::get);
        List<CompletableFuture<NodeOutcome>> large =
                IntStream.range(0, 8).mapToObj(i -> bench.ask(client, "large")).toList();
        // Long before unused connections are closed.
        await().atMost(Duration.ofSeconds(15)).until(() -> requests.get() == 16);
        answers.release(8);
        assertThat(large.stream().map(HttpLinkIT::get)).containsOnly(ONE);
    }

    @Test
    void aCallThatWaitsTooLongForAConnectionWasNotSent() {
        bench.maxConnections = 1;
        SocketNodeClient client = bench.client(node);
        CompletableFuture<NodeOutcome> first = bench.ask(client, 60_000);
        assertThat(get(bench.ask(client, 100)))
                .isEqualTo(new Failed(Fault.TIMEOUT, Executed.NO, "no connection was free in time", 0));
        answers.release();
        assertThat(get(first)).isEqualTo(ONE);
        assertThat(requests).hasValue(1);
    }

    @Test
    void callsInFlightEndEachAtItsOwnTime() {
        SocketNodeClient client = bench.client(node);
        Failed late = new Failed(Fault.TIMEOUT, Executed.MAYBE, "no answer in time", 0);
        List<String> ends = new CopyOnWriteArrayList<>();
        CompletableFuture<NodeOutcome> longest = bench.ask(client, 60_000);
        CompletableFuture<NodeOutcome> longer =
                bench.ask(client, 2_500).whenComplete((outcome, problem) -> ends.add("longer"));
        CompletableFuture<NodeOutcome> shortest =
                bench.ask(client, 2_000).whenComplete((outcome, problem) -> ends.add("shortest"));
        assertThat(get(longer)).isEqualTo(late);
        assertThat(get(shortest)).isEqualTo(late);
        assertThat(ends).containsExactly("shortest", "longer");
        assertThat(longest).isNotDone();
        answers.release(3);
        assertThat(get(longest)).isEqualTo(ONE);
    }

    @Test
    void aCallThatWasGivenUpLeavesItsConnectionToOthersOnceTheAnswerHasPassed() {
        SocketNodeClient client = bench.client(node);
        // A call that comes before the client has read the answer takes another connection; then it is tried once more.
        await().until(() -> {
            int rounds = answered.get();
            int before = Math.max(1, node.accepted());
            ClientBench.Cancellable given = bench.askCancellable(client);
            awaitRequests(rounds + 1);
            given.cancel();
            answers.release();
            await().until(() -> answered.get() == rounds + 1);
            answers.release();
            assertThat(bench.outcome(client)).isEqualTo(ONE);
            await().until(() -> answered.get() == rounds + 2);
            assertThat(given.outcome).isNotDone();
            return node.accepted() == before;
        });
    }

    @Test
    void aCallThatWasGivenUpMakesRoomForOneThatWaits() {
        bench.maxConnections = 1;
        SocketNodeClient client = bench.client(node);
        ClientBench.Cancellable given = bench.askCancellable(client);
        awaitRequests(1);
        given.cancel();
        CompletableFuture<NodeOutcome> next = bench.ask(client, 60_000);
        awaitRequests(2);
        answers.release(2);
        assertThat(get(next)).isEqualTo(ONE);
        assertThat(node.accepted()).as("a fresh connection").isEqualTo(2);
    }

    @Test
    void aNodeThatNeverAnswersACallThatWasGivenUpLosesTheConnection() {
        SocketNodeClient client = bench.client(node);
        ClientBench.Cancellable given = bench.askCancellable(client);
        awaitRequests(1);
        given.cancel();
        awaitNoneOpen(client);
        answers.release();
        await().until(() -> ended.get() == 1);
        assertThat(given.outcome).isNotDone();
    }

    @Test
    void aWaitingCallThatIsGivenUpIsNeverSent() {
        bench.maxConnections = 1;
        SocketNodeClient client = bench.client(node);
        CompletableFuture<NodeOutcome> first = bench.ask(client, 60_000);
        ClientBench.Cancellable waits = bench.askCancellable(client);
        waits.cancel();
        answers.release(2);
        assertThat(get(first)).isEqualTo(ONE);
        assertThat(bench.outcome(client)).isEqualTo(ONE);
        assertThat(requests).hasValue(2);
        assertThat(waits.outcome).isNotDone();
    }

    @Test
    void aProbeDoesNotWaitBehindCalls() {
        bench.maxConnections = 1;
        SocketNodeClient client = bench.client(node);
        CompletableFuture<NodeOutcome> call = bench.ask(client, 60_000);
        awaitRequests(1);
        CompletableFuture<NodeOutcome> probe = new CompletableFuture<>();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        bench.loop.execute(() -> client.probe(bench.loop, ClientBench.call(), deadline, Attempt.of(probe::complete)));
        awaitRequests(2);
        answers.release(2);
        assertThat(get(probe)).isEqualTo(ONE);
        assertThat(get(call)).isEqualTo(ONE);
    }

    @Test
    void aResetFailsWaitingCallsAndLetsTheCallInFlightEnd() {
        bench.maxConnections = 1;
        SocketNodeClient client = bench.client(node);
        CompletableFuture<NodeOutcome> under = bench.ask(client, 60_000);
        CompletableFuture<NodeOutcome> waits = bench.ask(client, 60_000);
        awaitRequests(1);
        client.reset(true);
        assertThat(get(waits)).isEqualTo(new Failed(Fault.CONNECT, Executed.NO, "another connection broke", 0));
        assertThat(under).isNotDone();
        answers.release(2);
        assertThat(get(under)).isEqualTo(ONE);
        assertThat(bench.outcome(client)).isEqualTo(ONE);
        assertThat(node.accepted()).as("a fresh connection").isEqualTo(2);
        await().untilAsserted(() -> assertThat(ended).hasValue(1));
    }

    @Test
    void aResetThatFailsNoCallServesWaitingOnesOverAFreshConnection() {
        bench.maxConnections = 1;
        SocketNodeClient client = bench.client(node);
        CompletableFuture<NodeOutcome> under = bench.ask(client, 60_000);
        CompletableFuture<NodeOutcome> waits = bench.ask(client, 60_000);
        awaitRequests(1);
        client.reset(false);
        // The reset is a task of the loop, which must run before the answer arrives.
        bench.loop.submit(() -> {}).syncUninterruptibly();
        answers.release(2);
        assertThat(get(under)).isEqualTo(ONE);
        assertThat(get(waits)).isEqualTo(ONE);
        assertThat(node.accepted()).isEqualTo(2);
    }

    @Test
    void aResetClosesUnusedConnections() {
        answers.release(2);
        SocketNodeClient client = bench.client(node);
        assertThat(bench.outcome(client)).isEqualTo(ONE);
        client.reset(true);
        await().untilAsserted(() -> assertThat(ended).hasValue(1));
        assertThat(bench.outcome(client)).isEqualTo(ONE);
        assertThat(client.connects()).isEqualTo(2);
    }

    @Test
    void anUnusedConnectionIsClosedAfterItsTime() {
        bench.idleMillis = 100;
        answers.release(2);
        SocketNodeClient client = bench.client(node);
        assertThat(bench.outcome(client)).isEqualTo(ONE);
        await().untilAsserted(() -> assertThat(ended).hasValue(1));
        assertThat(bench.outcome(client)).isEqualTo(ONE);
        assertThat(node.accepted()).isEqualTo(2);
    }

    @Test
    void anOldConnectionServesNoFurtherCall() {
        bench.renewMillis = 0;
        answers.release(3);
        SocketNodeClient client = bench.client(node);
        for (int i = 1; i <= 3; i++) {
            assertThat(bench.outcome(client)).isEqualTo(ONE);
            int calls = i;
            await().untilAsserted(() -> assertThat(ended).hasValue(calls));
        }
        assertThat(node.accepted()).isEqualTo(3);
    }

    @Test
    void aConnectionThatTheNodeClosesWhileItIsUnusedIsNoFault() throws IOException {
        try (RawNode brief = new RawNode(connection -> {
            connection.answer("200 OK", result(connection.read(), "1"));
        })) {
            SocketNodeClient client = bench.client(brief);
            for (int i = 1; i <= 3; i++) {
                assertThat(bench.outcome(client)).isEqualTo(ONE);
                awaitNoneOpen(client);
                assertThat(brief.accepted()).isEqualTo(i);
            }
        }
    }

    @Test
    void aFreshConnectionTakesThePlaceOfAnUnusedOneAndNotOfOneThatTheNodeClosedBefore() throws IOException {
        bench.maxConnections = 2;
        // No unused connection is closed for its age.
        bench.idleMillis = 600_000;
        Semaphore leave = new Semaphore(0);
        try (RawNode leaves = new RawNode(connection -> {
            do {
                connection.answer("200 OK", result(connection.read(), "1"));
            } while (connection.number > 1);
            leave.acquire();
        })) {
            SocketNodeClient client = bench.client(leaves);
            assertThat(bench.outcome(client)).isEqualTo(ONE);
            assertThat(get(askAnew(client))).isEqualTo(ONE);
            leave.release();
            awaitOpen(client, 1);
            assertThat(get(askAnew(client))).isEqualTo(ONE);
            assertThat(get(askAnew(client))).isEqualTo(ONE);
            assertThat(leaves.accepted()).isEqualTo(4);
        }
    }

    private CompletableFuture<NodeOutcome> askAnew(SocketNodeClient client) {
        CompletableFuture<NodeOutcome> outcome = new CompletableFuture<>();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        bench.loop.execute(
                () -> client.askAnew(bench.loop, ClientBench.call(), deadline, Attempt.of(outcome::complete)));
        return outcome;
    }

    @Test
    void aFirstQuestionThatFailsEndsWaitingCallsInsteadOfConnectingAgainAndAgain() throws IOException {
        AtomicInteger connections = new AtomicInteger();
        try (RawNode restarting = new RawNode(connection -> {
            boolean first = connections.incrementAndGet() == 1;
            Request request = connection.read();
            connection.answer(first ? "200 OK" : "503 Service Unavailable", first ? result(request, "1") : "");
        })) {
            SocketNodeClient client = bench.client(restarting).asksFirst(new ChainQuestion(new EthereumKind(), "0x1"));
            assertThat(bench.outcome(client)).isEqualTo(ONE);
            awaitNoneOpen(client);
            assertThat(bench.outcome(client))
                    .isEqualTo(
                            new Failed(Fault.CONNECT, Executed.NO, "the first question on a new connection failed", 0));
            awaitNoneOpen(client);
            assertThat(restarting.accepted()).isEqualTo(2);
        }
    }

    @Test
    void aFirstQuestionOutlivesTheTimeOfACallThatWaitsForIt() throws IOException {
        AtomicInteger connections = new AtomicInteger();
        try (RawNode restarting = new RawNode(connection -> {
            boolean first = connections.incrementAndGet() == 1;
            if (first) {
                connection.answer("200 OK", result(connection.read(), "1"));
            }
            while (!first) {
                Request request = connection.read();
                answers.acquire();
                connection.answer("200 OK", result(request, "\"0x1\""));
            }
        })) {
            bench.maxConnections = 1;
            SocketNodeClient client = bench.client(restarting).asksFirst(new ChainQuestion(new EthereumKind(), "0x1"));
            assertThat(bench.outcome(client)).isEqualTo(ONE);
            awaitNoneOpen(client);
            CompletableFuture<NodeOutcome> impatient = bench.ask(client, 200);
            CompletableFuture<NodeOutcome> patient = bench.ask(client, 60_000);
            assertThat(get(impatient))
                    .isEqualTo(new Failed(Fault.TIMEOUT, Executed.NO, "no connection was free in time", 0));
            answers.release(2);
            assertThat(get(patient)).isInstanceOf(Answered.class);
            assertThat(restarting.accepted()).isEqualTo(2);
        }
    }

    private void awaitNoneOpen(SocketNodeClient client) {
        awaitOpen(client, 0);
    }

    private void awaitOpen(SocketNodeClient client, int count) {
        await().until(() -> bench.loop
                .submit(() -> client.openConnections(bench.loop) == count)
                .get());
    }

    @Test
    void closingEndsCallsInFlightAndWaitingCalls() {
        bench.maxConnections = 1;
        SocketNodeClient client = bench.client(node);
        CompletableFuture<NodeOutcome> under = bench.ask(client, 60_000);
        CompletableFuture<NodeOutcome> waits = bench.ask(client, 60_000);
        awaitRequests(1);
        client.close();
        assertThat(get(under)).isEqualTo(new Failed(Fault.CLOSED, Executed.MAYBE, "closed", 0));
        assertThat(get(waits)).isEqualTo(new Failed(Fault.CLOSED, Executed.NO, "closed", 0));
        assertThat(bench.outcome(client)).isEqualTo(new Failed(Fault.CLOSED, Executed.NO, "closed", 0));
        awaitNoneOpen(client);
    }
}
