package io.weir.app.subscription;

import io.weir.testing.RawNode;
import io.weir.testing.RawNode.Connection;
import io.weir.testing.RawNode.Request;
import io.weir.testing.chain.ChainAnswer;
import io.weir.testing.chain.ChainAnswers;
import io.weir.testing.chain.ChainServer;
import io.weir.testing.chain.ChainState;
import io.weir.testing.chain.TestChain;
import io.weir.upstream.link.NodeSocket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A node of a chain, over HTTP and WebSocket, with the kinds of subscriptions that a test names. Thread-safe. */
final class SubscribingNode implements AutoCloseable {

    private static final JsonMapper JSON = new JsonMapper();

    private final TestChain chain;
    private final Set<String> kinds;
    private volatile UnaryOperator<ChainState> view = UnaryOperator.identity();
    private volatile ChainServer.Lie lie = ChainServer.NONE;
    private final RawNode node;
    private final Map<String, Integer> counts = new ConcurrentHashMap<>();
    private final List<Open> open = new CopyOnWriteArrayList<>();
    private final AtomicInteger ids = new AtomicInteger();
    /** New pending transactions of its filter; null if it has none. */
    private List<String> filter;

    /** A subscription at this node. */
    private record Open(String kind, String id, NodeSocket socket) {}

    SubscribingNode(TestChain chain, String... kinds) {
        this.chain = chain;
        this.kinds = Set.of(kinds);
        try {
            this.node = new RawNode(this::serve);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String url() {
        return "http://127.0.0.1:" + node.port();
    }

    String socketUrl() {
        return "ws://127.0.0.1:" + node.port();
    }

    /** Answers calls by another state of the chain from now on, as a node that announces blocks before it has them. */
    void see(UnaryOperator<ChainState> next) {
        view = next;
    }

    /** Tells a lie from now on. */
    void lie(ChainServer.Lie next) {
        lie = next;
    }

    /** How often a method was called. */
    int count(String method) {
        return counts.getOrDefault(method, 0);
    }

    /** How many subscriptions of a kind it has. */
    long subscriptions(String kind) {
        return open.stream().filter(one -> one.kind().equals(kind)).count();
    }

    /** Whether it has a filter. */
    synchronized boolean hasFilter() {
        return filter != null;
    }

    /** Tells its subscribers of a kind. */
    void tell(String kind, String result) {
        for (Open one : open) {
            if (one.kind().equals(kind)) {
                try {
                    synchronized (one.socket()) {
                        one.socket()
                                .text(
                                        "{\"jsonrpc\":\"2.0\",\"method\":\"eth_subscription\",\"params\":{\"subscription\":\""
                                                + one.id() + "\",\"result\":" + result + "}}");
                    }
                } catch (IOException e) {
                    open.remove(one);
                }
            }
        }
    }

    /** Adds a pending transaction to its filter. */
    synchronized void pend(String hash) {
        filter.add(hash);
    }

    private void serve(Connection connection) throws IOException {
        while (true) {
            Request request = connection.read();
            if (request.head().toLowerCase(Locale.ROOT).contains("upgrade: websocket")) {
                serve(NodeSocket.accept(connection, request));
            }
            JsonNode body = JSON.readTree(request.body());
            String answer = body.isArray()
                    ? body.valueStream().map(this::answer).collect(Collectors.joining(",", "[", "]"))
                    : answer(body);
            connection.answer("200 OK\r\ncontent-type: application/json", answer);
        }
    }

    private void serve(NodeSocket socket) throws IOException {
        try {
            while (true) {
                JsonNode call = JSON.readTree(socket.read().body());
                String kind = call.path("params").path(0).asString("");
                boolean accepts = call.get("method").asString().equals("eth_subscribe") && kinds.contains(kind);
                String id = "0x" + ids.incrementAndGet();
                synchronized (socket) {
                    if (accepts) {
                        // Before the answer, after which a test counts on it. Notifications wait for the lock.
                        open.add(new Open(kind, id, socket));
                    }
                    socket.text(accepts ? text(call, ChainAnswer.result('"' + id + '"')) : answer(call));
                }
            }
        } finally {
            open.removeIf(one -> one.socket() == socket);
        }
    }

    private String answer(JsonNode call) {
        String method = call.get("method").asString();
        counts.merge(method, 1, Integer::sum);
        return text(call, answer(method, call.has("params") ? call.get("params") : JSON.createArrayNode()));
    }

    private synchronized ChainAnswer answer(String method, JsonNode params) {
        boolean polled = kinds.contains("filter");
        if (method.equals("eth_subscribe")) {
            return ChainAnswer.error(-32602, "no such kind: " + params.path(0).asString(""));
        }
        if (polled && method.equals("eth_newPendingTransactionFilter")) {
            filter = new CopyOnWriteArrayList<>();
            return ChainAnswer.result("\"0xf\"");
        }
        if (polled && method.equals("eth_getFilterChanges") && filter != null) {
            String changes = String.join(",", filter);
            filter.clear();
            return ChainAnswer.result('[' + changes + ']');
        }
        if (polled && method.equals("eth_uninstallFilter")) {
            filter = null;
            return ChainAnswer.result("true");
        }
        return method.contains("ilter")
                ? ChainAnswer.error(-32601, "the method " + method + " does not exist")
                : lie.to(method, params, ChainAnswers.answer(view.apply(chain.state()), method, params));
    }

    private static String text(JsonNode call, ChainAnswer answer) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + call.get("id") + "," + answer.member() + "}";
    }

    @Override
    public void close() {
        node.close();
    }
}
