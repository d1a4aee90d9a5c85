package io.weir.bench.restart;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.weir.bench.load.drive.LoadPlan;
import io.weir.bench.load.server.Ports;
import io.weir.bench.load.server.RunningServer.Target;
import io.weir.bench.subscription.Arguments;
import io.weir.bench.subscription.CheckedProgram;
import io.weir.bench.subscription.ProxyRun;
import io.weir.bench.subscription.chain.Block;
import io.weir.bench.subscription.chain.ForkingChain;
import io.weir.bench.subscription.client.Journal;
import io.weir.bench.subscription.node.ForkingNode;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Shows that reloads and rolling restarts cost no client anything. Two proxies are behind HAProxy. One reloads changed configurations,
 * then both are restarted in turn, while connections call and subscribe.
 *
 * <pre>
 * java -cp bench/target/weir-bench.jar io.weir.bench.restart.RollingRestarts [--short] [--reloads N] [--restarts N] [--connections N]
 *     [--rate PER_SECOND] [--block MILLIS] [--seed S] [--verbose] [--jar FILE]
 * </pre>
 *
 * <p>Runs from the root of a built checkout. The exit code is 1 if a call failed, a connection was refused or closed without a word, or
 * a subscriber missed a block or a log.
 */
public final class RollingRestarts {

    private static final Set<String> OPTIONS =
            Set.of("--reloads", "--restarts", "--connections", "--rate", "--block", "--seed", "--jar");
    private static final String SHORT = "--short";
    private static final String VERBOSE = "--verbose";
    private static final int FIRST_BLOCKS = 120;
    private static final int CALLED_BLOCKS = 40;
    private static final int PROXIES = 2;
    private static final int SECONDS_TO_END = 30;
    /** Longer than {@code server.call-timeout}, so that only a call that is lost has no answer. */
    private static final Duration PATIENCE = Duration.ofSeconds(25);

    private static final Duration RELOAD_PACE = Duration.ofSeconds(1);
    /** Time for the balancer to notice that a proxy serves. */
    private static final Duration SETTLED = Duration.ofMillis(1500);

    private static final List<String> NETWORKS = List.of("", "/side");

    private final Arguments options;
    private final PrintStream out;
    private final boolean isShort;
    private final long seed;
    private final Journal journal = new Journal();
    private final ForkingChain chain;
    private final List<ForkingNode> nodes = new ArrayList<>();
    private final List<Integer> ports = new ArrayList<>();
    private final List<ReturningClient> clients = new ArrayList<>();
    private final List<SteadyLoad> loads = new ArrayList<>();
    private final List<SteadyStreams> streams = new ArrayList<>();
    private final ProxyRun[] proxies = new ProxyRun[PROXIES];
    private final EventLoopGroup nodeLoops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final ScheduledExecutorService growth = Executors.newSingleThreadScheduledExecutor();

    private RollingRestarts(Arguments options, PrintStream out) {
        this.options = options;
        this.out = out;
        this.isShort = options.has(SHORT);
        this.seed = options.number("--seed", System.nanoTime());
        this.chain = new ForkingChain(seed, FIRST_BLOCKS, Integer.MAX_VALUE);
    }

    /** Runs and ends the process. */
    public static void main(String[] args) throws IOException, InterruptedException {
        CheckedProgram.exit(RollingRestarts::run, args);
    }

    /** Returns whether the balancer is installed. */
    public static boolean isPossible() {
        return !Balancer.program().isEmpty();
    }

    /**
     * Runs once.
     *
     * @return whether no client noticed anything
     * @throws IllegalArgumentException if the options are wrong, or if HAProxy is not installed
     */
    public static boolean run(List<String> args, PrintStream out) throws IOException, InterruptedException {
        Arguments options = Arguments.of(args, Set.of(SHORT, VERBOSE), OPTIONS);
        if (!isPossible()) {
            throw new IllegalArgumentException("haproxy: not found (expected: the Debian package haproxy)");
        }
        return new RollingRestarts(options, out).run();
    }

    private boolean run() throws IOException, InterruptedException {
        out.println("seed " + seed);
        for (int i = 0; i < PROXIES; i++) {
            nodes.add(new ForkingNode("node-" + i, chain, nodeLoops, Ports.free()));
            ports.add(Ports.free());
        }
        Reconfiguration reconfiguration = new Reconfiguration(nodes);
        try (Balancer balancer = Balancer.start(Balancer.program(), ports)) {
            proxies[0] = start(0, reconfiguration.lines(0));
            TimeUnit.NANOSECONDS.sleep(SETTLED.toNanos());
            begin(balancer);
            int reloads = options.count("--reloads", isShort ? 10 : 100);
            for (int i = 1; i <= reloads && !journal.awaitViolation(RELOAD_PACE.toMillis()); i++) {
                proxies[0].reload(reconfiguration.lines(i));
            }
            int returned = returns();
            int restarts = restarts(reconfiguration.lines(reloads));
            end();
            out.printf(
                    "%d reloads, at which %d sockets of changed networks closed; %d restarts, at which %d sockets closed%n",
                    reloads, returned, restarts, returns() - returned);
            return report(balancer.log());
        } finally {
            growth.shutdownNow();
            clients.forEach(ReturningClient::close);
            Arrays.stream(proxies).filter(proxy -> proxy != null).forEach(ProxyRun::close);
            nodes.forEach(ForkingNode::close);
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            nodeLoops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }

    private ProxyRun start(int proxy, String lines) throws IOException {
        Path jar = Path.of(options.text("--jar", "proxy-core/target/weir.jar"));
        String settings = """
                server { port = %d, health-path = /health, drain-delay = 2 s, drain = 2 s, call-timeout = 20 s, request-timeout = 5 s }
                admin.token-sha256 = "2a97516c354b68848cdbd8f54a226a0a55b21ed138e207ad6c5cbb9c00aa5aea"
                """.formatted(ports.get(proxy));
        ProxyRun run = ProxyRun.start(jar, List.of("-Xmx512m"), nodes, 1, settings, lines);
        journal.note("proxy " + proxy + " serves");
        return run;
    }

    /**
     * Begins the load. Two of five connections call over HTTP/1.1, one over HTTP/2, the others subscribe; half of each is at a network
     * that changes.
     */
    private void begin(Balancer balancer) throws InterruptedException {
        growth.scheduleAtFixedRate(
                this::grow, 0, options.number("--block", isShort ? 1000 : 500), TimeUnit.MILLISECONDS);
        int connections = options.count("--connections", isShort ? 50 : 200);
        int fifth = connections / 5;
        double rate = (double) options.count("--rate", isShort ? 50 : 100) / NETWORKS.size();
        EarlyBlocks blocks = EarlyBlocks.of(oldest());
        LoadPlan round = LoadPlan.constant(2 * fifth / NETWORKS.size(), rate, Duration.ofSeconds(isShort ? 6 : 20))
                .patient(PATIENCE);
        for (String network : NETWORKS) {
            String path = network + "/v3/demo";
            loads.add(new SteadyLoad(new Target(balancer.port(), path), round, blocks, journal));
            streams.add(new SteadyStreams(
                    loops.next(),
                    new Target(balancer.streamPort(), path),
                    new SteadyStreams.Rate(fifth / NETWORKS.size(), rate),
                    blocks,
                    PATIENCE.toMillis(),
                    journal));
        }
        loads.forEach(SteadyLoad::start);
        streams.forEach(SteadyStreams::start);
        for (int i = 0; i < connections - 3 * fifth; i++) {
            URI url =
                    URI.create("ws://127.0.0.1:" + balancer.port() + NETWORKS.get(i % NETWORKS.size()) + "/ws/v3/demo");
            clients.add(new ReturningClient("client-" + i, url, chain, journal, loops));
        }
        try {
            CompletableFuture.allOf(
                            clients.stream().map(ReturningClient::connect).toArray(CompletableFuture[]::new))
                    .orTimeout(SECONDS_TO_END, TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException e) {
            journal.violated("not all subscriptions were opened: " + e.getCause());
        }
    }

    private void grow() {
        chain.extend(1);
        nodes.forEach(ForkingNode::follow);
    }

    private List<Block> oldest() {
        List<Block> blocks = new ArrayList<>();
        for (Block at = chain.head(); at != null; at = at.parent()) {
            if (at.number() < CALLED_BLOCKS) {
                blocks.add(at);
            }
        }
        Collections.reverse(blocks);
        return blocks;
    }

    /** Starts the second proxy, and then ends and starts one after the other. A proxy ends only while the other one serves. */
    private int restarts(String lines) throws IOException, InterruptedException {
        proxies[1] = start(1, lines);
        int wanted = options.count("--restarts", isShort ? 4 : 20);
        int made = 0;
        while (made < wanted && !journal.awaitViolation(SETTLED.toMillis())) {
            int proxy = made % PROXIES;
            journal.note("proxy " + proxy + " ends");
            proxies[proxy].close();
            proxies[proxy].troubles().forEach(line -> journal.violated("the log of the proxy: " + line));
            proxies[proxy] = start(proxy, lines);
            made++;
        }
        return made;
    }

    private int returns() {
        return clients.stream().mapToInt(ReturningClient::returns).sum();
    }

    private void end() throws InterruptedException {
        for (SteadyLoad load : loads) {
            load.end();
        }
        for (SteadyStreams load : streams) {
            load.end();
        }
        growth.shutdown();
        growth.awaitTermination(SECONDS_TO_END, TimeUnit.SECONDS);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_TO_END);
        Map<ReturningClient, String> missing = missing();
        while (!missing.isEmpty() && journal.violation() == null && System.nanoTime() < end) {
            journal.awaitViolation(50);
            missing = missing();
        }
        if (!missing.isEmpty()) {
            journal.violated("missing at the end: " + missing.values());
            missing.keySet()
                    .iterator()
                    .next()
                    .history()
                    .orTimeout(5, TimeUnit.SECONDS)
                    .join()
                    .forEach(out::println);
        }
    }

    /** Returns what clients do not know of the chain, which has stopped growing. */
    private Map<ReturningClient, String> missing() {
        Map<ReturningClient, String> missing = new LinkedHashMap<>();
        for (ReturningClient client : clients) {
            String its = client.missing()
                    .completeOnTimeout("no end", 5, TimeUnit.SECONDS)
                    .join();
            if (!its.isEmpty()) {
                missing.put(client, its);
            }
        }
        return missing;
    }

    private void reportStreams() {
        long calls = streams.stream().mapToLong(SteadyStreams::answered).sum();
        long failed = streams.stream().mapToLong(SteadyStreams::failed).sum();
        List<StreamClient> all =
                streams.stream().flatMap(load -> load.clients().stream()).toList();
        out.printf(
                "over HTTP/2 %,d calls, %,d failed or refused; %d connections, of which %d were told to go away; %d calls repeated%n",
                calls + failed,
                failed,
                all.stream().mapToInt(StreamClient::connections).sum(),
                all.stream().mapToInt(StreamClient::ended).sum(),
                all.stream().mapToInt(StreamClient::repeated).sum());
    }

    private boolean report(Path balancerLog) {
        long calls = loads.stream().mapToLong(SteadyLoad::answered).sum();
        long failed = loads.stream().mapToLong(SteadyLoad::failed).sum();
        long answers = clients.stream().mapToLong(ReturningClient::answers).sum();
        long told = clients.stream().mapToLong(ReturningClient::notifications).sum();
        out.printf("over HTTP/1.1 %,d calls, %,d failed or refused%n", calls + failed, failed);
        reportStreams();
        out.printf(
                "over WebSocket %,d calls and %,d notifications of %d blocks%n",
                answers, told, chain.head().number());
        List<Path> logs = Arrays.stream(proxies)
                .filter(proxy -> proxy != null)
                .map(ProxyRun::log)
                .toList();
        return journal.report(out, seed, options.has(VERBOSE), "the logs: " + logs + ", " + balancerLog);
    }
}
