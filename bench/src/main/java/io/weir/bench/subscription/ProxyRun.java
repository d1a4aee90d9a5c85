package io.weir.bench.subscription;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.bench.load.server.ChildProgram;
import io.weir.bench.load.server.ProcessFigures;
import io.weir.bench.load.server.Workshop;
import io.weir.bench.subscription.node.NodeEndpoint;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The built proxy in front of nodes, in a process of its own. Thread-safe, except for {@link #busiest}. */
public final class ProxyRun implements AutoCloseable {

    private static final Pattern READY =
            Pattern.compile("JSON-RPC at https?://127\\.0\\.0\\.1:(\\d+), admin at http://127\\.0\\.0\\.1:(\\d+)");
    private static final Pattern HEAP = Pattern.compile("Total\\s+\\d+\\s+(\\d+)");
    private static final Pattern BYTE_ARRAYS = Pattern.compile("\\d+:\\s+\\d+\\s+(\\d+)\\s+\\[B ");

    private static final Pattern CALLS = Pattern.compile("upstream=\"([^\"]+)\".*} (\\S+)");

    private static final int ATTEMPTS = 200;

    private final ChildProgram program;
    private final Path log;
    private final Path configuration;
    private final String settings;
    private final URI socket;
    private final URI admin;
    private Map<String, Long> calls = Map.of();

    private ProxyRun(ChildProgram program, Path log, Path configuration, String settings) throws IOException {
        this.program = program;
        this.log = log;
        this.configuration = configuration;
        this.settings = settings;
        Matcher ready = READY.matcher(program.ready());
        if (!ready.find()) {
            throw new IOException("ready line: " + program.ready() + " (expected: two addresses)");
        }
        this.socket = URI.create("ws://127.0.0.1:" + ready.group(1) + "/ws/v3/demo");
        this.admin = URI.create("http://127.0.0.1:" + ready.group(2) + "/");
    }

    /**
     * Starts the proxy.
     *
     * @param jar the built proxy
     * @param flags of its JVM
     * @param nodes the first ones have a WebSocket
     * @param sockets the number of nodes with a WebSocket
     * @param settings more lines of the configuration
     */
    public static ProxyRun start(
            Path jar, List<String> flags, List<? extends NodeEndpoint> nodes, int sockets, String settings)
            throws IOException {
        return start(jar, flags, nodes, sockets, settings, "");
    }

    /**
     * Starts the proxy as the other method does.
     *
     * @param changing the last lines of the configuration, which {@link #reload} replaces
     */
    public static ProxyRun start(
            Path jar,
            List<String> flags,
            List<? extends NodeEndpoint> nodes,
            int sockets,
            String settings,
            String changing)
            throws IOException {
        Path folder = Files.createTempDirectory("weir-subscriptions");
        StringBuilder upstreams = new StringBuilder();
        for (int i = 0; i < nodes.size(); i++) {
            NodeEndpoint node = nodes.get(i);
            String webSocket =
                    i < sockets ? ", ws-url = \"ws://127.0.0.1:" + node.port() + node.socketPath() + '"' : "";
            upstreams.append("%s { url = \"http://127.0.0.1:%d\"%s }%n".formatted(node, node.port(), webSocket));
        }
        String fixed = """
                server { port = 0, max-connections = 20000 }
                admin.port = 0
                plugins.path = []
                default-network = bench
                networks.bench {
                  chain-id = 1
                  health.interval = 500 ms
                  upstreams {
                    %s
                  }
                }
                access.keys.bench.sha256 = "2a97516c354b68848cdbd8f54a226a0a55b21ed138e207ad6c5cbb9c00aa5aea"
                %s
                """.formatted(upstreams, settings);
        Path file = Files.writeString(folder.resolve("weir.conf"), fixed + changing);
        List<String> command = new ArrayList<>(List.of(Workshop.java()));
        command.addAll(flags);
        command.addAll(List.of("-jar", jar.toAbsolutePath().toString(), "run", "--config", file.toString()));
        Path log = folder.resolve("weir.log");
        ProxyRun run = new ProxyRun(ChildProgram.awaitLine(command, READY, log), log, file, fixed);
        run.awaitReady();
        return run;
    }

    private void awaitReady() throws IOException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            HttpURLConnection connection =
                    (HttpURLConnection) admin.resolve("/health/ready").toURL().openConnection();
            if (connection.getResponseCode() == 200) {
                return;
            }
            try {
                TimeUnit.MILLISECONDS.sleep(100);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
        throw new IOException("/health/ready: not 200 in time");
    }

    /**
     * Has the proxy reload its configuration with other lines at the end, in place of those of the reload before. It must allow operations
     * with the token {@code demo}.
     *
     * @throws IOException if the reload is refused, or changes nothing
     */
    public void reload(String more) throws IOException {
        Files.writeString(configuration, settings + more);
        HttpURLConnection connection =
                (HttpURLConnection) admin.resolve("/reload").toURL().openConnection();
        connection.setRequestMethod("POST");
        connection.setRequestProperty("Authorization", "Bearer demo");
        boolean good = connection.getResponseCode() == 200;
        try (InputStream in = good ? connection.getInputStream() : connection.getErrorStream()) {
            String answer = new String(in.readAllBytes(), UTF_8);
            if (!answer.contains("\"applied\"")) {
                throw new IOException("/reload: " + answer + " (expected: a reload that is applied)");
            }
        }
    }

    /** Returns the lines of its metrics about heads and nodes. */
    List<String> heads() {
        return metric("weir_head", "weir_upstream_health");
    }

    /** Returns the lines of its metrics that begin so; the failure if they cannot be read. */
    public List<String> metric(String... beginnings) {
        try (InputStream in = metrics().toURL().openStream()) {
            return new String(in.readAllBytes(), UTF_8)
                    .lines()
                    .filter(line -> Stream.of(beginnings).anyMatch(line::startsWith))
                    .toList();
        } catch (IOException e) {
            return List.of(e.toString());
        }
    }

    /** Returns the node that got the most calls since the last look; none if no node got any. Confined to one thread. */
    Optional<String> busiest() {
        Map<String, Long> now = new HashMap<>();
        metric("weir_upstream_calls_total").forEach(line -> {
            Matcher calls = CALLS.matcher(line);
            if (calls.find()) {
                now.merge(calls.group(1), (long) Double.parseDouble(calls.group(2)), Long::sum);
            }
        });
        Map<String, Long> before = calls;
        calls = now;
        Map<String, Long> more = new HashMap<>();
        now.forEach((node, count) -> more.put(node, count - before.getOrDefault(node, 0L)));
        return more.entrySet().stream()
                .filter(one -> one.getValue() > 0)
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey);
    }

    /** Returns the port of its JSON-RPC listener. */
    public int port() {
        return socket.getPort();
    }

    /** Returns its WebSocket address. */
    URI socket() {
        return socket;
    }

    /** Returns the address of its metrics. */
    URI metrics() {
        return admin.resolve("/metrics");
    }

    /** Returns the file of its log. */
    public Path log() {
        return log;
    }

    /** Returns the figures of its process. */
    public ProcessFigures figures() {
        return program.figures();
    }

    /** Collects all garbage in the proxy and returns the bytes that live. */
    long liveBytes() throws IOException, InterruptedException {
        return live(HEAP);
    }

    /** Collects all garbage in the proxy and returns the bytes of the arrays of bytes that live. */
    public long liveByteArrays() throws IOException, InterruptedException {
        return live(BYTE_ARRAYS);
    }

    private long live(Pattern line) throws IOException, InterruptedException {
        Path java = Path.of(Workshop.java());
        String jcmd = java.resolveSibling("jcmd").toString();
        Process process = new ProcessBuilder(jcmd, Long.toString(program.pid()), "GC.class_histogram")
                .redirectErrorStream(true)
                .start();
        String out = new String(process.getInputStream().readAllBytes(), UTF_8);
        Matcher total = line.matcher(out);
        if (process.waitFor() != 0 || !total.find()) {
            throw new IOException(jcmd + ": " + out.lines().limit(3).toList() + " (expected: a class histogram)");
        }
        return Long.parseLong(total.group(1));
    }

    /** Returns the lines of the log that name a leaked buffer or an error. */
    public List<String> troubles() throws IOException {
        try (Stream<String> lines = Files.lines(log)) {
            return lines.filter(
                            line -> line.contains("LEAK:") || line.contains(" ERROR ") || line.contains("Exception"))
                    .limit(20)
                    .toList();
        }
    }

    @Override
    public void close() {
        program.close();
    }
}
