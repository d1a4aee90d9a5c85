package io.weir.bench.restart;

import io.netty.channel.EventLoopGroup;
import io.weir.bench.subscription.chain.Block;
import io.weir.bench.subscription.chain.KnownChain;
import io.weir.bench.subscription.chain.LogFilter;
import io.weir.bench.subscription.check.Check;
import io.weir.bench.subscription.check.HeadCheck;
import io.weir.bench.subscription.check.LogCheck;
import io.weir.bench.subscription.check.Violation;
import io.weir.bench.subscription.client.ClientSocket;
import io.weir.bench.subscription.client.Journal;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A client that subscribes to heads and logs, and connects again when the proxy says that it restarts (1012). It then asks for the
 * blocks and logs in between. A call whose answer did not come before the end is repeated. Confined to its event loop, except for
 * the methods that are marked as thread-safe.
 */
final class ReturningClient implements ClientSocket.Listener {

    private static final JsonMapper JSON = new JsonMapper();
    private static final int HEADS_PER_CALL = 4;
    private static final int MAX_HISTORY = 300;

    private final String name;
    private final URI url;
    private final KnownChain chain;
    private final Journal journal;
    private final EventLoopGroup loops;
    private final SeenBlocks seen = new SeenBlocks();
    private final CatchUp catchUp = new CatchUp();
    /** What happened to the client lately, for the report of a gap. */
    private final ArrayDeque<String> history = new ArrayDeque<>();

    private final LongAdder answers = new LongAdder();
    private final LongAdder notifications = new LongAdder();
    private final AtomicInteger returns = new AtomicInteger();
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    /** Calls without an answer by their ids, over all connections. */
    private final Map<Integer, Call> open = new LinkedHashMap<>();
    /** Rules of the subscriptions of this connection. */
    private final Map<String, Check> checks = new HashMap<>();

    private volatile @Nullable ClientSocket socket;
    private int connection;
    private int nextId;
    private long heads;
    private volatile boolean leaving;

    /** Call that is on its way. Confined to the client's event loop. */
    private record Call(String method, String params, Answered answered) {}

    /** The rest of the work with the result of a call. */
    @FunctionalInterface
    private interface Answered {
        void result(JsonNode result) throws Violation;
    }

    ReturningClient(String name, URI url, KnownChain chain, Journal journal, EventLoopGroup loops) {
        this.name = name;
        this.url = url;
        this.chain = chain;
        this.journal = journal;
        this.loops = loops;
    }

    /** Connects for the first time. Returns the moment when both subscriptions are open. Thread-safe. */
    CompletableFuture<Void> connect() {
        ClientSocket.open(loops, url, this);
        return ready;
    }

    /** Returns how often it has connected again. Thread-safe. */
    int returns() {
        return returns.get();
    }

    /** Returns how many calls were answered. Thread-safe. */
    long answers() {
        return answers.sum();
    }

    /** Returns how many notifications came. Thread-safe. */
    long notifications() {
        return notifications.sum();
    }

    @Override
    public void opened(ClientSocket opened) {
        socket = opened;
        checks.clear();
        connection = catchUp.connected();
        note("connection " + connection + "; unanswered: " + open.values());
        open.values().removeIf(call -> call.method().equals("eth_subscribe"));
        open.forEach((id, call) -> send(opened, id, call));
        ask(
                "eth_subscribe",
                "[\"newHeads\"]",
                id -> subscribed(id, new HeadCheck(chain, chain.head().event())));
        ask(
                "eth_subscribe",
                "[\"logs\",{}]",
                id -> subscribed(
                        id, new LogCheck(chain, LogFilter.ALL, chain.head().event())));
    }

    private void subscribed(JsonNode id, Check check) {
        checks.put(id.asString(""), check);
        if (checks.size() == 2) {
            Block newest = chain.head();
            seen.beginAfter(newest);
            catchUp.subscribed(newest.number());
            note("subscribed at block " + newest);
            ready.complete(null);
        }
    }

    private void ask(String method, String params, Answered answered) {
        int id = nextId++;
        Call call = new Call(method, params, answered);
        open.put(id, call);
        ClientSocket to = socket;
        if (to != null) {
            send(to, id, call);
        }
    }

    private static void send(ClientSocket to, int id, Call call) {
        to.send("{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":%s}"
                .formatted(id, call.method(), call.params()));
    }

    @Override
    public void message(String text) {
        JsonNode message = JSON.readTree(text);
        try {
            if (message.has("method")) {
                notified(message.path("params"));
            } else {
                answered(message);
            }
        } catch (Violation e) {
            violated(String.valueOf(e.getMessage()));
        }
    }

    private void answered(JsonNode answer) throws Violation {
        Call call = open.remove(answer.path("id").asInt(-1));
        if (call == null || !answer.has("result")) {
            throw new Violation((call == null ? "no call" : call.method() + call.params()) + ": " + answer
                    + " (expected: a result)");
        }
        answers.increment();
        call.answered().result(answer.get("result"));
    }

    private void notified(JsonNode params) throws Violation {
        notifications.increment();
        Check check = checks.get(params.path("subscription").asString(""));
        JsonNode result = params.path("result");
        if (check == null) {
            throw new Violation("notification of no subscription of this connection: " + params);
        }
        check.told(result);
        if (check instanceof LogCheck) {
            catchUp.log(log(result));
        } else {
            head(block(result.path("hash")));
        }
    }

    private void head(Block block) {
        note("head " + block);
        seen.block(block);
        CatchUp.Range missed = catchUp.head(block.number());
        for (long number = missed.first(); number <= missed.last(); number++) {
            ask("eth_getBlockByNumber", "[\"" + hex(number) + "\",false]", this::fetched);
        }
        CatchUp.Range logs = catchUp.logs(block.number());
        if (!logs.isEmpty()) {
            fetchLogs(logs);
        }
        heads++;
        if (heads % HEADS_PER_CALL == 0) {
            ask("eth_getBlockByNumber", "[\"" + hex(block.number()) + "\",false]", this::fetched);
        }
    }

    private void fetchLogs(CatchUp.Range of) {
        int asked = connection;
        String range = "[{\"fromBlock\":\"" + hex(of.first()) + "\",\"toBlock\":\"" + hex(of.last()) + "\"}]";
        ask("eth_getLogs", range, logs -> {
            for (JsonNode log : logs) {
                log(log);
            }
            catchUp.logsKnown(of, asked);
            note(logs.size() + " logs of blocks " + of.first() + " to " + of.last());
        });
    }

    private void fetched(JsonNode result) throws Violation {
        seen.block(block(result.path("hash")));
    }

    /** Returns the number of the log's block. */
    private long log(JsonNode log) throws Violation {
        Block block = block(log.path("blockHash"));
        seen.log(block, Integer.decode(log.path("logIndex").asString("")));
        return block.number();
    }

    private Block block(JsonNode hash) throws Violation {
        Block block = chain.find(hash.asString(""));
        if (block == null) {
            throw new Violation("block " + hash + " (expected: one of the chain)");
        }
        return block;
    }

    private static String hex(long number) {
        return "0x" + Long.toHexString(number);
    }

    private void note(String line) {
        history.add(journal.stamped(name + ": " + line));
        if (history.size() > MAX_HISTORY) {
            history.remove();
        }
    }

    /** Returns what happened to the client lately. Thread-safe. */
    CompletableFuture<List<String>> history() {
        CompletableFuture<List<String>> told = new CompletableFuture<>();
        ClientSocket at = socket;
        if (at == null) {
            told.complete(List.of());
        } else {
            at.execute(() -> told.complete(List.copyOf(history)));
        }
        return told;
    }

    @Override
    public void closed(String reason) {
        socket = null;
        note("closed: " + reason);
        if (leaving) {
            return;
        }
        if (reason.startsWith("1012 ")) {
            returns.incrementAndGet();
            journal.note(name + " returns: " + reason);
            ClientSocket.open(loops, url, this);
        } else {
            violated("closed: " + reason + " (expected: 1012)");
            ready.completeExceptionally(new IllegalStateException(reason));
        }
    }

    /** Returns what the client does not know of a chain that no longer grows; empty if nothing. Thread-safe. */
    CompletableFuture<String> missing() {
        CompletableFuture<String> told = new CompletableFuture<>();
        ClientSocket at = socket;
        if (at == null) {
            told.complete(name + ": not connected");
            return told;
        }
        at.execute(() -> {
            String missing = seen.missing(chain.head());
            told.complete(
                    !missing.isEmpty()
                            ? name + ": " + missing
                            : open.isEmpty() ? "" : name + ": no answer to " + open.values());
        });
        return told;
    }

    private void violated(String text) {
        journal.violated(name + ": " + text);
    }

    /** Leaves. Thread-safe. */
    void close() {
        leaving = true;
        ClientSocket at = socket;
        if (at != null) {
            at.close();
        }
    }
}
