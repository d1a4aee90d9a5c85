package io.weir.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.testing.JsonRpcSocket;
import io.weir.testing.RunningProxy;
import io.weir.testing.traffic.HttpConnection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client that makes a part of a day's calls with several keys, and writes its own bill from the answers. Confined to one thread. */
final class DayOfCalls implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final List<String> KEYS = List.of("alpha", "beta", "gamma", "alpha", "beta", "gamma", "limited");
    private static final int MAX_BATCH = 20;

    /** The units of a call, by method. Methods that the proxy does not know are billed together. */
    private static final Map<String, Integer> UNITS = Map.of(
            "eth_chainId", 1,
            "eth_gasPrice", 1,
            "eth_getBalance", 1,
            "eth_getTransactionCount", 1,
            "eth_call", 5,
            "eth_estimateGas", 5,
            "debug_traceCall", 20,
            "net_version", 1);

    private final Random random;
    private final HttpConnection http;
    private final Map<String, JsonRpcSocket> sockets = new HashMap<>();
    private final RunningProxy weir;
    private final Map<String, long[]> bill = new TreeMap<>();
    private final Map<Integer, String> methods = new HashMap<>();
    private int billed;

    DayOfCalls(RunningProxy weir, long seed) {
        this.weir = weir;
        this.random = new Random(seed);
        this.http = HttpConnection.open(weir.port());
    }

    /** Makes calls until this number of them, or a few more, is to be billed. Returns calls, units and bytes by key and method. */
    Map<String, long[]> replay(int calls) {
        while (billed < calls) {
            String key = KEYS.get(random.nextInt(KEYS.size()));
            methods.clear();
            boolean batch = random.nextInt(4) == 0;
            String body = batch ? batch() : call(0);
            // One error object answers a batch over the rate, but one for each call over a WebSocket.
            boolean overSocket = !key.equals("limited") && random.nextInt(3) == 0;
            JsonNode answer = JSON.readTree(overSocket ? socket(key, body) : post(key, body));
            if (answer.isArray()) {
                answer.forEach(one -> add(key, one));
            } else {
                add(key, answer);
            }
        }
        return bill;
    }

    private String batch() {
        List<String> calls = new ArrayList<>();
        int size = 1 + random.nextInt(MAX_BATCH);
        for (int i = 0; i < size; i++) {
            calls.add(call(i));
        }
        // Neither is a call that gets an answer: the bill has none of them.
        calls.add("{\"jsonrpc\":\"2.0\",\"method\":\"eth_gasPrice\"}");
        calls.add("17");
        return calls.toString();
    }

    private String call(int id) {
        String address = "\"0x" + "%040x".formatted(random.nextInt(50)) + '"';
        String[] made = switch (random.nextInt(9)) {
            case 0 -> new String[] {"eth_chainId", "[]"};
            case 1 -> new String[] {"eth_gasPrice", "[]"};
            case 2 -> new String[] {"eth_getBalance", "[" + address + ",\"latest\"]"};
            case 3 -> new String[] {"eth_getTransactionCount", "[" + address + ",\"0x5\"]"};
            case 4 ->
                new String[] {"eth_call", "[{\"to\":" + address + ",\"data\":\"0x0" + random.nextInt(9) + "\"},\"0x5\"]"
                };
            case 5 -> new String[] {"eth_estimateGas", "[{\"to\":" + address + "}]"};
            case 6 -> new String[] {"eth_getBalance", "[\"no address\"]"};
            case 7 -> new String[] {random.nextBoolean() ? "debug_traceCall" : "net_version", "[]"};
            default -> new String[] {"made_up" + random.nextInt(1000), "[1]"};
        };
        methods.put(id, made[0]);
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + made[0] + "\",\"params\":" + made[1] + "}";
    }

    private String post(String key, String body) {
        return switch (key) {
            case "beta" -> http.post("/", body, "Authorization: Bearer beta").body();
            case "gamma" -> http.post("/", body, "X-Api-Key: gamma").body();
            default -> http.post("/v3/" + key, body).body();
        };
    }

    private String socket(String key, String body) {
        JsonRpcSocket socket = sockets.computeIfAbsent(
                key, any -> JsonRpcSocket.connect("ws://127.0.0.1:" + weir.port() + "/ws/v3/" + key));
        socket.send(body);
        return socket.await();
    }

    private void add(String key, JsonNode answer) {
        boolean overRate = answer.at("/error/code").asInt(0) == -32005;
        if (!answer.path("id").isInt() || overRate) {
            return;
        }
        String method = methods.get(answer.path("id").asInt());
        Integer units = UNITS.get(method);
        long[] line = bill.computeIfAbsent(key + " " + (units == null ? "other" : method), any -> new long[3]);
        billed++;
        line[0]++;
        line[1] += units == null ? 1 : units;
        line[2] += answer.has("result") ? answer.get("result").toString().getBytes(UTF_8).length : 0;
    }

    @Override
    public void close() {
        http.close();
        sockets.values().forEach(JsonRpcSocket::close);
    }
}
