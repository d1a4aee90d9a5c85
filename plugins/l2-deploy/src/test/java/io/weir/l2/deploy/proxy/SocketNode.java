package io.weir.l2.deploy.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.l2.deploy.Samples;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import tools.jackson.databind.JsonNode;

/**
 * The WebSocket of a layer-2 node. It tells the chain and the head, and takes subscriptions by the methods that a test names. Each
 * message is one frame of less than 64 KiB. Thread-safe.
 */
final class SocketNode implements AutoCloseable {

    private static final String MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final int TEXT = 0x81;
    private static final int SHORT = 126;

    private final ServerSocket server;
    private final List<String> methods;
    private final List<JsonNode> calls = new CopyOnWriteArrayList<>();
    private final Map<Socket, String> open = new ConcurrentHashMap<>();

    /** @param methods of the subscriptions that it has */
    SocketNode(String... methods) {
        this.methods = List.of(methods);
        try {
            server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        thread(this::accept);
    }

    private static void thread(Runnable action) {
        Thread thread = new Thread(action, "socket-node");
        thread.setDaemon(true);
        thread.start();
    }

    String url() {
        return "ws://127.0.0.1:" + server.getLocalPort();
    }

    /** Returns the calls that subscribe. */
    List<JsonNode> subscriptions() {
        return calls;
    }

    /** Returns the number of connections with a subscription. */
    int open() {
        return open.size();
    }

    /** Sends a notification to all subscriptions. */
    void tell(String method, String result) {
        open.forEach((socket, id) -> {
            try {
                send(
                        socket,
                        "{\"jsonrpc\":\"2.0\",\"method\":\"" + method + "\",\"params\":{\"subscription_id\":\"" + id
                                + "\",\"result\":" + result + "}}");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                thread(() -> serve(socket));
            }
        } catch (IOException e) {
            // The node was closed.
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            socket.getOutputStream().write(agreement(in).getBytes(ISO_8859_1));
            while (true) {
                JsonNode call = Samples.json(frame(in));
                String method = call.path("method").asString();
                boolean subscribes = methods.contains(method);
                String id = "node-" + calls.size();
                String answer = subscribes ? "\"result\":\"" + id + '"' : plain(method);
                // A test that knows of a subscription may use it at once, but its notifications come after the answer.
                synchronized (socket) {
                    if (subscribes) {
                        calls.add(call);
                        open.put(socket, id);
                    }
                    send(socket, "{\"jsonrpc\":\"2.0\",\"id\":" + call.path("id") + "," + answer + "}");
                }
            }
        } catch (IOException e) {
            // The client went.
        } finally {
            open.remove(socket);
        }
    }

    private static String plain(String method) {
        return switch (method) {
            case "starknet_chainId" -> "\"result\":\"" + Samples.SEPOLIA + "\"";
            case "starknet_blockNumber" -> "\"result\":105";
            case "starknet_syncing" -> "\"result\":false";
            default -> "\"error\":{\"code\":-32601,\"message\":\"Method not found\"}";
        };
    }

    private static String agreement(DataInputStream in) throws IOException {
        String key = "";
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            if (line.toLowerCase(Locale.ROOT).startsWith("sec-websocket-key:")) {
                key = line.substring(line.indexOf(':') + 1).strip();
            }
        }
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest((key + MAGIC).getBytes(ISO_8859_1));
            return "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: "
                    + Base64.getEncoder().encodeToString(digest) + "\r\n\r\n";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String line(DataInputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.readUnsignedByte(); next != '\n'; next = in.readUnsignedByte()) {
            line.append((char) next);
        }
        return line.toString().strip();
    }

    /** Reads a text. Any other frame ends the connection. */
    private static String frame(DataInputStream in) throws IOException {
        int first = in.readUnsignedByte();
        int length = in.readUnsignedByte() & 0x7f;
        length = length == SHORT ? in.readUnsignedShort() : length;
        byte[] mask = in.readNBytes(4);
        byte[] text = in.readNBytes(length);
        if (first != TEXT) {
            throw new IOException("no text: " + first);
        }
        for (int i = 0; i < length; i++) {
            text[i] ^= mask[i % 4];
        }
        return new String(text, UTF_8);
    }

    private static void send(Socket socket, String message) throws IOException {
        byte[] text = message.getBytes(UTF_8);
        synchronized (socket) {
            OutputStream out = socket.getOutputStream();
            out.write(TEXT);
            if (text.length < SHORT) {
                out.write(text.length);
            } else {
                out.write(new byte[] {SHORT, (byte) (text.length >> 8), (byte) text.length});
            }
            out.write(text);
        }
    }

    /** Closes all connections with a subscription. */
    void drop() {
        for (Socket socket : open.keySet()) {
            try {
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        drop();
    }
}
