package io.weir.app;

import io.weir.testing.RawNode;
import io.weir.testing.RawNode.Connection;
import io.weir.testing.RawNode.Request;
import io.weir.upstream.link.NodeSocket;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A node that answers health checks well, over HTTP and WebSocket, and every other call in the way that its first parameter
 * names. Thread-safe.
 */
final class BrokenNode implements AutoCloseable {

    static final int LARGE_BYTES = 6 << 20;

    private static final Pattern WAY = Pattern.compile("\"params\":\\[\"(\\w+)\"");
    private static final Pattern METHOD = Pattern.compile("\"method\":\"(\\w+)\"");
    private static final Map<String, String> HEALTHY =
            Map.of("eth_chainId", "\"0x539\"", "eth_syncing", "false", "eth_blockNumber", "\"0x1\"");

    private final RawNode node;
    private final AtomicInteger open = new AtomicInteger();

    BrokenNode() throws IOException {
        this(new ServerSocket());
    }

    /** One that listens by this socket, on a free port. */
    BrokenNode(ServerSocket server) throws IOException {
        node = new RawNode(server, 0, connection -> {
            open.incrementAndGet();
            try {
                serve(connection);
            } finally {
                open.decrementAndGet();
            }
        });
    }

    int port() {
        return node.port();
    }

    /** How many connections are there, as far as the node has noticed. */
    int open() {
        return open.get();
    }

    private static void serve(Connection connection) throws IOException {
        while (true) {
            Request request = connection.read();
            if (request.head().toLowerCase(Locale.ROOT).contains("upgrade: websocket")) {
                serve(connection, NodeSocket.accept(connection, request));
            }
            answer(connection, request);
        }
    }

    private static void serve(Connection connection, NodeSocket socket) throws IOException {
        while (true) {
            Request request = socket.read();
            String way = way(request);
            switch (way) {
                case "late" -> socket.read();
                case "reset" -> connection.reset();
                case "endless" -> {
                    connection.write("\u0001\u0001{");
                    while (true) {
                        connection.write("\u0000\u007e\u00ff\u00ff" + " ".repeat(0xffff));
                    }
                }
                case "half" -> {
                    connection.write("\u0081\u0060{\"id\":" + request.id());
                    throw new IOException("half");
                }
                default -> socket.text(body(way, request));
            }
        }
    }

    private static void answer(Connection connection, Request request) throws IOException {
        String way = way(request);
        switch (way) {
            case "late" -> connection.read();
            case "reset" -> connection.reset();
            case "error500" -> connection.answer("500 Oh", "<html>");
            case "limited" -> connection.answer("429 Slow\r\nretry-after: 1", "");
            case "gzip" -> connection.answer("200 OK\r\ncontent-encoding: gzip", "\u001f\u008b");
            case "brotli" -> connection.answer("200 OK\r\ncontent-encoding: br", "\u001f\u008b");
            case "endless" -> {
                connection.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
                while (true) {
                    connection.write("10000\r\n" + " ".repeat(0x10000) + "\r\n");
                }
            }
            case "half" -> {
                connection.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{\"id\":" + request.id());
                throw new IOException("half");
            }
            default -> connection.answer("200 OK", body(way, request));
        }
    }

    private static String body(String way, Request request) {
        String well = RawNode.result(request, HEALTHY.getOrDefault(method(request), "\"0x1\""));
        return switch (way) {
            case "garbage" -> "<html>";
            case "truncated" -> well.substring(0, well.length() - 2);
            case "wrongid" -> well.replace("\"id\":" + request.id(), "\"id\":987654321");
            case "both" -> well.replace("}", ",\"error\":{\"code\":1,\"message\":\"\"}}");
            case "neither" -> "{\"jsonrpc\":\"2.0\",\"id\":" + request.id() + "}";
            case "error429" -> "{\"id\":" + request.id() + ",\"error\":{\"code\":429,\"message\":\"slow down\"}}";
            case "large" -> RawNode.result(request, '"' + "x".repeat(LARGE_BYTES) + '"');
            default -> well;
        };
    }

    private static String way(Request request) {
        Matcher way = WAY.matcher(request.body());
        return way.find() ? way.group(1) : "";
    }

    private static String method(Request request) {
        Matcher method = METHOD.matcher(request.body());
        return method.find() ? method.group(1) : "";
    }

    @Override
    public void close() {
        node.close();
    }
}
