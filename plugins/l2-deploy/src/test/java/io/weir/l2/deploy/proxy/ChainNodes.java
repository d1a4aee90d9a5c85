package io.weir.l2.deploy.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.weir.l2.deploy.Samples;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/** Layer-2 nodes of one chain, each with a head of its own, under paths of one server. Thread-safe. */
final class ChainNodes implements AutoCloseable {

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, Node> nodes = new ConcurrentHashMap<>();

    /** One node. Thread-safe. */
    static final class Node {
        private static final String PRICE = "{\"price_in_fri\":\"0x1\",\"price_in_wei\":\"0x1\"}";
        private final List<JsonNode> calls = new CopyOnWriteArrayList<>();
        private final Map<String, CountDownLatch> held = new ConcurrentHashMap<>();
        private volatile long head;
        private volatile long accepted;
        private volatile boolean shows = true;
        private volatile boolean lost;
        /** From which block on it has another branch, whose hashes begin with another digit. */
        private volatile long fork = Long.MAX_VALUE;

        private volatile boolean lacksFinalTag;
        private volatile String receipt = "{}";
        private volatile String finality = "";

        /** Sets the number of its newest block. */
        void head(long number) {
            head = number;
        }

        /** Sets the number of the newest block that it calls accepted on the first layer. */
        void accepted(long number) {
            accepted = number;
        }

        /** Has it refuse the tag of the block accepted on the first layer, as version 0.8 and earlier ones do. */
        void lacksFinalTag() {
            lacksFinalTag = true;
        }

        /** Sets the receipt of all transactions. */
        void receipt(String json) {
            receipt = json;
        }

        /** Sets the finality status of all transactions; empty if it knows none. */
        void finality(String status) {
            finality = status;
        }

        /** Has it show no block from now on, though it names a head. */
        void showsNothing() {
            shows = false;
        }

        /** Has it replace the blocks from this number on, and forget them. */
        void fork(long number) {
            fork = number;
        }

        /** Has it answer no call from now on. */
        void lose() {
            lost = true;
        }

        /** Returns the calls of a method that it was sent. */
        List<JsonNode> calls(String method) {
            return calls.stream()
                    .filter(call -> call.path("method").asString().equals(method))
                    .toList();
        }

        /** Answers calls of a method only after this latch is open. */
        void hold(String method, CountDownLatch until) {
            held.put(method, until);
        }

        private String answer(JsonNode call) throws InterruptedException {
            calls.add(call);
            CountDownLatch latch = held.get(call.path("method").asString());
            if (latch != null) {
                latch.await(60, TimeUnit.SECONDS);
            }
            return "{\"jsonrpc\":\"2.0\",\"id\":" + call.path("id") + ","
                    + member(call.path("method").asString(), call.path("params")) + "}";
        }

        private String member(String method, JsonNode params) {
            return switch (method) {
                case "starknet_chainId" -> result("\"" + Samples.SEPOLIA + "\"");
                case "starknet_blockNumber" -> result(Long.toString(head));
                case "starknet_syncing" -> result("false");
                case "starknet_specVersion" -> result("\"0.9.0\"");
                case "starknet_addInvokeTransaction" -> result("{\"transaction_hash\":\"0x1\"}");
                case "starknet_getTransactionReceipt" -> result(receipt);
                case "starknet_getTransactionStatus" ->
                    finality.isEmpty()
                            ? "\"error\":{\"code\":29,\"message\":\"Transaction hash not found\"}"
                            : result("{\"finality_status\":\"" + finality + "\",\"execution_status\":\"SUCCEEDED\"}");
                case "starknet_getBlockWithTxHashes" -> atBlock(block(params), this::shown);
                case "starknet_getEvents" ->
                    atBlock(params.path(0).path("from_block"), number -> events(params.path(0), number));
                // An account that sends a transaction in each block.
                case "starknet_getNonce" -> atBlock(block(params), number -> "\"0x" + Long.toHexString(number) + "\"");
                case "starknet_getClass", "starknet_getClassAt", "starknet_getStateUpdate" ->
                    atBlock(block(params), number -> "{\"of\":" + number + "}");
                case "starknet_traceBlockTransactions" -> atBlock(block(params), number -> "[{\"of\":" + number + "}]");
                case "starknet_call" -> atBlock(params.path(1), number -> "[\"" + number + "\"]");
                default -> "\"error\":{\"code\":-32601,\"message\":\"Method not found\"}";
            };
        }

        private static JsonNode block(JsonNode params) {
            return params.isArray() ? params.path(0) : params.path("block_id");
        }

        private String atBlock(JsonNode block, LongFunction<String> answer) {
            long number = head;
            if (block.has("block_number")) {
                number = block.path("block_number").asLong();
            } else if (block.has("block_hash")) {
                String hash = block.path("block_hash").asString();
                number = Long.parseLong(hash.substring(3), 16);
                number = hash.equals(hash(number)) ? number : Long.MAX_VALUE;
            } else if (block.asString("").equals("l1_accepted") && !lacksFinalTag) {
                number = accepted;
            } else if (!block.isString() || block.asString().equals("l1_accepted")) {
                return "\"error\":{\"code\":-32602,\"message\":\"Invalid params\"}";
            }
            return number > head || !shows
                    ? "\"error\":{\"code\":24,\"message\":\"Block not found\"}"
                    : result(answer.apply(number));
        }

        /** Returns a block. Its hash is its number after the digit of its branch. */
        private String shown(long number) {
            String status = number <= accepted ? "ACCEPTED_ON_L1" : "ACCEPTED_ON_L2";
            return "{\"status\":\"" + status + "\",\"block_hash\":\"" + hash(number) + "\",\"parent_hash\":\""
                    + hash(number - 1) + "\",\"block_number\":" + number + ",\"new_root\":\"0x1\",\"timestamp\":"
                    + (1_700_000_000 + 30 * number) + ",\"sequencer_address\":\"0x2\",\"l1_gas_price\":" + PRICE
                    + ",\"l2_gas_price\":" + PRICE + ",\"l1_data_gas_price\":" + PRICE
                    + ",\"l1_da_mode\":\"BLOB\",\"starknet_version\":\"0.14.0\",\"transactions\":[\"0x9\"]}";
        }

        /** Returns a page of two events of the three in each block. Their keys are the block's number and their own. */
        private String events(JsonNode filter, long number) {
            int from = filter.path("continuation_token").asString("0").equals("2") ? 2 : 0;
            String page = IntStream.range(from, from == 0 ? 2 : 3)
                    .mapToObj(
                            index -> "{\"from_address\":\"0x0a" + index + "\",\"keys\":[\"0x" + Long.toHexString(number)
                                    + "\",\"0x" + index + "\"],\"data\":[],\"block_hash\":\"" + hash(number)
                                    + "\",\"block_number\":" + number + "}")
                    .collect(Collectors.joining(",", "[", "]"));
            return "{\"events\":" + page + (from == 0 ? ",\"continuation_token\":\"2\"}" : "}");
        }

        private String hash(long number) {
            return (number < fork ? "0xb" : "0xc") + Long.toHexString(number);
        }

        private static String result(String value) {
            return "\"result\":" + value;
        }
    }

    ChainNodes() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
    }

    /** Returns the node of this name, which has one from its first mention on. */
    Node node(String name) {
        return nodes.computeIfAbsent(name, any -> new Node());
    }

    String url(String name) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/" + name;
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            Node node = node(exchange.getRequestURI().getPath().substring(1));
            JsonNode call = Samples.json(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
            if (node.lost) {
                exchange.sendResponseHeaders(503, -1);
                return;
            }
            byte[] answer = node.answer(call).getBytes(UTF_8);
            exchange.getResponseHeaders().set("content-type", "application/json");
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
