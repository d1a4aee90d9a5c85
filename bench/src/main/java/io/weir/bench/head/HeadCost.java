package io.weir.bench.head;

import static java.util.Objects.requireNonNull;

import io.weir.bench.load.server.ChildProgram;
import io.weir.bench.load.server.Workshop;
import java.io.IOException;
import java.net.URI;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Counts the calls that the built proxy makes on its own account while it follows the head of two scripted nodes. Measures how
 * soon clients see a new block.
 *
 * <pre>
 * java -cp bench/target/weir-bench.jar io.weir.bench.head.HeadCost [--mixed] [--refused N] [--sockets N] [BLOCK_SECONDS [SECONDS [CALLS_PER_SECOND [JAR]]]]
 * </pre>
 *
 * <p>Runs from the root of a built checkout. Clients ask for one balance at the head once a second. The remaining calls are a
 * {@link CallMix}, beside questions for the head: fifty a second, or two hundred if nodes announce their blocks. With {@code --mixed},
 * five transactions and five calls of a method outside the catalogue come on top each second, with {@code --refused} N transactions that
 * nodes refuse. With 0 calls a second the network is idle. With {@code --sockets} the first N nodes have a WebSocket too, over which they
 * announce blocks.
 */
public final class HeadCost {

    private static final Pattern READY = Pattern.compile("JSON-RPC at (http://127\\.0\\.0\\.1:\\d+)");
    private static final Set<String> OWN = Set.of(
            "eth_chainId",
            "eth_syncing",
            "eth_blockNumber",
            "eth_getBlockByNumber latest",
            "eth_getBlockByNumber number",
            "eth_getBlockByNumber finalized",
            "eth_getBlockByNumber safe",
            "eth_getBlockByHash number",
            "eth_subscribe");
    private static final String MIXED = "--mixed";
    private static final String REFUSED = "--refused";
    private static final String SOCKETS = "--sockets";
    private static final long SAMPLE_MILLIS = 20;
    /** Announced blocks are seen sooner than that. */
    private static final long ANNOUNCED_SAMPLE_MILLIS = 5;

    private static final int FIRST_BLOCKS = 100;
    private static final int NODES = 2;
    private static final double MILLIS = TimeUnit.MILLISECONDS.toNanos(1);

    private final GrowingChain chain = new GrowingChain();
    private final List<ScriptedNode> nodes = new ArrayList<>();
    private final ScheduledExecutorService timers = Executors.newScheduledThreadPool(4);
    private final double blockSeconds;
    private final long seconds;
    private final int callsPerSecond;
    private final boolean mixed;
    private final int refused;
    private final int sockets;

    private HeadCost(double blockSeconds, long seconds, int callsPerSecond, boolean mixed, int refused, int sockets) {
        this.blockSeconds = blockSeconds;
        this.seconds = seconds;
        this.callsPerSecond = callsPerSecond;
        this.mixed = mixed;
        this.refused = refused;
        this.sockets = sockets;
    }

    /** Measures and prints. */
    public static void main(String[] args) throws IOException, InterruptedException {
        List<String> values = new ArrayList<>(List.of(args));
        boolean mixed = values.remove(MIXED);
        int refused = number(REFUSED, values);
        int sockets = number(SOCKETS, values);
        double blockSeconds = values.isEmpty() ? 12 : Double.parseDouble(values.get(0));
        long seconds = values.size() > 1 ? Long.parseLong(values.get(1)) : 300;
        int calls = values.size() > 2 ? Integer.parseInt(values.get(2)) : 1;
        Path jar = Path.of(values.size() > 3 ? values.get(3) : "proxy-core/target/weir.jar");
        new HeadCost(blockSeconds, seconds, calls, mixed, refused, sockets).run(jar.toAbsolutePath());
    }

    /** Removes an option with its number. Returns the number; 0 without the option. */
    private static int number(String option, List<String> values) {
        int place = values.indexOf(option);
        if (place < 0) {
            return 0;
        }
        values.remove(place);
        return Integer.parseInt(values.remove(place));
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
        timers.scheduleAtFixedRate(this::addBlock, stepMicros, stepMicros, TimeUnit.MICROSECONDS);
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

    private void addBlock() {
        chain.add(System.currentTimeMillis() / 1000);
        nodes.forEach(ScriptedNode::announce);
    }

    private ChildProgram start(Path jar) throws IOException {
        Path folder = Files.createDirectories(Path.of("bench/target/head-cost").toAbsolutePath());
        StringBuilder upstreams = new StringBuilder();
        for (int i = 0; i < NODES; i++) {
            ScriptedNode node = nodes.get(i);
            String socket = i < sockets ? ", ws-url = \"ws://127.0.0.1:" + node.socketPort() + '"' : "";
            upstreams.append("node-%d { url = \"http://127.0.0.1:%d\"%s }%n".formatted(i, node.port(), socket));
        }
        Path file = Files.writeString(folder.resolve("weir.conf"), """
                server.port = 0
                admin.port = 0
                plugins.path = []
                default-network = bench
                networks.bench { preset = mainnet, methods.allow = [eth_sendTransaction], upstreams { %s } }
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
        HeadClients clients = new HeadClients(proxy, new CallMix(chain::head), timers);
        clients.start(callsPerSecond);
        if (mixed) {
            clients.startSideCalls();
        }
        clients.startRefused(refused);
        if (callsPerSecond > 1) {
            clients.startSamples(sockets > 0 ? ANNOUNCED_SAMPLE_MILLIS : SAMPLE_MILLIS);
        }
        TimeUnit.SECONDS.sleep(seconds);
        report(clients, before, chain.head() - first);
    }

    private void report(HeadClients clients, List<Map<String, Long>> before, int blocks) {
        System.out.printf(
                Locale.ROOT,
                "blocks of %.2f s: %d; calls a second: %d%s%s; %s%n",
                blockSeconds,
                blocks,
                callsPerSecond,
                mixed ? " beside transactions and unknown methods" : "",
                refused > 0 ? " beside " + refused + " refused transactions" : "",
                clients);
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
        double[] delays = clients.seen().entrySet().stream()
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
