package io.weir.bench.head;

import static java.util.Objects.requireNonNull;

import io.weir.bench.load.server.ChildProgram;
import io.weir.bench.load.server.Workshop;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Counts the calls that the built proxy makes on its own account while it follows the head of two scripted nodes. Measures how
 * soon clients see a new block.
 *
 * <pre>
 * java -cp bench/target/weir-bench.jar io.weir.bench.head.HeadCost [BLOCK_SECONDS [SECONDS [CALLS_PER_SECOND [JAR]]]]
 * </pre>
 *
 * <p>Runs from the root of a built checkout. Clients ask for one balance at the head once a second, and for other balances in the
 * remaining calls. With two calls a second or more, five refused transactions and five calls of a method outside the catalogue
 * come on top. With 0 calls a second the network is idle.
 */
public final class HeadCost {

    private static final Pattern READY = Pattern.compile("JSON-RPC at (http://127\\.0\\.0\\.1:\\d+)");
    private static final Pattern NUMBER = Pattern.compile("\"result\":\"(0x[0-9a-f]+)\"");
    private static final Set<String> OWN =
            Set.of("eth_chainId", "eth_syncing", "eth_blockNumber", "eth_getBlockByNumber", "eth_getBlockByHash");
    private static final String WATCHED = "0x00000000000000000000000000000000deadbeef";
    private static final int FIRST_BLOCKS = 100;
    private static final int NODES = 2;
    private static final int SIDE_CALLS = 5;
    private static final long SAMPLE_MILLIS = 20;
    private static final double MILLIS = TimeUnit.MILLISECONDS.toNanos(1);

    private final GrowingChain chain = new GrowingChain();
    private final List<ScriptedNode> nodes = new ArrayList<>();
    private final HttpClient client = HttpClient.newHttpClient();
    private final ScheduledExecutorService timers = Executors.newScheduledThreadPool(4);
    private final Map<Integer, Long> seen = new TreeMap<>();
    private final LongAdder hits = new LongAdder();
    private final LongAdder watched = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final AtomicLong next = new AtomicLong();
    private final double blockSeconds;
    private final long seconds;
    private final int callsPerSecond;

    private HeadCost(double blockSeconds, long seconds, int callsPerSecond) {
        this.blockSeconds = blockSeconds;
        this.seconds = seconds;
        this.callsPerSecond = callsPerSecond;
    }

    /** Measures and prints. */
    public static void main(String[] args) throws IOException, InterruptedException {
        double blockSeconds = args.length > 0 ? Double.parseDouble(args[0]) : 12;
        long seconds = args.length > 1 ? Long.parseLong(args[1]) : 300;
        int calls = args.length > 2 ? Integer.parseInt(args[2]) : 1;
        Path jar = Path.of(args.length > 3 ? args[3] : "proxy-core/target/weir.jar");
        new HeadCost(blockSeconds, seconds, calls).run(jar.toAbsolutePath());
    }

    private void run(Path jar) throws IOException, InterruptedException {
        long stepMicros = Math.round(blockSeconds * TimeUnit.SECONDS.toMicros(1));
        long start = System.currentTimeMillis() - Math.round(blockSeconds * FIRST_BLOCKS * 1000);
        for (int i = 0; i < FIRST_BLOCKS; i++) {
            chain.add((start + Math.round(i * blockSeconds * 1000)) / 1000);
        }
        for (int i = 0; i < NODES; i++) {
            nodes.add(new ScriptedNode(chain));
        }
        timers.scheduleAtFixedRate(
                () -> chain.add(System.currentTimeMillis() / 1000), stepMicros, stepMicros, TimeUnit.MICROSECONDS);
        try (ChildProgram proxy = start(jar)) {
            Matcher ready = READY.matcher(proxy.ready());
            if (!ready.find()) {
                throw new IOException("ready line: " + proxy.ready() + " (expected: an address)");
            }
            measure(URI.create(ready.group(1) + "/v3/demo"));
        } finally {
            timers.shutdownNow();
            nodes.forEach(ScriptedNode::close);
        }
    }

    private ChildProgram start(Path jar) throws IOException {
        Path folder = Files.createDirectories(Path.of("bench/target/head-cost").toAbsolutePath());
        StringBuilder upstreams = new StringBuilder();
        for (int i = 0; i < NODES; i++) {
            upstreams.append("node-%d { url = \"http://127.0.0.1:%d\" }%n"
                    .formatted(i, nodes.get(i).port()));
        }
        Path file = Files.writeString(folder.resolve("weir.conf"), """
                server.port = 0
                admin.port = 0
                plugins.path = []
                default-network = bench
                networks.bench { chain-id = 1, upstreams { %s } }
                access.keys.bench.sha256 = "2a97516c354b68848cdbd8f54a226a0a55b21ed138e207ad6c5cbb9c00aa5aea"
                """.formatted(upstreams));
        List<String> command = List.of(Workshop.java(), "-jar", jar.toString(), "run", "--config", file.toString());
        return ChildProgram.awaitLine(command, READY, folder.resolve("weir.log"));
    }

    private void measure(URI proxy) throws InterruptedException {
        // The first probes and the first head are part of the start, not of the costs.
        TimeUnit.SECONDS.sleep(2);
        List<Map<String, Long>> before = nodes.stream().map(ScriptedNode::calls).toList();
        int first = chain.head();
        if (callsPerSecond > 0) {
            timers.scheduleAtFixedRate(() -> sample(proxy), 0, SAMPLE_MILLIS, TimeUnit.MILLISECONDS);
            timers.scheduleAtFixedRate(() -> balance(proxy, WATCHED), 0, 1, TimeUnit.SECONDS);
        }
        if (callsPerSecond > 1) {
            every(callsPerSecond - 1, () -> balance(proxy, "0x%040x".formatted(next.incrementAndGet())));
            every(
                    SIDE_CALLS,
                    () -> send(proxy, "eth_sendRawTransaction", "\"0x%08x\"".formatted(next.incrementAndGet())));
            every(SIDE_CALLS, () -> send(proxy, "alchemy_getTokenBalances", "\"" + WATCHED + '"'));
        }
        TimeUnit.SECONDS.sleep(seconds);
        report(before, chain.head() - first);
    }

    private void every(int perSecond, Runnable call) {
        timers.scheduleAtFixedRate(call, 0, TimeUnit.SECONDS.toMicros(1) / perSecond, TimeUnit.MICROSECONDS);
    }

    private void sample(URI proxy) {
        client.sendAsync(request(proxy, "eth_blockNumber", ""), BodyHandlers.ofString())
                .thenAccept(this::sampled);
    }

    private synchronized void sampled(HttpResponse<String> response) {
        Matcher number = NUMBER.matcher(response.body());
        if (number.find()) {
            seen.putIfAbsent(Integer.decode(number.group(1)), System.nanoTime());
        }
    }

    private void balance(URI proxy, String address) {
        HttpRequest request = request(proxy, "eth_getBalance", '"' + address + "\",\"latest\"");
        client.sendAsync(request, BodyHandlers.ofString()).thenAccept(response -> {
            boolean hit =
                    response.headers().firstValue("Cache-Status").orElse("").contains("hit");
            if (address.equals(WATCHED)) {
                watched.increment();
                hits.add(hit ? 1 : 0);
            }
            failures.add(response.body().contains("\"result\"") ? 0 : 1);
        });
    }

    private void send(URI proxy, String method, String params) {
        client.sendAsync(request(proxy, method, params), BodyHandlers.discarding());
    }

    private static HttpRequest request(URI proxy, String method, String params) {
        return HttpRequest.newBuilder(proxy)
                .header("content-type", "application/json")
                .POST(BodyPublishers.ofString(
                        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":[%s]}".formatted(method, params)))
                .build();
    }

    private synchronized void report(List<Map<String, Long>> before, int blocks) {
        System.out.printf(
                Locale.ROOT,
                "blocks of %.2f s: %d; calls a second: %d; balance hits: %d of %d; failures: %d%n",
                blockSeconds,
                blocks,
                callsPerSecond,
                hits.sum(),
                watched.sum(),
                failures.sum());
        for (int i = 0; i < NODES; i++) {
            Map<String, Long> own = new TreeMap<>();
            Map<String, Long> earlier = before.get(i);
            nodes.get(i).calls().forEach((method, count) -> {
                long more = count - earlier.getOrDefault(method, 0L);
                if (OWN.contains(method) && more > 0) {
                    own.put(method, more);
                }
            });
            long sum = own.values().stream().mapToLong(Long::longValue).sum();
            System.out.printf(
                    Locale.ROOT,
                    "node %d: %.2f own calls a block, %.2f a minute: %s%n",
                    i,
                    (double) sum / blocks,
                    sum * 60.0 / seconds,
                    own);
        }
        Map<Integer, Long> added = chain.addedNanos();
        double[] delays = seen.entrySet().stream()
                .skip(1)
                .mapToDouble(entry -> (entry.getValue() - requireNonNull(added.get(entry.getKey()))) / MILLIS)
                .sorted()
                .toArray();
        if (delays.length > 0) {
            System.out.printf(
                    Locale.ROOT,
                    "new blocks are seen after %.0f ms (median), %.0f ms (95th percentile), %.0f ms (longest)%n",
                    delays[delays.length / 2],
                    delays[delays.length * 95 / 100],
                    delays[delays.length - 1]);
        }
    }
}
