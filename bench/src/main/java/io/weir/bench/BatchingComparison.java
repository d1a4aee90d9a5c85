package io.weir.bench;

import io.weir.bench.load.drive.LoadPlan;
import io.weir.bench.load.drive.Outcome;
import io.weir.bench.load.drive.OwnDriver;
import io.weir.bench.load.report.Spread;
import io.weir.bench.load.server.Ports;
import io.weir.bench.load.server.RunningServer.Target;
import io.weir.bench.load.traffic.AnswerCheck;
import io.weir.bench.load.traffic.Calls;
import io.weir.bench.subscription.ProxyRun;
import io.weir.bench.subscription.anvil.AnvilProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Measures what batching to nodes gains: calls in a second through two proxies before one anvil, one that batches and one that
 * does not, in turns.
 *
 * <pre>
 * java -cp bench/target/weir-bench.jar io.weir.bench.BatchingComparison ANVIL CONNECTIONS TURNS SECONDS
 * </pre>
 */
public final class BatchingComparison {

    private final OwnDriver driver;
    private final LoadPlan plan;
    private int loads;

    private BatchingComparison(OwnDriver driver, LoadPlan plan) {
        this.driver = driver;
        this.plan = plan;
    }

    /** Runs the comparison and prints each turn, and the medians. */
    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length != 4) {
            throw new IllegalArgumentException("arguments: ANVIL CONNECTIONS TURNS SECONDS");
        }
        LoadPlan plan = LoadPlan.closed(Integer.parseInt(args[1]), Duration.ofSeconds(Integer.parseInt(args[3])));
        Path log = Files.createTempFile("weir-bench", ".log");
        try (AnvilProcess node = AnvilProcess.start(Path.of(args[0]), Ports.free(), log);
                ProxyRun batching = proxy(node, 100);
                ProxyRun plain = proxy(node, 1);
                OwnDriver driver = new OwnDriver(AnswerCheck.always("\"0x0\""))) {
            new BatchingComparison(driver, plan).run(batching, plain, Integer.parseInt(args[2]));
        }
    }

    private static ProxyRun proxy(AnvilProcess node, int batch) throws IOException {
        String settings = "networks.bench.upstreams.%s.batch.size = %d".formatted(node, batch);
        return ProxyRun.start(Path.of("proxy-core/target/weir.jar"), List.of("-Xmx512m"), List.of(node), 0, settings);
    }

    private void run(ProxyRun batching, ProxyRun plain, int turns) throws IOException, InterruptedException {
        double[] with = new double[turns];
        double[] without = new double[turns];
        // The first turn of each warms it up, and does not count.
        for (int turn = 0; turn <= turns; turn++) {
            double on = callsPerSecond(batching);
            double off = callsPerSecond(plain);
            if (turn > 0) {
                with[turn - 1] = on;
                without[turn - 1] = off;
                print("turn " + turn, on, off);
            }
        }
        print("median", Spread.of(with).median(), Spread.of(without).median());
    }

    private static void print(String what, double on, double off) {
        System.out.printf("%s: %.0f calls/s batching, %.0f not%n", what, on, off);
    }

    /** Asks for one balance after the other on each connection, each of another address. */
    private double callsPerSecond(ProxyRun proxy) throws IOException, InterruptedException {
        Outcome outcome = driver.http(new Target(proxy.port(), "/v3/demo"), Calls.freshAtHead(loads++), plan);
        if (outcome.problems() > 0) {
            throw new IOException(outcome.problems() + " calls failed; the first: " + outcome.firstProblem());
        }
        return outcome.perSecond();
    }
}
