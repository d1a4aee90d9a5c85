package io.weir.bench.subscription;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.weir.bench.load.server.Ports;
import io.weir.bench.subscription.chain.ForkingChain;
import io.weir.bench.subscription.client.Journal;
import io.weir.bench.subscription.node.ForkingNode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
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

    private final Arguments options;
    private final long seed;
    private final PrintStream out;
    private final Journal journal = new Journal();
    private final ForkingChain chain;
    private final EventLoopGroup nodeLoops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final EventLoopGroup clientLoops = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final RandomGenerator random;
    private final RandomTasks tasks;
    private final List<ForkingNode> nodes = new ArrayList<>();
    private long notified;
    private int silentSeconds;
    private volatile int longestSilence;

    private SubscriptionTorture(Arguments options, PrintStream out) {
        this.options = options;
        this.out = out;
        this.seed = options.number("--seed", System.nanoTime());
        this.random = new Random(seed);
        this.tasks = new RandomTasks(random, journal);
        this.chain = new ForkingChain(seed, FIRST_BLOCKS, BLOCKS_KEPT);
    }

    /** Runs and ends the process. */
    public static void main(String[] args) throws IOException, InterruptedException {
        CheckedProgram.exit(SubscriptionTorture::run, args);
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
        try (ProxyRun proxy = ProxyRun.start(jar, flags, nodes, SOCKETS, "");
                Watchers watchers = new Watchers(chain, journal, clientLoops)) {
            run(proxy, watchers);
            proxy.troubles().forEach(line -> journal.violated("the log of the proxy: " + line));
            return report(proxy, watchers);
        } finally {
            tasks.close();
            nodes.forEach(ForkingNode::close);
            clientLoops.shutdownGracefully();
            nodeLoops.shutdownGracefully();
        }
    }

    private void run(ProxyRun proxy, Watchers watchers) throws InterruptedException {
        boolean isShort = options.has(SHORT);
        int subscribers = options.count("--clients", isShort ? 60 : 200);
        watchers.connect(proxy.socket(), subscribers, options.count("--filters", isShort ? 20 : 50), random);
        Faults faults = new Faults(nodes, random, tasks.timer(), journal);
        Growth growth = new Growth(chain, nodes, random, journal);
        int wanted = options.count("--failovers", isShort ? 25 : 1000);
        tasks.every(options.number("--block", 250), growth::step);
        tasks.every(options.number("--pace", 150), faults::inject);
        tasks.every(500, watchers::poll);
        tasks.every(1000, () -> watchers.renewOne(random));
        tasks.timer().scheduleAtFixedRate(() -> watchSilence(proxy), 1, 1, TimeUnit.SECONDS);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(options.number("--seconds", isShort ? 20 : 900));
        while (faults.failovers() < wanted && System.nanoTime() < end && !journal.awaitViolation(200)) {}
        // Nodes that have a fault now are healed before the end.
        tasks.end();
        nodes.forEach(ForkingNode::follow);
        watchers.awaitAll();
        out.printf(
                "%d forced failovers (%s); %d reorganisations up to %d deep%n",
                faults.failovers(), faults.counts(), growth.reorganisations(), growth.deepest());
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

    private boolean report(ProxyRun proxy, Watchers watchers) {
        out.println(watchers.figures() + "; longest silence " + longestSilence + " s");
        nodes.forEach(node -> out.println(node + ": " + node.calls()));
        return journal.report(out, seed, options.has(VERBOSE), "the log of the proxy: " + proxy.log());
    }
}
