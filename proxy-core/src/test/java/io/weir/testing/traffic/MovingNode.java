package io.weir.testing.traffic;

import io.weir.testing.RawNode;
import io.weir.upstream.link.NodeSocket;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A node of chain 1 whose head the test moves. It answers {@code eth_getBlockByNumber} with a block that has nothing but its
 * number and the hashes made of it, and {@code eth_getBalance} with the number of the block that it answered for; of blocks
 * above its head it knows nothing. Over a WebSocket it announces blocks when the test says so. Thread-safe.
 */
public final class MovingNode implements AutoCloseable {

    private static final Pattern METHOD = Pattern.compile("\"method\":\"(\\w+)\"");
    private static final Pattern BLOCK = Pattern.compile("\"(0x[0-9a-f]{1,16}|0x[0-9a-f]{64}|latest)\"");

    private final AtomicLong head;
    private final AtomicLong answered = new AtomicLong();
    private final Map<RawNode.Connection, NodeSocket> subscribers = new ConcurrentHashMap<>();
    private final RawNode node;

    private MovingNode(long head) throws IOException {
        this.head = new AtomicLong(head);
        this.node = new RawNode(connection -> {
            while (true) {
                RawNode.Request request = connection.read();
                if (request.head().toLowerCase(Locale.ROOT).contains("upgrade: websocket")) {
                    serve(connection, NodeSocket.accept(connection, request));
                } else {
                    connection.answer("200 OK", answer(request));
                }
            }
        });
    }

    /** Starts a node on a free port. */
    public static MovingNode start(long head) throws IOException {
        return new MovingNode(head);
    }

    /** Its address. */
    public String url() {
        return "http://127.0.0.1:" + node.port();
    }

    /** Its address for WebSockets. */
    public String socketUrl() {
        return "ws://127.0.0.1:" + node.port();
    }

    /** Number of open subscriptions. */
    public int subscribers() {
        return subscribers.size();
    }

    /** Announces its head, or another block, to those who are there. */
    public void announce(long number) {
        for (NodeSocket socket : subscribers.values()) {
            synchronized (socket) {
                try {
                    socket.text(
                            "{\"jsonrpc\":\"2.0\",\"method\":\"eth_subscription\",\"params\":{\"subscription\":\"0x9c\",\"result\":"
                                    + text(number) + "}}");
                } catch (IOException e) {
                    // It left: the proxy replaces a node that announces nothing for a while.
                }
            }
        }
    }

    /** Moves its head, and announces it. */
    public void announceNext() {
        announce(head.incrementAndGet());
    }

    /** Breaks the connections of those who subscribed. */
    public void dropSubscribers() throws IOException {
        for (RawNode.Connection connection : subscribers.keySet()) {
            connection.reset();
        }
    }

    private void serve(RawNode.Connection connection, NodeSocket socket) throws IOException {
        try {
            while (true) {
                RawNode.Request request = socket.read();
                boolean subscribes = request.body().contains("\"eth_subscribe\"");
                synchronized (socket) {
                    socket.text(subscribes ? RawNode.result(request, "\"0x9c\"") : answer(request));
                }
                if (subscribes) {
                    subscribers.put(connection, socket);
                }
            }
        } finally {
            subscribers.remove(connection);
        }
    }

    /** Its head. */
    public long head() {
        return head.get();
    }

    /** Moves its head. */
    public void moveTo(long number) {
        head.set(number);
    }

    /** Calls that it answered, those about its head and chain left out. */
    public long answered() {
        return answered.get();
    }

    @Override
    public void close() {
        node.close();
    }

    private String answer(RawNode.Request request) {
        Matcher method = METHOD.matcher(request.body());
        long now = head.get();
        return switch (method.find() ? method.group(1) : "") {
            case "eth_chainId" -> RawNode.result(request, "\"0x1\"");
            case "eth_syncing" -> RawNode.result(request, "false");
            case "eth_blockNumber" -> RawNode.result(request, hex(now));
            case "eth_getBlockByNumber", "eth_getBlockByHash" -> block(request, now);
            case "eth_getBalance" -> balance(request, now);
            default -> throw new IllegalArgumentException("request: " + request.body());
        };
    }

    private String block(RawNode.Request request, long now) {
        if (request.body().contains("\"finalized\"")) {
            return RawNode.result(request, "null");
        }
        answered.incrementAndGet();
        long number = number(request, now);
        return RawNode.result(request, number > now ? "null" : text(number));
    }

    private static String text(long number) {
        return "{\"number\":%s,\"hash\":\"0x%064x\",\"parentHash\":\"0x%064x\"}"
                .formatted(hex(number), number, number - 1);
    }

    private String balance(RawNode.Request request, long now) {
        answered.incrementAndGet();
        long number = number(request, now);
        return number > now
                ? "{\"jsonrpc\":\"2.0\",\"id\":" + request.id()
                        + ",\"error\":{\"code\":-32000,\"message\":\"header not found\"}}"
                : RawNode.result(request, hex(number));
    }

    /** The last of the parameters that is no address. */
    private static long number(RawNode.Request request, long now) {
        String params = request.body().substring(request.body().indexOf("\"params\""));
        Matcher block = BLOCK.matcher(params);
        if (!block.find()) {
            throw new IllegalArgumentException("request: " + request.body() + " (expected: a block)");
        }
        String text = block.group(1);
        return text.equals("latest") ? now : Long.parseLong(text.substring(2), 16);
    }

    private static String hex(long number) {
        return "\"0x" + Long.toHexString(number) + '"';
    }
}
