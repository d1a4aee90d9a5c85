package io.weir.bench.subscription;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.weir.bench.load.server.Ports;
import io.weir.bench.subscription.chain.ForkingChain;
import io.weir.bench.subscription.chain.LogFilter;
import io.weir.bench.subscription.chain.Values;
import io.weir.bench.subscription.client.CheckedClient;
import io.weir.bench.subscription.client.ClientSocket;
import io.weir.bench.subscription.client.Journal;
import io.weir.bench.subscription.client.Kind;
import io.weir.bench.subscription.node.ForkingNode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * Shows that the memory of the proxy does not grow with the number of heads. Prints the heap after full collections along the way.
 *
 * <pre>
 * java -cp bench/target/weir-bench.jar io.weir.bench.subscription.SubscriptionSoak [--heads N] [--step N] [--clients N] [--seed S]
 *     [--jar FILE] [--java FLAGS]
 * </pre>
 *
 * <p>The next blocks come as soon as the clients were told the last ones. Each client checks every notification. One of a hundred
 * steps is a reorganisation. Runs from the root of a built checkout. The exit code is 1 if the heap grew or a rule was violated.
 */
public final class SubscriptionSoak {

    private static final Set<String> OPTIONS = Set.of("--heads", "--step", "--clients", "--seed", "--jar", "--java");
    private static final int FIRST_BLOCKS = 120;
    private static final long BLOCKS_KEPT = 5_000;
    /** With a small cache, which is full early. */
    private static final String SETTINGS = "cache.memory = 8 MiB";

    private static final int SAMPLES = 20;
    private static final int WARM_UP_SAMPLES = 3;
    private static final double MIB = 1 << 20;
    private static final double MAX_GROWTH = 1.1;
    private static final int MAX_WAIT_MILLIS = 30_000;

    private final Arguments options;
    private final PrintStream out;
    private final long seed;
    private final ForkingChain chain;
    private final Journal journal = new Journal();
    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final List<CheckedClient> clients = new ArrayList<>();
    private final List<Long> samples = new ArrayList<>();

    private SubscriptionSoak(Arguments options, PrintStream out) {
        this.options = options;
        this.out = out;
        this.seed = options.number("--seed", System.nanoTime());
        this.chain = new ForkingChain(seed, FIRST_BLOCKS, BLOCKS_KEPT);
    }

    /** Measures, prints and ends the process. */
    public static void main(String[] args) throws IOException, InterruptedException {
        CheckedProgram.exit(
                (list, out) -> new SubscriptionSoak(Arguments.of(list, Set.of(), OPTIONS), out).run(), args);
    }

    private boolean run() throws IOException, InterruptedException {
        out.println("seed " + seed);
        ForkingNode node = new ForkingNode("node", chain, loops, Ports.free());
        Path jar = Path.of(options.text("--jar", "proxy-core/target/weir.jar"));
        List<String> flags = List.of(options.text("--java", "-Xmx512m").split(" "));
        try (ProxyRun proxy = ProxyRun.start(jar, flags, List.of(node), 1, SETTINGS)) {
            connect(proxy);
            grow(proxy, node);
            clients.forEach(CheckedClient::close);
            proxy.troubles().forEach(line -> journal.violated("the log of the proxy: " + line));
            return report();
        } finally {
            node.close();
        }
    }

    private void connect(ProxyRun proxy) {
        for (int i = 0; i < options.count("--clients", 4); i++) {
            CheckedClient client = new CheckedClient("client-" + i, chain, journal, false);
            client.add(Kind.HEADS, LogFilter.ALL);
            String token = Values.TOKENS.get(i % Values.TOKENS.size()).hex();
            client.add(Kind.LOGS, i == 0 ? LogFilter.ALL : new LogFilter(Set.of(token), List.of()));
            clients.add(client);
            ClientSocket.open(loops, proxy.socket(), client);
        }
        clients.forEach(client -> client.ready().join());
    }

    private void grow(ProxyRun proxy, ForkingNode node) throws IOException, InterruptedException {
        RandomGenerator random = new Random(seed);
        long wanted = options.number("--heads", 1_000_000);
        int step = options.count("--step", 8);
        long told = 0;
        for (int sample = 1; sample <= SAMPLES && journal.violation() == null; sample++) {
            while (told < wanted * sample / SAMPLES && journal.violation() == null) {
                if (random.nextInt(100) == 0) {
                    int depth = 1 + random.nextInt(8);
                    chain.reorganise(depth, depth + 1);
                    told += depth + 1;
                } else {
                    chain.extend(step);
                    told += step;
                }
                node.follow();
                awaitTold();
            }
            samples.add(proxy.liveBytes());
            out.printf(
                    Locale.ROOT,
                    "%s  %d heads: %.2f MiB live on the heap, %.1f MiB resident%n",
                    journal.stamped(""),
                    told,
                    samples.get(samples.size() - 1) / MIB,
                    proxy.figures().residentBytes() / MIB);
        }
    }

    private void awaitTold() throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MAX_WAIT_MILLIS);
        for (CheckedClient client : clients) {
            String missing = "never asked";
            while (!missing.isEmpty() && journal.violation() == null) {
                missing = client.end(chain.head(), false)
                        .completeOnTimeout("no end", 5, TimeUnit.SECONDS)
                        .join();
                if (!missing.isEmpty() && System.nanoTime() > end) {
                    journal.violated(missing);
                } else if (!missing.isEmpty()) {
                    journal.awaitViolation(1);
                }
            }
        }
    }

    private boolean report() {
        out.printf("%d notifications%n", journal.notifications());
        String violation = journal.violation();
        if (violation != null) {
            out.println("VIOLATION, seed " + seed + ": " + violation);
            return false;
        }
        // A collection leaves dead space, which the histogram counts as arrays of integers. Single samples say little.
        int half = (WARM_UP_SAMPLES + SAMPLES) / 2;
        long before = Collections.max(samples.subList(WARM_UP_SAMPLES, half));
        long after = Collections.max(samples.subList(half, SAMPLES));
        boolean flat = after <= before * MAX_GROWTH;
        out.printf(
                Locale.ROOT,
                "the heap %s: at most %.2f MiB in the first half after the warm-up, %.2f MiB in the second%n",
                flat ? "is flat" : "GREW",
                before / MIB,
                after / MIB);
        return flat;
    }
}
