package io.weir.app.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.JsonRpcClient;
import io.weir.testing.JsonRpcSocket;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client with subscriptions over one WebSocket. Confined to one thread. */
public final class Subscriber implements AutoCloseable {

    private static final JsonMapper JSON = new JsonMapper();

    private final JsonRpcSocket socket;
    private final Map<String, Queue<JsonNode>> waiting = new HashMap<>();
    private final Map<String, JsonNode> errors = new HashMap<>();

    /** Connects. */
    public Subscriber(String url) {
        this.socket = JsonRpcSocket.connect(url);
    }

    /** Returns the connection. */
    public JsonRpcSocket socket() {
        return socket;
    }

    /** Subscribes and returns the id. No notification of it may come before. */
    public String subscribe(Object... params) {
        JsonNode answer = answer("eth_subscribe", params);
        assertThat(answer.has("result")).as("%s", answer).isTrue();
        String id = answer.get("result").asString();
        assertThat(id).matches("0x[0-9a-f]{1,32}");
        assertThat(waiting).doesNotContainKey(id);
        return id;
    }

    /** Calls a method and returns the whole answer. */
    public JsonNode answer(String method, Object... params) {
        socket.send(JsonRpcClient.call(method, params));
        while (true) {
            JsonNode message = JSON.readTree(socket.await());
            if (message.has("id")) {
                return message;
            }
            keep(message);
        }
    }

    private void keep(JsonNode message) {
        assertThat(message.get("jsonrpc").asString()).isEqualTo("2.0");
        assertThat(message.get("method").asString()).isEqualTo("eth_subscription");
        JsonNode params = message.get("params");
        if (params.has("error")) {
            errors.put(params.get("subscription").asString(), params.get("error"));
            return;
        }
        waiting.computeIfAbsent(params.get("subscription").asString(), id -> new ArrayDeque<>())
                .add(params.get("result"));
    }

    /** Waits for the next notification of a subscription. */
    public JsonNode next(String id) {
        while (waiting.getOrDefault(id, new ArrayDeque<>()).isEmpty()) {
            JsonNode message = JSON.readTree(socket.await());
            assertThat(message.has("method")).as("%s", message).isTrue();
            keep(message);
        }
        return waiting.get(id).remove();
    }

    /** Waits for the error that ends a subscription. */
    public JsonNode nextError(String id) {
        while (!errors.containsKey(id)) {
            keep(JSON.readTree(socket.await()));
        }
        return errors.remove(id);
    }

    /** Returns whether notifications of a subscription have come that were not taken. */
    public boolean has(String id) {
        return !waiting.getOrDefault(id, new ArrayDeque<>()).isEmpty();
    }

    @Override
    public void close() {
        socket.close();
    }
}
