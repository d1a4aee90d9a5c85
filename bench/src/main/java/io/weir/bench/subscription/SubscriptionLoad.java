package io.weir.bench.subscription;

import static java.util.Objects.requireNonNull;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.weir.bench.load.server.Ports;
import io.weir.bench.load.server.ProcessFigures;
import io.weir.bench.subscription.chain.Block;
import io.weir.bench.subscription.chain.ForkingChain;
import io.weir.bench.subscription.chain.Values;
import io.weir.bench.subscription.client.LightClient;
import io.weir.bench.subscription.node.ForkingNode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Measures what many subscriptions cost: the delay of a head at all clients, the memory of a connection, and the calls at the nodes.
 *
 * <pre>
 * java -cp bench/target/weir-bench.jar io.weir.bench.subscription.SubscriptionLoad [--connections N] [--filters N] [--blocks N]
 *     [--block MILLIS] [--slow] [--jar FILE]
 * </pre>
 *
 * <p>Each connection has {@code newHeads}; the filters are spread over them. With {@code --slow} one more client stops reading for
 * a minute, in which blocks come faster. Runs from the root of a built checkout.
 */
public final class SubscriptionLoad {

    private static final Set<String> OPTIONS = Set.of("--connections", "--filters", "--blocks", "--block", "--jar");
    private static final String SLOW = "--slow";

    /** The whole heap is resident from the start, so that more resident memory is memory outside the heap. */
    private static final List<String> FLAGS = List.of("-Xms640m", "-Xmx640m", "-XX:+AlwaysPreTouch");

    /** All clients have one key. */
    private static final String SETTINGS = "networks.bench.subscriptions { max-per-key = 1000000 }";

    private static final int FIRST_BLOCKS = 120;
    private static final long BLOCKS_KEPT = 10_000;
    private static final int NODES = 2;
    private static final int WARM_UP_CONNECTIONS = 50;
    private static final int WARM_UP_BLOCKS = 100;
    private static final int CONNECTING_AT_ONCE = 100;
    private static final int MIN_SUBSCRIPTIONS_OF_SLOW = 100;
    private static final int SECONDS_OF_ROUND = 60;
    private static final double KIB = 1024;

    private final Arguments options;
    private final PrintStream out;
    private final ForkingChain chain = new ForkingChain(1, FIRST_BLOCKS, BLOCKS_KEPT);
    private final Map<Long, Block> made = new ConcurrentHashMap<>();
    private final EventLoopGroup nodeLoops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final EventLoopGroup clientLoops = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final List<ForkingNode> nodes = new ArrayList<>();
    private final List<LightClient> clients = new ArrayList<>();
    private final LongAdder heads = new LongAdder();
    private final LongAdder logs = new LongAdder();
    private final LongAdder answers = new LongAdder();
    private final LongAdder closed = new LongAdder();
    private volatile Histogram delays = new ConcurrentHistogram(TimeUnit.MINUTES.toMicros(10), 3);
    private volatile boolean leaving;
    private long messagesAwaited;

    private SubscriptionLoad(Arguments options, PrintStream out) {
        this.options = options;
        this.out = out;
    }

    /** Measures and prints. */
    public static void main(String[] args) throws IOException, InterruptedException {
        CheckedProgram.exit(
                (list, out) -> {
                    new SubscriptionLoad(Arguments.of(list, Set.of(SLOW), OPTIONS), out).run();
                    return true;
                },
                args);
    }

    private void run() throws IOException, InterruptedException {
        for (int i = 0; i < NODES; i++) {
            nodes.add(new ForkingNode("node-" + i, chain, nodeLoops, Ports.free()));
        }
        Path jar = Path.of(options.text("--jar", "proxy-core/target/weir.jar"));
        try (ProxyRun proxy = ProxyRun.start(jar, FLAGS, nodes, NODES, SETTINGS)) {
            measure(proxy);
        } finally {
            leaving = true;
            nodes.forEach(ForkingNode::close);
        }
    }

    private void measure(ProxyRun proxy) throws IOException, InterruptedException {
        int connections = options.count("--connections", 10_000);
        int filters = options.count("--filters", 10_000);
        int blocks = options.count("--blocks", 60);
        int millis = options.count("--block", 1000);
        connect(proxy, WARM_UP_CONNECTIONS);
        subscribe(clients, WARM_UP_CONNECTIONS);
        grow(WARM_UP_BLOCKS, 20);
        long live = proxy.liveBytes();
        long resident = proxy.figures().residentBytes();
        connect(proxy, connections - WARM_UP_CONNECTIONS);
        List<LightClient> rest = clients.subList(WARM_UP_CONNECTIONS, clients.size());
        subscribe(rest, filters);
        grow(5, millis);
        heads.reset();
        delays = new ConcurrentHistogram(TimeUnit.MINUTES.toMicros(10), 3);
        Map<String, Long> before = calls();
        ProcessFigures proxyBefore = proxy.figures();
        ProcessFigures clientsBefore = ownFigures();
        grow(blocks, millis);
        out.printf(
                Locale.ROOT,
                "processor time of a head at a client: the proxy %.1f us, the clients and nodes %.1f us; %d processors%n",
                proxy.figures().microsPerRequest(proxyBefore, heads.sum()),
                ownFigures().microsPerRequest(clientsBefore, heads.sum()),
                Runtime.getRuntime().availableProcessors());
        report(blocks + " blocks, " + connections + " connections, " + filters + " filters", blocks, before);
        memory(proxy, live, resident, rest.size());
        if (options.has(SLOW)) {
            slow(proxy, connections, millis);
        }
    }

    private static ProcessFigures ownFigures() {
        return new ProcessFigures(
                0, 0, ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO));
    }

    private void slow(ProxyRun proxy, int connections, int millis) throws InterruptedException {
        int subscriptions = Math.max(MIN_SUBSCRIPTIONS_OF_SLOW, connections / 10);
        LongAdder slowClosed = new LongAdder();
        LightClient slow = LightClient.connect(clientLoops, proxy.socket(), new Hearing() {
                    @Override
                    public void head(long number) {}

                    @Override
                    public void closed(int code) {
                        if (slowClosed.sum() == 0) {
                            out.println("the client that did not read was closed with " + code);
                        }
                        slowClosed.increment();
                    }
                })
                .join();
        for (int i = 0; i < subscriptions; i++) {
            slow.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"eth_subscribe\",\"params\":[\"newHeads\"]}");
        }
        awaitAnswers(subscriptions);
        // At most 20,000 heads a second, which the processors must carry for all sides.
        int fast = Math.max(Math.max(50, millis / 10), connections / 20);
        int blocks = SECONDS_OF_ROUND * 1000 / fast;
        grow(20, fast);
        round("before, blocks of " + fast + " ms", blocks, fast);
        slow.reading(false);
        round("while one client does not read, blocks of " + fast + " ms", blocks, fast);
        out.printf(
                Locale.ROOT,
                "resident memory of the proxy: %.1f MiB; other clients closed: %d%n",
                proxy.figures().residentBytes() / KIB / KIB,
                closed.sum());
        slow.reading(true);
        TimeUnit.SECONDS.sleep(2);
    }

    private void round(String name, int blocks, int millis) throws InterruptedException {
        delays = new ConcurrentHistogram(TimeUnit.MINUTES.toMicros(10), 3);
        Map<String, Long> before = calls();
        grow(blocks, millis);
        report(name, blocks, before);
    }

    private void connect(ProxyRun proxy, int count) {
        for (int from = 0; from < count; from += CONNECTING_AT_ONCE) {
            List<CompletableFuture<LightClient>> connecting = new ArrayList<>();
            for (int i = from; i < Math.min(count, from + CONNECTING_AT_ONCE); i++) {
                connecting.add(LightClient.connect(clientLoops, proxy.socket(), new Hearing()));
            }
            connecting.forEach(one -> clients.add(one.join()));
        }
    }

    /** Opens {@code newHeads} at each client and spreads filters over them: nine of ten match no log of the chain. */
    private void subscribe(List<LightClient> some, int filters) throws InterruptedException {
        for (LightClient client : some) {
            client.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"eth_subscribe\",\"params\":[\"newHeads\"]}");
        }
        for (int i = 0; i < filters; i++) {
            String address = i % 10 == 0
                    ? Values.TOKENS.get(i / 10 % Values.TOKENS.size()).hex()
                    : "0x%040x".formatted(i + 1);
            some.get(i % some.size())
                    .send(
                            "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"eth_subscribe\",\"params\":[\"logs\",{\"address\":\""
                                    + address + "\"}]}");
        }
        awaitAnswers(some.size() + filters);
    }

    private void awaitAnswers(long more) throws InterruptedException {
        messagesAwaited += more;
        for (int i = 0; answers.sum() < messagesAwaited; i++) {
            if (i > 3000) {
                throw new IllegalStateException("answers: " + answers.sum() + " (expected: " + messagesAwaited + ")");
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private void grow(int blocks, int millis) throws InterruptedException {
        for (int i = 0; i < blocks; i++) {
            Block block = chain.extend(1);
            made.put(block.number(), block);
            nodes.forEach(ForkingNode::follow);
            TimeUnit.MILLISECONDS.sleep(millis);
        }
        TimeUnit.MILLISECONDS.sleep(500);
    }

    private Map<String, Long> calls() {
        Map<String, Long> sum = new TreeMap<>();
        nodes.forEach(node -> node.calls().forEach((method, count) -> sum.merge(method, count, Long::sum)));
        return sum;
    }

    private void report(String name, int blocks, Map<String, Long> before) {
        Map<String, String> perBlock = new TreeMap<>();
        calls().forEach((method, count) -> {
            long more = count - before.getOrDefault(method, 0L);
            if (more > 0) {
                perBlock.put(method, String.format(Locale.ROOT, "%.2f", (double) more / blocks));
            }
        });
        Histogram now = delays;
        out.printf(
                Locale.ROOT,
                "%s: a head after %.1f ms (median), %.1f ms (99th percentile), %.1f ms (longest); %d heads, %d logs, %d closed%n",
                name,
                now.getValueAtPercentile(50) / 1e3,
                now.getValueAtPercentile(99) / 1e3,
                now.getMaxValue() / 1e3,
                now.getTotalCount(),
                logs.sum(),
                closed.sum());
        out.println("calls a block at both nodes: " + perBlock);
    }

    private void memory(ProxyRun proxy, long live, long resident, int connections)
            throws IOException, InterruptedException {
        double nowLive = proxy.liveBytes();
        double nowResident = proxy.figures().residentBytes();
        out.printf(
                Locale.ROOT,
                "memory of a connection: %.1f KiB live on the heap and %.1f KiB outside it (the proxy: %.1f MiB)%n",
                (nowLive - live) / connections / KIB,
                (nowResident - resident) / connections / KIB,
                nowResident / KIB / KIB);
    }

    /** Notifications of one client. Confined to its event loop. */
    private class Hearing implements LightClient.Listener {

        @Override
        public void head(long number) {
            heads.increment();
            long madeNanos = requireNonNull(made.get(number), "block").addedNanos();
            delays.recordValue(TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - madeNanos));
        }

        @Override
        public void log() {
            logs.increment();
        }

        @Override
        public void answered() {
            answers.increment();
        }

        @Override
        public void closed(int code) {
            if (!leaving) {
                closed.increment();
            }
        }
    }
}
