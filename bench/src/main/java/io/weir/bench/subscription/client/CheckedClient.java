package io.weir.bench.subscription.client;

import io.weir.bench.subscription.chain.Block;
import io.weir.bench.subscription.chain.KnownChain;
import io.weir.bench.subscription.chain.LogFilter;
import io.weir.bench.subscription.check.Check;
import io.weir.bench.subscription.check.Violation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A client with a WebSocket and several subscriptions and filters. It checks that each answer comes before its notifications, that
 * none come after the end of a subscription, and that the socket stays open. Confined to its event loop, except {@link #end},
 * {@link #poll}, {@link #renew} and {@link #close}, which are thread-safe.
 */
public final class CheckedClient implements ClientSocket.Listener {

    private static final JsonMapper JSON = new JsonMapper();
    private static final int MAX_TRACE = 40;

    private final String name;
    private final KnownChain chain;
    private final Journal journal;
    private final List<Stream> streams = new ArrayList<>();
    private final boolean batch;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final Map<Integer, Consumer<JsonNode>> open = new HashMap<>();
    private final Map<String, Stream> byId = new HashMap<>();
    private final Set<String> ended = new HashSet<>();
    private final ArrayDeque<String> trace = new ArrayDeque<>();
    private volatile @Nullable ClientSocket socket;
    private volatile boolean leaving;
    private int nextId;

    /**
     * Creates a client that is not connected.
     *
     * @param batch whether the subscriptions are opened in one batch
     */
    public CheckedClient(String name, KnownChain chain, Journal journal, boolean batch) {
        this.name = name;
        this.chain = chain;
        this.journal = journal;
        this.batch = batch;
    }

    /** Adds a stream, before the client connects. */
    public void add(Kind kind, LogFilter filter) {
        streams.add(new Stream(kind, filter));
    }

    /** Returns the moment when all streams are open. */
    public CompletableFuture<Void> ready() {
        return ready;
    }

    @Override
    public void opened(ClientSocket opened) {
        socket = opened;
        List<String> calls = streams.stream().map(this::opening).toList();
        if (batch) {
            opened.send(calls.stream().collect(Collectors.joining(",", "[", "]")));
        } else {
            calls.forEach(opened::send);
        }
    }

    private String opening(Stream stream) {
        return call(stream.kind().opens(), stream.kind().params(stream.filter()), answer -> {
            String id = answer.path("result").asString("");
            if (id.isEmpty() || byId.containsKey(id)) {
                violated(stream + ": " + answer + " (expected: an id of its own)");
                return;
            }
            stream.opened(id, stream.kind().check(chain, stream.filter()));
            byId.put(id, stream);
            if (byId.size() == streams.size()) {
                ready.complete(null);
            }
        });
    }

    private String call(String method, String params, Consumer<JsonNode> answered) {
        int id = nextId++;
        open.put(id, answered);
        trace("-> " + method + params);
        return "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":%s}".formatted(id, method, params);
    }

    @Override
    public void message(String text) {
        JsonNode message = JSON.readTree(text);
        if (message.isArray()) {
            message.forEach(this::answered);
        } else if (message.has("method")) {
            notified(message.path("params"));
        } else {
            answered(message);
        }
    }

    private void answered(JsonNode answer) {
        trace("<- " + abbreviated(answer.toString()));
        Consumer<JsonNode> waiting = open.remove(answer.path("id").asInt(-1));
        if (waiting == null) {
            violated("answer without a call: " + answer);
        } else {
            waiting.accept(answer);
        }
    }

    private void notified(JsonNode params) {
        String id = params.path("subscription").asString("");
        JsonNode result = params.path("result");
        Stream stream = byId.get(id);
        if (stream == null) {
            violated(
                    ended.contains(id)
                            ? "notification after the end of the subscription " + id
                            : "notification before the answer with the id " + id);
            return;
        }
        told(stream, result);
    }

    private void told(Stream stream, JsonNode result) {
        Check check = stream.check();
        String hash = result.isString()
                ? result.asString()
                : result.path(result.has("blockHash") ? "blockHash" : "hash").asString("");
        Block block = chain.find(hash);
        trace("<- " + stream + " " + block + (result.has("logIndex") ? " log " + result.get("logIndex") : "")
                + (result.path("removed").asBoolean(false) ? " removed" : ""));
        if (block != null) {
            journal.notified(block.addedNanos());
        }
        try {
            if (check != null) {
                check.told(result);
            }
        } catch (Violation e) {
            violated(stream + " " + stream.filter().json() + ": " + e.getMessage());
        }
    }

    @Override
    public void closed(String reason) {
        if (!leaving) {
            violated("closed: " + reason);
            ready.completeExceptionally(new IllegalStateException("closed: " + reason));
        }
    }

    /** Asks for the changes of the filters. */
    public void poll() {
        run(opened -> {
            for (Stream stream : streams) {
                String id = stream.id();
                if (stream.kind().isPolled() && id != null && !stream.isEnding()) {
                    opened.send(call("eth_getFilterChanges", "[\"" + id + "\"]", answer -> changed(stream, answer)));
                }
            }
        });
    }

    private void changed(Stream stream, JsonNode answer) {
        if (!answer.path("result").isArray()) {
            if (stream.isEnding()) {
                // The call that ends the filter was faster.
                return;
            }
            violated(stream + ": " + answer + " (expected: changes)");
            return;
        }
        answer.get("result").forEach(change -> told(stream, change));
    }

    /** Ends one of the subscriptions and opens the same anew. */
    public void renew(int index) {
        run(opened -> {
            Stream old = streams.get(index % streams.size());
            String id = old.id();
            if (id == null || old.isEnding()) {
                return;
            }
            old.ending();
            opened.send(call(old.kind().closes(), "[\"" + id + "\"]", answer -> {
                if (!answer.path("result").asBoolean(false)) {
                    violated(old + ": " + answer + " (expected: true)");
                }
                byId.remove(id);
                ended.add(id);
                Stream next = new Stream(old.kind(), old.filter());
                streams.set(streams.indexOf(old), next);
                opened.send(opening(next));
            }));
        });
    }

    private void run(Consumer<ClientSocket> task) {
        ClientSocket opened = socket;
        if (opened != null && !leaving) {
            opened.execute(() -> task.accept(opened));
        }
    }

    /**
     * Checks that all was told up to a head that is no longer changing.
     *
     * @param replay whether the replayed notifications are compared with the whole chain, too
     * @return the missing part; empty if all was told
     */
    public CompletableFuture<String> end(Block head, boolean replay) {
        CompletableFuture<String> missing = new CompletableFuture<>();
        run(opened -> {
            for (Stream stream : streams) {
                Check check = stream.check();
                try {
                    if (check == null) {
                        throw new Violation("the subscription was never answered");
                    }
                    check.end(head);
                    if (replay) {
                        check.replay(head);
                    }
                } catch (Violation e) {
                    missing.complete(
                            name + ": " + stream + " " + stream.filter().json() + ": " + e.getMessage());
                    return;
                }
            }
            missing.complete("");
        });
        return missing;
    }

    /** Returns the checks of the open streams. Only for a client that hears nothing more. */
    public List<Check> checks() {
        List<Check> checks = new ArrayList<>();
        for (Stream stream : streams) {
            Check check = stream.check();
            if (check != null) {
                checks.add(check);
            }
        }
        return checks;
    }

    /** Leaves. */
    public void close() {
        leaving = true;
        ClientSocket opened = socket;
        if (opened != null) {
            opened.close();
        }
    }

    private void violated(String text) {
        journal.violated(name + ": " + text + "\n  last messages of the client:\n    " + String.join("\n    ", trace));
    }

    private void trace(String line) {
        trace.add(journal.stamped(line));
        if (trace.size() > MAX_TRACE) {
            trace.remove();
        }
    }

    private static String abbreviated(String text) {
        return text.length() > 200 ? text.substring(0, 200) + "…" : text;
    }
}
