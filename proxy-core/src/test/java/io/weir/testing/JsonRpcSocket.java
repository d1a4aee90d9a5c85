package io.weir.testing;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A WebSocket that carries JSON-RPC; messages are taken in the order in which they came. Thread-safe. */
public final class JsonRpcSocket implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int MAX_MESSAGES = 10_000;

    private final BlockingQueue<String> messages = new ArrayBlockingQueue<>(MAX_MESSAGES);
    private final CompletableFuture<SocketClose> closed = new CompletableFuture<>();
    private final WebSocket socket;

    private JsonRpcSocket(String url) {
        this.socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .connectTimeout(TIMEOUT)
                .buildAsync(URI.create(url), new Incoming(messages, closed))
                .join();
    }

    /** Connects. */
    public static JsonRpcSocket connect(String url) {
        return new JsonRpcSocket(url);
    }

    /** Sends a text message. */
    public void send(String message) {
        socket.sendText(message, true).join();
    }

    /** Sends a binary message. */
    public void send(byte[] message) {
        socket.sendBinary(ByteBuffer.wrap(message), true).join();
    }

    /** Waits for the next message. */
    public String await() {
        try {
            String message = messages.poll(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            if (message == null) {
                throw new AssertionError("no message within " + TIMEOUT);
            }
            return message;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for a message", e);
        }
    }

    /** The frame with which the other side closed, once it did. */
    public CompletableFuture<SocketClose> closed() {
        return closed;
    }

    @Override
    public void close() {
        socket.abort();
    }

    private static final class Incoming implements WebSocket.Listener {

        private final BlockingQueue<String> messages;
        private final CompletableFuture<SocketClose> closed;
        private final StringBuilder parts = new StringBuilder();

        Incoming(BlockingQueue<String> messages, CompletableFuture<SocketClose> closed) {
            this.messages = messages;
            this.closed = closed;
        }

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            parts.append(data);
            if (last) {
                messages.add(parts.toString());
                parts.setLength(0);
            }
            socket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket socket, int statusCode, String reason) {
            closed.complete(new SocketClose(statusCode, reason));
            return null;
        }

        @Override
        public void onError(WebSocket socket, Throwable error) {
            closed.completeExceptionally(error);
        }
    }
}
