package io.weir.bench.classes;

import io.weir.bench.head.GrowingChain;
import io.weir.bench.head.ScriptedNode;
import io.weir.bench.load.server.RunningServer.Target;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Node that announces its new blocks to the proxy over a WebSocket, and the client that the proxy notifies of them. Confined to one
 * thread.
 */
final class AnnouncedBlocks implements AutoCloseable {

    private static final int FIRST_BLOCKS = 100;
    private static final long BLOCK_SECONDS = 1;
    private static final int WARM_BLOCKS = 20;
    private static final int MAX_WAITS = 100;
    private static final long WAIT_MILLIS = 300;
    private static final String SUBSCRIBE =
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"eth_subscribe\",\"params\":[\"newHeads\"]}";

    private final GrowingChain chain = new GrowingChain();
    private final ScriptedNode node;

    /** The block whose notification the client waits for. */
    private volatile Awaited awaited = new Awaited("\"result\"", new CountDownLatch(1));

    /**
     * A message for which the client waits.
     *
     * @param text a part of it
     * @param received is counted down when it comes
     */
    private record Awaited(String text, CountDownLatch received) {}

    AnnouncedBlocks() throws IOException {
        long now = System.currentTimeMillis() / 1000;
        for (int i = 0; i < FIRST_BLOCKS; i++) {
            chain.add(now - (FIRST_BLOCKS - i) * BLOCK_SECONDS);
        }
        node = new ScriptedNode(chain);
    }

    /** Returns the port at which the node answers calls over HTTP. */
    int port() {
        return node.port();
    }

    /** Returns the settings of the proxy by which the node announces its blocks. */
    List<String> settings() {
        return List.of("networks.bench.upstreams.node-0.ws-url = \"ws://127.0.0.1:" + node.socketPort() + '"');
    }

    /** Subscribes a client to the heads of a proxy, and returns when the proxy passes on what the node announces. */
    void subscribe(Target proxy) throws IOException, InterruptedException {
        Awaited answer = awaited;
        WebSocket socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .connectTimeout(Duration.ofSeconds(5))
                .buildAsync(URI.create("ws://127.0.0.1:" + proxy.port() + proxy.path()), new Client())
                .join();
        socket.sendText(SUBSCRIBE, true).join();
        if (!answer.received().await(MAX_WAITS * WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
            throw new IOException("eth_subscribe: no answer (expected: a result)");
        }
        int told = 0;
        for (int i = 0; i < MAX_WAITS && told < WARM_BLOCKS; i++) {
            told += announce().await(WAIT_MILLIS, TimeUnit.MILLISECONDS) ? 1 : 0;
        }
        if (told < WARM_BLOCKS) {
            throw new IOException("notifications: " + told + " (expected: " + WARM_BLOCKS + ')');
        }
    }

    /** Has the node announce the next block. Returns what is counted down once the client has its notification. */
    CountDownLatch announce() {
        CountDownLatch received = new CountDownLatch(1);
        awaited = new Awaited(chain.add(System.currentTimeMillis() / 1000).hash(), received);
        node.announce();
        return received;
    }

    @Override
    public void close() {
        node.close();
    }

    /** Listener of the client's socket. Confined to it. */
    private final class Client implements WebSocket.Listener {

        private final StringBuilder message = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
            message.append(part);
            if (last) {
                Awaited now = awaited;
                if (message.indexOf(now.text()) >= 0) {
                    now.received().countDown();
                }
                message.setLength(0);
            }
            return WebSocket.Listener.super.onText(socket, part, last);
        }
    }
}
