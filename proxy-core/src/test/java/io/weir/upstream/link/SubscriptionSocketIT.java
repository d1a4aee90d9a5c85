package io.weir.upstream.link;

import static io.weir.testing.RawNode.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.testing.NoLeaks;
import io.weir.testing.RawNode;
import io.weir.upstream.NodeClient.NodeSubscription;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sockets on which nodes send notifications. */
@NoLeaks
class SubscriptionSocketIT {

    private static final Answered ONE = new Answered(new RpcReply.Result(RawJson.of("1")));
    private static final String NOTIFICATION =
            "{\"jsonrpc\":\"2.0\",\"method\":\"eth_subscription\",\"params\":{\"n\":%s}}";

    private final SocketBench bench = new SocketBench(1);
    private final List<String> notified = new CopyOnWriteArrayList<>();
    private final AtomicInteger ended = new AtomicInteger();
    private RawNode node;

    @AfterEach
    void end() {
        bench.close();
        if (node != null) {
            node.close();
        }
    }

    private NodeSubscription subscribe(SocketNodeClient client) {
        NodeSubscription.Listener listener = new NodeSubscription.Listener() {
            @Override
            public void notified(RawJson message) {
                assertThat(bench.loop.inEventLoop()).isTrue();
                notified.add(message.toString());
            }

            @Override
            public void ended() {
                ended.incrementAndGet();
            }
        };
        return CompletableFuture.supplyAsync(() -> client.subscribe(bench.loop, listener), bench.loop)
                .join();
    }

    private NodeOutcome ask(NodeSubscription subscription) {
        CompletableFuture<NodeOutcome> outcome = new CompletableFuture<>();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        bench.loop.execute(() -> subscription.ask(SocketBench.call(), deadline, outcome::complete));
        return SocketBench.get(outcome);
    }

    private void close(NodeSubscription subscription) {
        CompletableFuture.runAsync(subscription::close, bench.loop).join();
    }

    @Test
    void notificationsArriveInOrderBetweenAnswersAndTheSocketStaysOpenWithoutCalls() throws IOException {
        // The node must send what follows its answer within this time.
        bench.idleMillis = 1_500;
        node = new RawNode(connection -> {
            NodeSocket socket = NodeSocket.accept(connection);
            while (true) {
                RawNode.Request request = socket.read();
                socket.text(NOTIFICATION.formatted(1));
                socket.text(result(request, "1"));
                socket.text(NOTIFICATION.formatted(2));
            }
        });
        SocketNodeClient client = bench.client(node);
        NodeSubscription subscription = subscribe(client);
        assertThat(node.accepted()).as("made with the first call").isZero();
        assertThat(ask(subscription)).isEqualTo(ONE);
        await().until(() -> notified.size() == 2);
        assertThat(notified).containsExactly(NOTIFICATION.formatted(1), NOTIFICATION.formatted(2));

        assertThat(bench.outcome(client)).isEqualTo(ONE);
        await("the idle socket for calls").until(() -> bench.open(client) == 0);
        assertThat(ask(subscription)).isEqualTo(ONE);
        assertThat(node.accepted()).isEqualTo(2);
        assertThat(ended).hasValue(0);
        assertThat(bench.unsolicited("notification"))
                .as("those on the socket for calls")
                .isEqualTo(2);
        close(subscription);
    }

    @Test
    void theEndOfTheConnectionIsToldOnceAndNoOtherIsMade() throws IOException {
        node = new RawNode(connection -> {
            NodeSocket socket = NodeSocket.accept(connection);
            socket.text(result(socket.read(), "1"));
            connection.reset();
        });
        NodeSubscription subscription = subscribe(bench.client(node));
        assertThat(ask(subscription)).isEqualTo(ONE);
        await().until(() -> ended.get() == 1);
        assertThat(ask(subscription))
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.fault()).isEqualTo(Fault.CLOSED));
        close(subscription);
        assertThat(ended).hasValue(1);
        assertThat(node.accepted()).isEqualTo(1);
    }

    @Test
    void aClosedSubscriptionEndsTheConnectionAndTellsNothing() throws IOException {
        CompletableFuture<NodeSocket.Frame> last = new CompletableFuture<>();
        node = new RawNode(connection -> {
            NodeSocket socket = NodeSocket.accept(connection);
            socket.text(result(socket.read(), "1"));
            last.complete(socket.frame());
        });
        NodeSubscription subscription = subscribe(bench.client(node));
        assertThat(ask(subscription)).isEqualTo(ONE);
        close(subscription);
        assertThat(last.orTimeout(60, TimeUnit.SECONDS).join().opcode()).isEqualTo(NodeSocket.CLOSE);
        assertThat(ended).hasValue(0);
    }

    @Test
    void aNodeThatFallsSilentIsGone() throws IOException {
        // The node must answer the call within this time.
        bench.pingMillis = 1_500;
        node = new RawNode(connection -> {
            NodeSocket socket = NodeSocket.accept(connection);
            socket.text(result(socket.read(), "1"));
            while (true) {
                socket.frame();
            }
        });
        assertThat(ask(subscribe(bench.client(node)))).isEqualTo(ONE);
        await().until(() -> ended.get() == 1);
    }

    @Test
    void aNotificationOverTheBoundEndsTheConnection() throws IOException {
        bench.maxResponseBytes = 1_000;
        node = new RawNode(connection -> {
            NodeSocket socket = NodeSocket.accept(connection);
            socket.text(result(socket.read(), "1"));
            socket.text(NOTIFICATION.formatted("\"" + "x".repeat(2_000) + "\""));
            socket.frame();
        });
        assertThat(ask(subscribe(bench.client(node)))).isEqualTo(ONE);
        await().until(() -> ended.get() == 1);
        assertThat(notified).isEmpty();
    }

    @Test
    void aRefusedHandshakeFailsTheCall() throws IOException {
        node = new RawNode(connection -> {
            connection.read();
            connection.answer("404 Not Found", "");
        });
        NodeSubscription subscription = subscribe(bench.client(node));
        assertThat(ask(subscription)).isInstanceOf(Failed.class);
        close(subscription);
        assertThat(ended).as("it was never open").hasValue(0);
    }

    @Test
    void aNodeThatMustNotBeSubscribedToHasNoSubscriptions() throws IOException {
        bench.subscribe = false;
        node = new RawNode(connection -> connection.read());
        assertThat(subscribe(bench.client(node))).isNull();
    }
}
