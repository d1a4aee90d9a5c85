package io.weir.bench.subscription;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.weir.bench.subscription.chain.ForkingChain;
import io.weir.bench.subscription.chain.LogFilter;
import io.weir.bench.subscription.client.CheckedClient;
import io.weir.bench.subscription.client.ClientSocket;
import io.weir.bench.subscription.client.Journal;
import io.weir.bench.subscription.client.Kind;
import io.weir.bench.subscription.node.ForkingNode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;

/**
 * Shows whether subscriptions survive the loss of nodes. Three nodes of one chain are killed, stalled, slowed and held back at random,
 * while the chain grows and reorganises. Every client checks every notification against the chain.
 *
 * <pre>
 * java -cp bench/target/weir-bench.jar io.weir.bench.subscription.SubscriptionTorture [--short] [--failovers N] [--seed S] [--clients N]
 *     [--filters N] [--block MILLIS] [--pace MILLIS] [--seconds MOST] [--verbose] [--jar FILE]
 * </pre>
 *
 * <p>Runs from the root of a built checkout. The exit code is 1 at the first violation.
 */
public final class SubscriptionTorture {

    private static final Set<String> OPTIONS =
            Set.of("--failovers", "--seed", "--clients", "--filters", "--block", "--pace", "--seconds", "--jar");
    private static final String SHORT = "--short";
    private static final String VERBOSE = "--verbose";
    private static final int FIRST_BLOCKS = 120;
    private static final long BLOCKS_KEPT = 100_000;
    private static final int NODES = 3;
    private static final int SOCKETS = 2;
    private static final long SECONDS_TO_END = 30;

    private final Arguments options;
    private final long seed;
    private final PrintStream out;
    private final Journal journal = new Journal();
    private final ForkingChain chain;
    private final EventLoopGroup nodeLoops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final EventLoopGroup clientLoops = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final List<ForkingNode> nodes = new ArrayList<>();
    private final List<CheckedClient> clients = new ArrayList<>();
    private volatile boolean ending;
    private long notified;
    private int silentSeconds;
    private volatile int longestSilence;

    private SubscriptionTorture(Arguments options, PrintStream out) {
        this.options = options;
        this.out = out;
        this.seed = options.number("--seed", System.nanoTime());
        this.chain = new ForkingChain(seed, FIRST_BLOCKS, BLOCKS_KEPT);
    }

    /** Runs and ends the process. */
    public static void main(String[] args) throws IOException, InterruptedException {
        try {
            System.exit(run(List.of(args), System.out) ? 0 : 1);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(2);
        }
    }

    /**
     * Runs once.
     *
     * @return whether no rule was violated
     * @throws IllegalArgumentException if the options are wrong
     */
    public static boolean run(List<String> args, PrintStream out) throws IOException, InterruptedException {
        return new SubscriptionTorture(Arguments.of(args, Set.of(SHORT, VERBOSE), OPTIONS), out).run();
    }

    private boolean run() throws IOException, InterruptedException {
        out.println("seed " + seed);
        for (int i = 0; i < NODES; i++) {
            nodes.add(new ForkingNode("node-" + i, chain, nodeLoops, Ports.free()));
        }
        Path jar = Path.of(options.text("--jar", "proxy-core/target/weir.jar"));
        List<String> flags = List.of("-Xmx1g", "-Dio.netty.leakDetection.level=paranoid");
        try (ProxyRun proxy = ProxyRun.start(jar, flags, nodes, SOCKETS, "")) {
            run(proxy);
            for (String line : proxy.troubles()) {
                journal.violated("the log of the proxy: " + line);
            }
            return report(proxy);
        } finally {
            timer.shutdownNow();
            clients.forEach(CheckedClient::close);
            nodes.forEach(ForkingNode::close);
            clientLoops.shutdownGracefully();
            nodeLoops.shutdownGracefully();
        }
    }

    private void run(ProxyRun proxy) throws InterruptedException {
        boolean isShort = options.has(SHORT);
        RandomGenerator random = new Random(seed);
        connect(proxy, random);
        Faults faults = new Faults(nodes, random, timer, journal);
        Growth growth = new Growth(chain, nodes, random, journal);
        int wanted = options.count("--failovers", isShort ? 60 : 1000);
        long block = options.number("--block", 250);
        long pace = options.number("--pace", 150);
        every(block, growth::step, random);
        every(pace, faults::inject, random);
        every(500, () -> clients.forEach(CheckedClient::poll), random);
        every(1000, () -> clients.get(random.nextInt(clients.size())).renew(random.nextInt(4)), random);
        timer.scheduleAtFixedRate(() -> watchSilence(proxy), 1, 1, TimeUnit.SECONDS);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(options.number("--seconds", isShort ? 40 : 900));
        while (faults.failovers() < wanted && System.nanoTime() < end && !journal.awaitViolation(200)) {}
        ending = true;
        CompletableFuture.runAsync(() -> {}, timer).join();
        // Nodes that have a fault now are healed before the end.
        timer.shutdown();
        timer.awaitTermination(5, TimeUnit.SECONDS);
        nodes.forEach(ForkingNode::follow);
        awaitAll();
        out.printf(
                "%d forced failovers (%s); %d blocks, %d reorganisations up to %d deep%n",
                faults.failovers(), faults.counts(), chain.head().number(), growth.reorganisations(), growth.deepest());
    }

    /** Repeats a task after random pauses with a mean, until the end. */
    private void every(long meanMillis, Runnable task, RandomGenerator random) {
        long pause = meanMillis / 4 + random.nextLong(1 + meanMillis * 3 / 2);
        timer.schedule(
                () -> {
                    try {
                        if (!ending) {
                            task.run();
                            every(meanMillis, task, random);
                        }
                    } catch (RuntimeException e) {
                        journal.violated("the run itself: " + e);
                    }
                },
                pause,
                TimeUnit.MILLISECONDS);
    }

    /** Notes seconds without a notification. They are allowed, but they show where to look. */
    private void watchSilence(ProxyRun proxy) {
        long now = journal.notifications();
        silentSeconds = now == notified ? silentSeconds + 1 : 0;
        notified = now;
        longestSilence = Math.max(longestSilence, silentSeconds);
        if (silentSeconds % 5 == 4) {
            journal.note(
                    silentSeconds + " s without a notification; the head is " + chain.head() + "; " + proxy.heads());
        }
    }

    private void connect(ProxyRun proxy, RandomGenerator random) throws InterruptedException {
        int count = options.count("--clients", options.has(SHORT) ? 60 : 200);
        int filters = options.count("--filters", options.has(SHORT) ? 20 : 50);
        for (int i = 0; i < count + filters; i++) {
            boolean polls = i >= count;
            CheckedClient client = new CheckedClient((polls ? "poller-" : "client-") + i, chain, journal, i % 4 == 0);
            client.add(polls ? Kind.BLOCK_FILTER : Kind.HEADS, LogFilter.ALL);
            client.add(polls ? Kind.LOG_FILTER : Kind.LOGS, i % 10 == 0 ? LogFilter.ALL : LogFilter.any(random));
            if (i % 3 == 0) {
                client.add(polls ? Kind.LOG_FILTER : Kind.LOGS, LogFilter.any(random));
            }
            clients.add(client);
            ClientSocket.open(clientLoops, proxy.socket(), client);
        }
        CompletableFuture<?> all = CompletableFuture.allOf(
                clients.stream().map(CheckedClient::ready).toArray(CompletableFuture[]::new));
        try {
            all.get(SECONDS_TO_END, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            journal.violated("not all subscriptions were opened: " + e);
        }
    }

    /** Waits until every client has heard all, with nodes that are well and a chain that no longer grows. */
    private void awaitAll() throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_TO_END);
        for (CheckedClient client : clients) {
            String missing = "never asked";
            while (!missing.isEmpty() && journal.violation() == null) {
                client.poll();
                missing = client.end(chain.head(), true)
                        .completeOnTimeout("no end", 5, TimeUnit.SECONDS)
                        .join();
                if (!missing.isEmpty() && System.nanoTime() > end) {
                    journal.violated(missing);
                } else if (!missing.isEmpty()) {
                    journal.awaitViolation(50);
                }
            }
        }
    }

    private boolean report(ProxyRun proxy) {
        var delays = journal.delays();
        out.printf(
                "%d clients, %d notifications; from block to client: median %.1f ms, 99th percentile %.1f ms, longest %.1f ms; "
                        + "longest silence %d s%n",
                clients.size(),
                journal.notifications(),
                delays.getValueAtPercentile(50) / 1e3,
                delays.getValueAtPercentile(99) / 1e3,
                delays.getMaxValue() / 1e3,
                longestSilence);
        nodes.forEach(node -> out.println(node + ": " + node.calls()));
        String violation = journal.violation();
        if (violation == null) {
            if (options.has(VERBOSE)) {
                journal.lines().forEach(out::println);
            }
            out.println("no gap, no duplicate, no wrong order, no missing removal, no client closed");
            return true;
        }
        out.println("the last events of the run:");
        journal.lines().forEach(line -> out.println("  " + line));
        out.println("the log of the proxy: " + proxy.log());
        out.println("VIOLATION, seed " + seed + ": " + violation);
        return false;
    }
}
