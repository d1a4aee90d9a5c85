package io.weir.bench.stream;

import io.weir.bench.subscription.Arguments;
import io.weir.bench.subscription.ProxyRun;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
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

    private final LargeNode node;
    private final int results;
    private final ExecutorService threads;
    private boolean whole = true;

    private SlowClients(LargeNode node, int results) {
        this.node = node;
        this.results = results;
        this.threads = Executors.newFixedThreadPool(results);
    }

    /** Prints a line for each turn, and the medians of all. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Arguments arguments = Arguments.of(List.of(args), Set.of(), OPTIONS);
        int turns = arguments.count("--turns", 5);
        Path jar = Path.of(arguments.text("--jar", "proxy-core/target/weir.jar"));
        List<String> flags = List.of("-Xmx" + arguments.text("--heap", "128m"));
        String settings = "networks.bench.upstreams.large { max-response = 1 GiB, timeout = 30 s }";
        try (LargeNode node = new LargeNode(arguments.number("--megabytes", 100) * 1_000_000);
                ProxyRun proxy = ProxyRun.start(jar, flags, List.of(node), 0, settings)) {
            SlowClients clients = new SlowClients(node, arguments.count("--results", 10));
            int rate = arguments.count("--rate", 5);
            URI direct = URI.create("http://127.0.0.1:" + node.port() + "/");
            URI proxied = URI.create("http://127.0.0.1:" + proxy.port() + "/v3/demo");
            double[] more = new double[turns];
            long warm = System.nanoTime() + TimeUnit.SECONDS.toNanos(arguments.number("--warm", 20));
            while (System.nanoTime() < warm) {
                clients.firstByteMillis("warm", proxied, FAST);
            }
            for (int turn = 0; turn < turns; turn++) {
                double straight = clients.firstByteMillis("node", direct, rate);
                more[turn] = clients.firstByteMillis("proxy", proxied, rate) - straight;
            }
            Arrays.sort(more);
            System.out.printf(
                    "first byte through the proxy, later than from the node: %.2f ms (%.2f to %.2f)%n",
                    more[turns / 2], more[0], more[turns - 1]);
            System.out.printf("most resident: %.0f MB%n", proxy.figures().peakBytes() / MEGA);
            clients.threads.shutdown();
            System.exit(clients.whole ? 0 : 1);
        }
    }

    /** Returns the median of all clients. */
    private double firstByteMillis(String name, URI address, int rate) throws IOException, InterruptedException {
        CountDownLatch connected = new CountDownLatch(results);
        List<Future<SlowClient.Got>> calls = new ArrayList<>();
        for (int i = 0; i < results; i++) {
            calls.add(threads.submit(() -> new SlowClient(address, rate).call(connected)));
        }
        double[] millis = new double[results];
        int good = 0;
        for (int i = 0; i < results; i++) {
            SlowClient.Got got = get(calls.get(i));
            millis[i] = got.firstByteNanos() / MEGA;
            if (got.length() == node.length("1") && got.checksum() == node.checksum("1")) {
                good++;
            }
        }
        Arrays.sort(millis);
        whole &= good == results;
        System.out.printf(
                "%-5s first byte after %.2f ms (%.2f to %.2f), %d of %d whole%n",
                name, millis[results / 2], millis[0], millis[results - 1], good, results);
        return millis[results / 2];
    }

    private static SlowClient.Got get(Future<SlowClient.Got> call) throws IOException, InterruptedException {
        try {
            return call.get();
        } catch (ExecutionException e) {
            throw new IOException("a call failed", e.getCause());
        }
    }
}
