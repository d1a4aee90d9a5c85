package io.weir.bench.subscription;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.weir.bench.load.server.Ports;
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
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Shows the same as {@link SubscriptionTorture} in front of real nodes. Three anvils of one chain are killed and stopped at random,
 * while the chain grows and {@code anvil_reorg} replaces its blocks.
 *
 * <pre>
 * java -cp bench/target/weir-bench.jar io.weir.bench.subscription.AnvilTorture [--short] [--faults N] [--seed S] [--clients N]
 *     [--filters N] [--block MILLIS] [--pace MILLIS] [--seconds MOST] [--verbose] [--anvil FILE] [--jar FILE]
 * </pre>
 *
 * <p>Runs from the root of a built checkout. The exit code is 1 at the first violation.
 */
public final class AnvilTorture {

    private static final Set<String> OPTIONS = Set.of(
            "--faults", "--seed", "--clients", "--filters", "--block", "--pace", "--seconds", "--anvil", "--jar");
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
    private final RandomGenerator random;
    private final RandomTasks tasks;
    private final List<RepeatingNode> nodes = new ArrayList<>();

    private AnvilTorture(Arguments options, Path anvil, PrintStream out) throws IOException {
        this.options = options;
        this.anvil = anvil;
        this.out = out;
        this.seed = options.number("--seed", System.nanoTime());
        this.random = new Random(seed);
        this.tasks = new RandomTasks(random, journal);
        this.logs = Files.createTempDirectory("weir-anvils");
    }

    /** Runs and ends the process. */
    public static void main(String[] args) throws IOException, InterruptedException {
        CheckedProgram.exit(AnvilTorture::run, args);
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
        Path anvil = named.isEmpty() ? required(Path.of("")) : Path.of(named);
        return new AnvilTorture(options, anvil, out).run();
    }

    /**
     * Returns the program that npm has installed in a checkout.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Path required(Path checkout) throws IOException {
        Path anvil = installed(checkout);
        if (anvil == null) {
            throw new IllegalArgumentException(
                    "anvil: not in " + PACKAGES + " (expected: `npm ci` in proxy-core/src/test/npm, or --anvil FILE)");
        }
        return anvil;
    }

    /** Returns the program that npm has installed in a checkout; null if there is none. */
    public static @Nullable Path installed(Path checkout) throws IOException {
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
                run(proxy, watchers, growth);
                proxy.troubles().forEach(line -> journal.violated("the log of the proxy: " + line));
                return report(proxy, watchers);
            }
        } finally {
            tasks.close();
            nodes.forEach(RepeatingNode::close);
            loops.shutdownGracefully();
        }
    }

    private void run(ProxyRun proxy, Watchers watchers, AnvilGrowth growth) throws InterruptedException {
        boolean isShort = options.has(SHORT);
        int subscribers = options.count("--clients", isShort ? 30 : 100);
        watchers.connect(proxy.socket(), subscribers, options.count("--filters", isShort ? 10 : 25), random);
        AnvilFaults faults = new AnvilFaults(nodes, proxy::busiest, random, tasks.timer(), journal);
        int wanted = options.count("--faults", isShort ? 30 : 500);
        tasks.every(options.number("--block", 250), growth::step);
        tasks.every(options.number("--pace", 300), faults::inject);
        tasks.every(500, watchers::poll);
        tasks.every(1000, () -> watchers.renewOne(random));
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(options.number("--seconds", isShort ? 30 : 900));
        while (faults.total() < wanted && System.nanoTime() < end && !journal.awaitViolation(200)) {}
        // Nodes that have a fault now are healed before the end.
        tasks.end();
        awaitNodes();
        watchers.awaitAll();
        out.printf(
                "%d faults (%s), of which %d forced failovers; %d reorganisations up to %d deep%n",
                faults.total(), faults.counts(), faults.failovers(), growth.reorganisations(), growth.deepest());
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
        return journal.report(
                out,
                seed,
                options.has(VERBOSE),
                "the log of the proxy: " + proxy.log() + ", those of the nodes: " + logs);
    }
}
