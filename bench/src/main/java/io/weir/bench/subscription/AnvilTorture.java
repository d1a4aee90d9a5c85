package io.weir.bench.subscription;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.weir.bench.subscription.anvil.AnvilChain;
import io.weir.bench.subscription.anvil.AnvilFaults;
import io.weir.bench.subscription.anvil.AnvilGrowth;
import io.weir.bench.subscription.anvil.AnvilProcess;
import io.weir.bench.subscription.anvil.RepeatingNode;
import io.weir.bench.subscription.client.Journal;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Shows the same as {@link SubscriptionTorture} in front of real nodes. Three anvils of one chain are killed and stopped at random,
 * while the chain grows and {@code anvil_reorg} replaces its blocks.
 *
 * <pre>
 * java -cp bench/target/weir-bench.jar io.weir.bench.subscription.AnvilTorture [--short] [--faults N] [--seed S] [--clients N]
 *     [--block MILLIS] [--pace MILLIS] [--seconds MOST] [--verbose] [--anvil FILE] [--jar FILE]
 * </pre>
 *
 * <p>Runs from the root of a built checkout. The exit code is 1 at the first violation.
 */
public final class AnvilTorture {

    private static final Set<String> OPTIONS =
            Set.of("--faults", "--seed", "--clients", "--block", "--pace", "--seconds", "--anvil", "--jar");
    private static final String SHORT = "--short";
    private static final String VERBOSE = "--verbose";
    private static final String PACKAGES = "proxy-core/src/test/npm/node_modules/@foundry-rs";
    private static final int NODES = 3;
    private static final int SOCKETS = 2;
    private static final int SECONDS_TO_SYNCHRONISE = 60;

    private final Arguments options;
    private final PrintStream out;
    private final long seed;
    private final Path anvil;
    private final Path logs;
    private final Journal journal = new Journal();
    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final List<RepeatingNode> nodes = new ArrayList<>();
    private volatile boolean ending;

    /** Part of a run that is repeated. */
    private interface Task {
        void run() throws IOException, InterruptedException;
    }

    private AnvilTorture(Arguments options, Path anvil, PrintStream out) throws IOException {
        this.options = options;
        this.anvil = anvil;
        this.out = out;
        this.seed = options.number("--seed", System.nanoTime());
        this.logs = Files.createTempDirectory("weir-anvils");
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
     * @throws IllegalArgumentException if the options are wrong, or if anvil is not there
     */
    public static boolean run(List<String> args, PrintStream out) throws IOException, InterruptedException {
        Arguments options = Arguments.of(args, Set.of(SHORT, VERBOSE), OPTIONS);
        String named = options.text("--anvil", "");
        Path anvil = named.isEmpty() ? installed(Path.of("")) : Path.of(named);
        if (anvil == null) {
            throw new IllegalArgumentException(
                    "anvil: not in " + PACKAGES + " (expected: `npm ci` in proxy-core/src/test/npm, or --anvil FILE)");
        }
        return new AnvilTorture(options, anvil, out).run();
    }

    /** Returns the program that npm has installed in a checkout; null if there is none. */
    static @Nullable Path installed(Path checkout) throws IOException {
        Path packages = checkout.resolve(PACKAGES);
        if (Files.isDirectory(packages)) {
            try (DirectoryStream<Path> platforms = Files.newDirectoryStream(packages, "anvil-*")) {
                for (Path platform : platforms) {
                    Path program = platform.resolve("bin/anvil");
                    if (Files.isExecutable(program)) {
                        return program;
                    }
                }
            }
        }
        return null;
    }

    private boolean run() throws IOException, InterruptedException {
        out.println("seed " + seed);
        RandomGenerator random = new Random(seed);
        Path jar = Path.of(options.text("--jar", "proxy-core/target/weir.jar"));
        List<String> flags = List.of("-Xmx1g", "-Dio.netty.leakDetection.level=paranoid");
        try (AnvilProcess model = AnvilProcess.start(anvil, Ports.free(), logs.resolve("model.log"))) {
            AnvilChain chain = new AnvilChain(model);
            AnvilGrowth growth = new AnvilGrowth(chain, random, journal);
            growth.begin();
            for (int i = 0; i < NODES; i++) {
                Path log = logs.resolve("node-" + i + ".log");
                nodes.add(new RepeatingNode("node-" + i, anvil, log, Ports.free(), chain, journal));
            }
            awaitNodes();
            try (ProxyRun proxy = ProxyRun.start(jar, flags, nodes, SOCKETS, "");
                    Watchers watchers = new Watchers(chain, journal, loops)) {
                run(proxy, watchers, growth, random);
                proxy.troubles().forEach(line -> journal.violated("the log of the proxy: " + line));
                return report(proxy, watchers);
            }
        } finally {
            timer.shutdownNow();
            nodes.forEach(RepeatingNode::close);
            loops.shutdownGracefully();
        }
    }

    private void run(ProxyRun proxy, Watchers watchers, AnvilGrowth growth, RandomGenerator random)
            throws InterruptedException {
        boolean isShort = options.has(SHORT);
        watchers.connect(proxy.socket(), options.count("--clients", isShort ? 30 : 100), random);
        AnvilFaults faults = new AnvilFaults(nodes, random, timer, journal);
        int wanted = options.count("--faults", isShort ? 30 : 500);
        every(options.number("--block", 250), growth::step, random);
        every(options.number("--pace", 300), faults::inject, random);
        every(1000, () -> watchers.renewOne(random), random);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(options.number("--seconds", isShort ? 30 : 900));
        while (faults.total() < wanted && System.nanoTime() < end && !journal.awaitViolation(200)) {}
        ending = true;
        CompletableFuture.runAsync(() -> {}, timer).join();
        // Nodes that have a fault now are healed before the end.
        timer.shutdown();
        timer.awaitTermination(5, TimeUnit.SECONDS);
        awaitNodes();
        watchers.awaitAll();
        out.printf(
                "%d faults (%s), %d reorganisations up to %d deep%n",
                faults.total(), faults.counts(), growth.reorganisations(), growth.deepest());
    }

    /** Repeats a task after random pauses with a mean, until the end. */
    private void every(long meanMillis, Task task, RandomGenerator random) {
        long pause = meanMillis / 4 + random.nextLong(1 + meanMillis * 3 / 2);
        timer.schedule(
                () -> {
                    try {
                        if (!ending) {
                            task.run();
                            every(meanMillis, task, random);
                        }
                    } catch (IOException | RuntimeException e) {
                        journal.violated("the run itself: " + e);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                pause,
                TimeUnit.MILLISECONDS);
    }

    private void awaitNodes() throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_TO_SYNCHRONISE);
        while (!nodes.stream().allMatch(RepeatingNode::isUpToDate) && !journal.awaitViolation(20)) {
            if (System.nanoTime() > end) {
                journal.violated("the run itself: a node did not make all steps in " + SECONDS_TO_SYNCHRONISE + " s");
            }
        }
    }

    private boolean report(ProxyRun proxy, Watchers watchers) {
        out.println(watchers.figures());
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
        out.println("the log of the proxy: " + proxy.log() + ", those of the nodes: " + logs);
        out.println("VIOLATION, seed " + seed + ": " + violation);
        return false;
    }
}
