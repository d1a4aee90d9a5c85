package io.weir.app.follower;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.weir.app.follower.CoherentChain.Block;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A node over HTTP that has a chain up to a head, refuses transactions, and counts what it is asked. Thread-safe. */
final class CountingNode implements AutoCloseable {

    private static final JsonMapper JSON = new JsonMapper();

    private final List<Block> blocks;
    private final Map<String, Integer> transactions = new HashMap<>();
    private final HttpServer server;
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(8);
    private final long delayMillis;
    private final Map<String, AtomicLong> calls = new ConcurrentHashMap<>();
    private volatile int head;
    private volatile String silent = "";

    CountingNode(List<Block> blocks, int head) throws IOException {
        this(blocks, head, 0);
    }

    /** A node that answers after so many milliseconds. */
    CountingNode(List<Block> blocks, int head, long delayMillis) throws IOException {
        this.delayMillis = delayMillis;
        this.blocks = List.copyOf(blocks);
        this.head = head;
        for (int i = 0; i < blocks.size(); i++) {
            for (String hash : blocks.get(i).transactions()) {
                transactions.put(hash, i);
            }
        }
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 256);
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    void moveTo(int number) {
        head = number;
    }

    /** Has it never answer the calls of a method. */
    void silence(String method) {
        silent = method;
    }

    /** How often each method was called since the last time, but for polls: of chain, head, finality and single links. */
    Map<String, Long> takeCalls() {
        Map<String, Long> taken = new HashMap<>();
        calls.forEach((method, count) -> taken.put(method, count.getAndSet(0)));
        taken.values().removeIf(count -> count == 0);
        return taken;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void serve(HttpExchange exchange) throws IOException {
        JsonNode body = JSON.readTree(exchange.getRequestBody().readAllBytes());
        JsonNode answer;
        if (body.isArray()) {
            ArrayNode answers = JSON.createArrayNode();
            body.forEach(call -> answers.add(answer(call)));
            answer = answers;
        } else {
            answer = answer(body);
        }
        if (body.toString().contains('"' + silent + '"')) {
            return;
        }
        byte[] bytes = JSON.writeValueAsBytes(answer);
        threads.schedule(() -> send(exchange, bytes), delayMillis, TimeUnit.MILLISECONDS);
    }

    private static boolean send(HttpExchange exchange, byte[] bytes) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
        return true;
    }

    private ObjectNode answer(JsonNode call) {
        String method = call.get("method").asString();
        JsonNode params = call.path("params");
        ObjectNode answer = JSON.createObjectNode().put("jsonrpc", "2.0");
        answer.set("id", call.get("id"));
        if (method.equals("eth_sendTransaction")) {
            count(method);
            return answer.set(
                    "error", JSON.createObjectNode().put("code", -32000).put("message", "insufficient funds"));
        }
        JsonNode result = result(method, params);
        answer.set("result", result == null ? JSON.nullNode() : result);
        return answer;
    }

    private JsonNode result(String method, JsonNode params) {
        return switch (method) {
            case "eth_chainId" -> JSON.valueToTree("0x1");
            case "eth_syncing" -> JSON.valueToTree(false);
            case "eth_blockNumber" -> JSON.valueToTree("0x" + Integer.toHexString(head));
            case "eth_getBlockByNumber", "eth_getBlockByHash" -> {
                Block block = find(params.get(0).asString());
                boolean full = params.get(1).asBoolean();
                count(full ? method : null);
                yield block == null ? null : full ? block.whole() : block.withHashes();
            }
            case "eth_getBlockReceipts" -> {
                count(method);
                Block block = find(params.get(0).asString());
                yield block == null ? null : block.receipts();
            }
            case "eth_getLogs" -> {
                count(method);
                yield logs(params.get(0));
            }
            case "eth_getTransactionByHash" -> {
                count(method);
                yield of(params.get(0).asString(), "transactions");
            }
            case "eth_getTransactionReceipt" -> {
                count(method);
                yield of(params.get(0).asString(), "receipts");
            }
            case "eth_getBalance", "alchemy_getTokenBalances" -> {
                count(method);
                yield JSON.valueToTree("0x1");
            }
            case "eth_gasPrice", "eth_maxPriorityFeePerGas", "eth_blobBaseFee" -> {
                count(method);
                yield JSON.valueToTree("0x" + Integer.toHexString(head));
            }
            case "eth_feeHistory", "debug_traceBlockByNumber", "trace_block", "debug_traceTransaction" -> {
                count(method);
                yield JSON.valueToTree(Map.of("params", params.toString()));
            }
            default -> throw new IllegalArgumentException(method);
        };
    }

    /** All logs of the filter's blocks, whatever else it wants. */
    private ArrayNode logs(JsonNode filter) {
        ArrayNode logs = JSON.createArrayNode();
        String from = filter.path("blockHash").asString(filter.path("fromBlock").asString("latest"));
        String to = filter.path("blockHash").asString(filter.path("toBlock").asString("latest"));
        for (int i = blocks.indexOf(find(from)); i <= blocks.indexOf(find(to)); i++) {
            blocks.get(i).receipts().forEach(receipt -> receipt.get("logs").forEach(logs::add));
        }
        return logs;
    }

    private void count(String method) {
        if (method != null) {
            calls.computeIfAbsent(method, name -> new AtomicLong()).incrementAndGet();
        }
    }

    private Block find(String selector) {
        for (int i = 0; i <= head; i++) {
            if (blocks.get(i).hash().equals(selector) || selector.equals("0x" + Integer.toHexString(i))) {
                return blocks.get(i);
            }
        }
        return selector.equals("latest") ? blocks.get(head) : null;
    }

    private JsonNode of(String hash, String list) {
        Integer number = transactions.get(hash);
        if (number == null || number > head) {
            return null;
        }
        Block block = blocks.get(number);
        int index = block.transactions().indexOf(hash);
        return list.equals("receipts")
                ? block.receipts().get(index)
                : block.whole().get(list).get(index);
    }
}
