package io.weir.bench.stream;

import io.weir.bench.load.report.Spread;
import io.weir.bench.subscription.Arguments;
import io.weir.bench.subscription.CheckedProgram;
import io.weir.bench.subscription.ProxyRun;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Large results at once for slow clients, in turns straight from a node and through a proxy with a heap that is much smaller than the
 * results: the time to the first byte, the memory, and whether each result arrives whole. The exit code is 1 if one does not.
 */
public final class SlowClients {

    private static final double MEGA = 1e6;

    /** A rate that no client reaches. */
    private static final int FAST = 100_000;

    private static final Set<String> OPTIONS =
            Set.of("--results", "--megabytes", "--rate", "--turns", "--warm", "--heap", "--jar");

    private final int results;
    private final long length;
    private final long checksum;
    private final PrintStream out;
    private final ExecutorService threads;
    private boolean whole = true;

    private SlowClients(LargeNode node, int results, PrintStream out) {
        this.results = results;
        this.length = node.length("1");
        this.checksum = node.checksum("1");
        this.out = out;
        this.threads = Executors.newFixedThreadPool(results);
    }

    /** Runs and ends the process. */
    public static void main(String[] args) throws IOException, InterruptedException {
        CheckedProgram.exit(SlowClients::run, args);
    }

    /**
     * Runs once, and prints a line for each turn, and the medians of all.
     *
     * @return whether all results arrived whole
     * @throws IllegalArgumentException if the options are wrong
     */
    public static boolean run(List<String> args, PrintStream out) throws IOException, InterruptedException {
        Arguments options = Arguments.of(args, Set.of(), OPTIONS);
        Path jar = Path.of(options.text("--jar", "proxy-core/target/weir.jar"));
        List<String> flags = List.of("-Xmx" + options.text("--heap", "128m"));
        String settings = "networks.bench.upstreams.large { max-response = 1 GiB, timeout = 30 s }";
        try (LargeNode node = new LargeNode(options.number("--megabytes", 100) * 1_000_000);
                ProxyRun proxy = ProxyRun.start(jar, flags, List.of(node), 0, settings)) {
            SlowClients clients = new SlowClients(node, options.count("--results", 10), out);
            try {
                clients.compare(options, node, proxy);
            } finally {
                clients.threads.shutdownNow();
            }
            out.printf("most resident: %.0f MB%n", proxy.figures().peakBytes() / MEGA);
            return clients.whole;
        }
    }

    private void compare(Arguments options, LargeNode node, ProxyRun proxy) throws IOException, InterruptedException {
        URI direct = URI.create("http://127.0.0.1:" + node.port() + "/");
        URI proxied = URI.create("http://127.0.0.1:" + proxy.port() + "/v3/demo");
        long warm = System.nanoTime() + TimeUnit.SECONDS.toNanos(options.number("--warm", 20));
        while (System.nanoTime() < warm) {
            firstByteMillis("warm", proxied, FAST);
        }
        int rate = options.count("--rate", 5);
        int turns = options.count("--turns", 5);
        double[] later = new double[turns];
        for (int turn = 0; turn < turns; turn++) {
            double straight = firstByteMillis("node", direct, rate);
            later[turn] = firstByteMillis("proxy", proxied, rate) - straight;
        }
        Spread spread = Spread.of(later);
        out.printf(
                "first byte through the proxy, later than from the node: %.2f ms (%.2f to %.2f)%n",
                spread.median(), spread.lowest(), spread.highest());
    }

    /** Returns the median of all clients. */
    private double firstByteMillis(String name, URI address, int rate) throws IOException, InterruptedException {
        CountDownLatch connected = new CountDownLatch(results);
        List<Future<SlowClient.Got>> calls = new ArrayList<>();
        for (int i = 0; i < results; i++) {
            SlowClient client = new SlowClient(i, address, rate);
            calls.add(threads.submit(() -> client.call(connected)));
        }
        double[] millis = new double[results];
        int good = 0;
        for (int i = 0; i < results; i++) {
            SlowClient.Got got = get(calls.get(i));
            millis[i] = got.firstByteNanos() / MEGA;
            if (got.length() == length && got.checksum() == checksum) {
                good++;
            }
        }
        Spread spread = Spread.of(millis);
        whole &= good == results;
        out.printf(
                "%-5s first byte after %.2f ms (%.2f to %.2f), %d of %d whole%n",
                name, spread.median(), spread.lowest(), spread.highest(), good, results);
        return spread.median();
    }

    private static SlowClient.Got get(Future<SlowClient.Got> call) throws IOException, InterruptedException {
        try {
            return call.get();
        } catch (ExecutionException e) {
            throw new IOException("a call failed", e.getCause());
        }
    }
}
