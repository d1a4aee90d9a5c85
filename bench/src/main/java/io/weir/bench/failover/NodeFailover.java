package io.weir.bench.failover;

import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.weir.bench.failover.FaultyNode.Fault;
import io.weir.bench.load.drive.LoadPlan;
import io.weir.bench.load.drive.Outcome;
import io.weir.bench.load.drive.OwnDriver;
import io.weir.bench.load.server.RunningServer.Target;
import io.weir.bench.load.traffic.AnswerCheck;
import io.weir.bench.load.traffic.Calls;
import io.weir.bench.subscription.AnvilTorture;
import io.weir.bench.subscription.Arguments;
import io.weir.bench.subscription.CheckedProgram;
import io.weir.bench.subscription.ProxyRun;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Shows that no repeatable call fails while one node can answer. Three anvils are behind the proxy. Each in turn is killed, stopped,
 * slowed, cut and silenced while 200 connections ask for balances.
 *
 * <pre>
 * java -cp bench/target/weir-bench.jar io.weir.bench.failover.NodeFailover [--short] [--rate PER_SECOND] [--connections N]
 *     [--anvil FILE] [--jar FILE]
 * </pre>
 *
 * <p>Runs from the root of a built checkout. The exit code is 1 if a call failed. In a long run it is also 1 if the 99th percentile
 * outside the two seconds after each fault is more than twice that without faults.
 */
public final class NodeFailover {

    private static final Set<String> OPTIONS = Set.of("--rate", "--connections", "--anvil", "--jar");
    private static final String SHORT = "--short";
    private static final int NODES = 3;
    private static final double MAX_RATIO = 2;
    private static final double NANOS_PER_MILLI = 1e6;

    private final PrintStream out;
    private final Arguments options;
    private final Pace pace;
    private final CallTimeline timeline = new CallTimeline();
    private final List<FaultyNode> nodes = new ArrayList<>();

    /**
     * How long a run takes. Immutable.
     *
     * @param warm without faults, not counted
     * @param calm without faults
     * @param fault the length of a fault
     * @param pause after a fault
     * @param rounds faults of each kind
     */
    private record Pace(Duration warm, Duration calm, Duration fault, Duration pause, int rounds) {

        private static final Pace LONG = new Pace(
                Duration.ofSeconds(20), Duration.ofSeconds(20), Duration.ofSeconds(5), Duration.ofSeconds(3), NODES);
        private static final Pace SHORT = new Pace(
                Duration.ofSeconds(2), Duration.ofSeconds(3), Duration.ofMillis(2_400), Duration.ofMillis(600), 1);

        private Duration whole() {
            return warm.plus(calm).plus(fault.plus(pause).multipliedBy((long) rounds * Fault.values().length));
        }
    }

    private NodeFailover(Arguments options, PrintStream out) {
        this.options = options;
        this.out = out;
        this.pace = options.has(SHORT) ? Pace.SHORT : Pace.LONG;
    }

    /** Runs and ends the process. */
    public static void main(String[] args) throws IOException, InterruptedException {
        CheckedProgram.exit(NodeFailover::run, args);
    }

    /**
     * Runs once.
     *
     * @return whether no call failed and, in a long run, the 99th percentile kept its bound
     * @throws IllegalArgumentException if the options are wrong, or if anvil is not there
     */
    public static boolean run(List<String> args, PrintStream out) throws IOException, InterruptedException {
        Arguments options = Arguments.of(args, Set.of(SHORT), OPTIONS);
        String named = options.text("--anvil", "");
        return new NodeFailover(options, out)
                .run(named.isEmpty() ? AnvilTorture.required(Path.of("")) : Path.of(named));
    }

    private boolean run(Path anvil) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("weir-failover");
        MultiThreadIoEventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        try {
            for (int i = 0; i < NODES; i++) {
                nodes.add(new FaultyNode("node-" + i, anvil, folder, loops.next()));
            }
            Path jar = Path.of(options.text("--jar", "proxy-core/target/weir.jar"));
            try (ProxyRun proxy = ProxyRun.start(jar, List.of("-Xmx512m"), nodes, 0, "");
                    OwnDriver driver = new OwnDriver(AnswerCheck.always("\"0x0\""))) {
                return load(proxy, driver);
            }
        } finally {
            nodes.forEach(FaultyNode::close);
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }

    private boolean load(ProxyRun proxy, OwnDriver driver) throws IOException, InterruptedException {
        // A short run begins with code that is not compiled, beside other tests.
        int rate = options.count("--rate", options.has(SHORT) ? 200 : 500);
        LoadPlan plan = LoadPlan.constant(options.count("--connections", 200), rate, pace.whole());
        Target target = new Target(proxy.port(), "/v3/demo");
        CompletableFuture<Outcome> running = CompletableFuture.supplyAsync(() -> {
            try {
                return driver.http(target, Calls.freshAtHead(1), plan, timeline);
            } catch (IOException e) {
                throw new CompletionException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CompletionException(e);
            }
        });
        pause(pace.warm());
        long calm = System.nanoTime();
        pause(pace.calm());
        Histogram undisturbed = timeline.between(calm, System.nanoTime());
        faults();
        Outcome outcome = running.join();
        return report(undisturbed, outcome, proxy);
    }

    private void faults() throws IOException, InterruptedException {
        int turn = 0;
        for (int round = 0; round < pace.rounds(); round++) {
            for (Fault fault : Fault.values()) {
                // The kinds are five and the nodes three, so that each node gets each fault in a long run.
                FaultyNode node = nodes.get(turn++ % NODES);
                timeline.begun(fault, System.nanoTime());
                node.begin(fault);
                pause(pace.fault());
                node.end(fault);
                pause(pace.pause());
            }
        }
    }

    private static void pause(Duration time) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
    }

    private boolean report(Histogram undisturbed, Outcome outcome, ProxyRun proxy) throws IOException {
        Histogram outside = timeline.outside();
        double ratio = millis(outside, 99) / millis(undisturbed, 99);
        out.printf("%,d calls, %,d failed%n", outcome.requests() + outcome.problems(), outcome.problems());
        if (outcome.firstProblem() != null) {
            out.println("the first failure: " + outcome.firstProblem());
        }
        line("without faults", undisturbed);
        line("outside the two seconds after each fault", outside);
        for (Fault fault : Fault.values()) {
            line("within them, %d times %s".formatted(timeline.count(fault), fault), timeline.after(fault));
        }
        out.printf("99th percentile outside / without faults: %.2f (to reach: %.0f)%n", ratio, MAX_RATIO);
        out.println("the log of the proxy: " + proxy.log());
        return outcome.problems() == 0 && (options.has(SHORT) || ratio <= MAX_RATIO);
    }

    private void line(String what, Histogram latencies) {
        out.printf(
                "%-42s %,7d calls; ms: median %.1f, 99th %.1f, longest %.1f%n",
                what,
                latencies.getTotalCount(),
                millis(latencies, 50),
                millis(latencies, 99),
                latencies.getMaxValue() / NANOS_PER_MILLI);
    }

    private static double millis(Histogram latencies, double percentile) {
        return latencies.getValueAtPercentile(percentile) / NANOS_PER_MILLI;
    }
}
