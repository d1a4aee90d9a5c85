package io.weir.bench.hostile;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.weir.bench.load.server.Ports;
import io.weir.bench.stream.LargeNode;
import io.weir.bench.subscription.Arguments;
import io.weir.bench.subscription.CheckedProgram;
import io.weir.bench.subscription.ProxyRun;
import io.weir.bench.subscription.chain.ForkingChain;
import io.weir.bench.subscription.node.ForkingNode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Shows that hostile clients of all protocols leave nothing behind in the memory of the proxy, and that its budgets count what it holds.
 *
 * <pre>
 * java -cp bench/target/weir-bench.jar io.weir.bench.hostile.HostileLoad [--minutes N] [--tls] [--clients N] [--seed S] [--jar FILE]
 *     [--java FLAGS]
 * </pre>
 *
 * <p>The exit code is 1 if a verdict is bad.
 */
public final class HostileLoad {

    private static final Set<String> OPTIONS =
            Set.of("--minutes", "--seconds", "--step", "--clients", "--seed", "--jar", "--java");

    /** Netty keeps no idle buffers, so that what it holds is known, and tells of each that is lost. */
    private static final String FLAGS = "-Xmx512m -Dio.netty.allocator.numDirectArenas=0"
            + " -Dio.netty.allocator.numHeapArenas=0 -Dio.netty.leakDetection.level=paranoid"
            + " -Dio.netty.leakDetection.acquireAndReleaseOnly=true";

    private static final int MAX_SECONDS_TO_ZERO = 20;
    private static final double MAX_GROWTH = 1.15;
    private static final double MIN_COUNTED = 0.8;

    /** With less, all that differs from moment to moment in a JVM would count. */
    private static final long MIN_HELD = 16 << 20;

    private final Arguments options;
    private final PrintStream out;
    private final long seed;
    private final ForkingChain chain;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final Set<HostileConnection> open = ConcurrentHashMap.newKeySet();
    private final List<Long> resident = new ArrayList<>();
    private final LongAdder attacks = new LongAdder();
    private final LongAdder cut = new LongAdder();
    private double leastCounted = Double.MAX_VALUE;
    private int moments;

    private HostileLoad(Arguments options, PrintStream out) {
        this.options = options;
        this.out = out;
        this.seed = options.number("--seed", System.nanoTime());
        this.chain = new ForkingChain(seed, 120, 2_000);
    }

    /** Runs and ends the process. */
    public static void main(String[] args) throws IOException, InterruptedException {
        CheckedProgram.exit(HostileLoad::run, args);
    }

    /**
     * Runs once, and prints the figures and the verdicts.
     *
     * @return whether all verdicts are good
     */
    static boolean run(List<String> args, PrintStream out) throws IOException, InterruptedException {
        HostileLoad load = new HostileLoad(Arguments.of(args, Set.of("--tls"), OPTIONS), out);
        try {
            return load.run();
        } finally {
            load.threads.shutdownNow();
            load.loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }

    private boolean run() throws IOException, InterruptedException {
        out.println("seed " + seed);
        LoopbackTls tls = options.has("--tls") ? LoopbackTls.make() : null;
        Path jar = Path.of(options.text("--jar", "proxy-core/target/weir.jar"));
        List<String> flags = List.of(options.text("--java", FLAGS).split(" "));
        try (ForkingNode node = new ForkingNode("node", chain, loops, Ports.free());
                LargeNode large = new LargeNode(1_000_000);
                ProxyRun proxy = ProxyRun.start(jar, flags, List.of(node), 1, settings(large, tls))) {
            HostileConnection.Target target = new HostileConnection.Target(proxy.port(), tls);
            GoodClient good = new GoodClient(target);
            threads.execute(good);
            TimeUnit.SECONDS.sleep(10);
            Figures rest = Figures.read(proxy);
            for (int client = 0; client < options.count("--clients", 48); client++) {
                RandomGenerator random = new Random(seed + client);
                threads.execute(() -> attack(target, random));
            }
            watch(proxy, node, rest);
            out.println("in use before the end: " + Figures.taken(proxy));
            threads.shutdownNow();
            for (HostileConnection connection : open) {
                connection.close();
            }
            long ended = System.nanoTime();
            out.printf("good client: %s; %d attacks, of which %d were cut off%n", good, attacks.sum(), cut.sum());
            return verdicts(proxy, ended);
        }
    }

    private static String settings(LargeNode large, @Nullable LoopbackTls tls) {
        return """
                cache.memory = 8 MiB
                networks.large {
                  chain-id = 1
                  verify = off
                  ejection = off
                  upstreams.large.url = "http://127.0.0.1:%d"
                }
                %s
                %s
                """.formatted(
                        large.port(), Attack.keys() + "\n" + GoodClient.SETTINGS, tls == null ? "" : tls.settings());
    }

    private void attack(HostileConnection.Target target, RandomGenerator random) {
        while (!threads.isShutdown()) {
            Wire wire = any(Wire.values(), random);
            Attack attack = any(Attack.values(), random);
            attacks.increment();
            try (HostileConnection connection = new HostileConnection(wire, target, attack.key())) {
                open.add(connection);
                run(attack, connection, random);
            } catch (IOException e) {
                cut.increment();
            }
        }
    }

    private static <T> T any(T[] all, RandomGenerator random) {
        return all[random.nextInt(all.length)];
    }

    private void run(Attack attack, HostileConnection connection, RandomGenerator random) throws IOException {
        try {
            attack.run(connection, random);
        } finally {
            open.remove(connection);
        }
    }

    private void watch(ProxyRun proxy, ForkingNode node, Figures rest) throws IOException, InterruptedException {
        int seconds = options.count("--seconds", 60 * options.count("--minutes", 10));
        int step = options.count("--step", 30);
        for (int second = 1; second <= seconds; second++) {
            TimeUnit.SECONDS.sleep(1);
            chain.extend(1);
            node.follow();
            resident.add(proxy.figures().residentBytes());
            if (second % step == 0) {
                Figures now = Figures.read(proxy).since(rest);
                if (now.held() >= MIN_HELD) {
                    moments++;
                    leastCounted = Math.min(leastCounted, (double) now.counted() / now.held());
                }
                out.printf("%d s: %s, %.0f MB resident%n", second, now, resident.get(second - 1) / 1e6);
            }
        }
    }

    private boolean verdicts(ProxyRun proxy, long begun) throws IOException, InterruptedException {
        List<String> taken = Figures.taken(proxy);
        while (!taken.isEmpty() && System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(MAX_SECONDS_TO_ZERO)) {
            TimeUnit.MILLISECONDS.sleep(200);
            taken = Figures.taken(proxy);
        }
        // A JVM takes its heap in the first tenth.
        List<Long> warm = resident.subList(resident.size() / 10, resident.size());
        int quarter = Math.max(1, warm.size() / 4);
        double growth = mean(warm.subList(warm.size() - quarter, warm.size())) / mean(warm.subList(0, quarter));
        List<String> troubles = proxy.troubles();
        double seconds = (System.nanoTime() - begun) / 1e9;
        boolean good = verdict(taken.isEmpty(), "budgets: %.1f s to 0 %s".formatted(seconds, taken));
        good &= verdict(growth <= MAX_GROWTH, "resident: %.2f times the first quarter in the last".formatted(growth));
        good &= verdict(
                moments == 0 || leastCounted >= MIN_COUNTED,
                "counted: at least %.0f %% of what was held, at %d moments".formatted(100 * leastCounted, moments));
        String log = "log: %d leaks and errors %s".formatted(troubles.size(), troubles);
        return verdict(troubles.isEmpty(), log) && good;
    }

    private boolean verdict(boolean good, String text) {
        out.println((good ? "good: " : "BAD: ") + text);
        return good;
    }

    private static double mean(List<Long> values) {
        return values.stream().mapToLong(Long::longValue).average().orElse(0);
    }
}
