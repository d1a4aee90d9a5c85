package io.weir.bench.stream;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.weir.bench.subscription.node.NodeEndpoint;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.CRC32;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A node of chain 1 that answers all calls but probes with the same large result, which may be the receipts of a block. Thread-safe. */
public final class LargeNode implements NodeEndpoint, AutoCloseable {

    private static final JsonMapper JSON = new JsonMapper();
    private static final Map<String, String> PROBES = Map.of(
            "eth_chainId",
            "\"0x1\"",
            "eth_blockNumber",
            "\"0x1000000\"",
            "eth_syncing",
            "false",
            "eth_getBlockByNumber",
            "{\"number\":\"0x1000000\",\"hash\":\"0x%064x\",\"parentHash\":\"0x%064x\"}".formatted(2, 1));

    /** A part of the result, which repeats. */
    private static final byte[] PART = ("\"0x" + "0123456789abcdef".repeat(1_024) + "\",").getBytes(US_ASCII);

    private static final byte[] END = "\"\"]}]}".getBytes(US_ASCII);

    private final int parts;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** @param bytes of the result, about */
    public LargeNode(long bytes) throws IOException {
        parts = Math.toIntExact(bytes / PART.length);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
    }

    private static byte[] begin(String id, String block) {
        return ("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":[{" + block + "\"logs\":[],\"pad\":[")
                .getBytes(US_ASCII);
    }

    /** Returns the length of the answer to a call with this id. */
    long length(String id) {
        return begin(id, "").length + (long) parts * PART.length + END.length;
    }

    /** Returns the checksum of the answer to a call with this id. */
    long checksum(String id) {
        CRC32 sum = new CRC32();
        sum.update(begin(id, ""));
        for (int part = 0; part < parts; part++) {
            sum.update(PART);
        }
        sum.update(END);
        return sum.getValue();
    }

    private void serve(HttpExchange exchange) throws IOException {
        JsonNode call = JSON.readTree(exchange.getRequestBody().readAllBytes());
        String id = call.get("id").toString();
        String probe = PROBES.get(call.get("method").asString());
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        try (OutputStream out = exchange.getResponseBody()) {
            if (probe != null) {
                byte[] answer = ("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + probe + "}").getBytes(US_ASCII);
                exchange.sendResponseHeaders(200, answer.length);
                out.write(answer);
                return;
            }
            // A receipt names the block that was asked for.
            String block = call.get("method").asString().equals("eth_getBlockReceipts")
                    ? "\"blockHash\":\"0x%064x\",\"blockNumber\":%s,".formatted(3, call.at("/params/0"))
                    : "";
            exchange.sendResponseHeaders(200, length(id) + block.length());
            out.write(begin(id, block));
            for (int part = 0; part < parts; part++) {
                out.write(PART);
            }
            out.write(END);
        }
    }

    @Override
    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public String toString() {
        return "large";
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
