package io.weir.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Measures what batching to nodes gains: calls in a second through two proxies before one anvil, one that batches and one that
 * does not, in turns.
 *
 * <pre>
 * java -cp bench/target/weir-bench.jar io.weir.bench.BatchingComparison ANVIL CONNECTIONS TURNS SECONDS
 * </pre>
 */
public final class BatchingComparison {

    private static final Pattern ANVIL_PORT = Pattern.compile("Listening on 127\\.0\\.0\\.1:(\\d+)");
    private static final Pattern PROXY_PORT = Pattern.compile("http://127\\.0\\.0\\.1:(\\d+)");
    private static final Pattern LENGTH = Pattern.compile("(?i)content-length: *(\\d+)");

    @SuppressWarnings("InlineFormatString") // A file of its own, which reads better alone.
    private static final String CONFIGURATION = """
            server { port = 0 }
            admin { port = 0 }
            plugins.path = []
            default-network = anvil
            networks.anvil {
              chain-id = 31337
              upstreams.node { url = "http://127.0.0.1:%d", batch.size = %d }
            }
            access.anonymous = true
            """;

    private final int connections;
    private final long turnNanos;

    private BatchingComparison(int connections, int seconds) {
        this.connections = connections;
        this.turnNanos = seconds * 1_000_000_000L;
    }

    /** Runs the comparison and prints each turn, and the medians. */
    public static void main(String[] args) throws Exception {
        if (args.length != 4) {
            throw new IllegalArgumentException("arguments: ANVIL CONNECTIONS TURNS SECONDS");
        }
        new BatchingComparison(Integer.parseInt(args[1]), Integer.parseInt(args[3]))
                .run(args[0], Integer.parseInt(args[2]));
    }

    private void run(String anvil, int turns) throws Exception {
        try (Program node = Program.start(ANVIL_PORT, anvil, "--port", "0", "--threads", "2");
                Program batching = proxy(node.port(), true);
                Program plain = proxy(node.port(), false)) {
            List<Long> with = new ArrayList<>();
            List<Long> without = new ArrayList<>();
            // The first turn of each warms it up, and does not count.
            for (int turn = 0; turn <= turns; turn++) {
                long on = callsPerSecond(batching.port());
                long off = callsPerSecond(plain.port());
                if (turn > 0) {
                    with.add(on);
                    without.add(off);
                    System.out.println("turn " + turn + ": " + on + " calls/s batching, " + off + " not");
                }
            }
            System.out.println("median: " + median(with) + " calls/s batching, " + median(without) + " not");
        }
    }

    private static long median(List<Long> values) {
        Collections.sort(values);
        return values.get(values.size() / 2);
    }

    private static Program proxy(int nodePort, boolean batching) throws IOException {
        Path file = Files.createTempFile("weir-bench", ".conf");
        Files.writeString(file, CONFIGURATION.formatted(nodePort, batching ? 100 : 1));
        file.toFile().deleteOnExit();
        String java = ProcessHandle.current().info().command().orElse("java");
        String jar = "proxy-core/target/weir.jar";
        return Program.start(PROXY_PORT, java, "-Xmx512m", "-jar", jar, "run", "--config", file.toString());
    }

    private long callsPerSecond(int port) throws InterruptedException {
        LongAdder answered = new LongAdder();
        List<Thread> threads = new ArrayList<>();
        long start = System.nanoTime();
        for (int i = 0; i < connections; i++) {
            int first = i << 20;
            Thread thread = new Thread(() -> ask(port, first, start + turnNanos, answered));
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return answered.sum() * 1_000_000_000L / (System.nanoTime() - start);
    }

    /** Asks for one balance after the other, each of another address. */
    private static void ask(int port, int first, long endNanos, LongAdder answered) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            for (int i = first; System.nanoTime() - endNanos < 0; i++) {
                String body =
                        "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"eth_getBalance\",\"params\":[\"0x%040x\",\"latest\"]}"
                                .formatted(i, i);
                String request =
                        "POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%s"
                                .formatted(body.length(), body);
                socket.getOutputStream().write(request.getBytes(US_ASCII));
                String answer = answer(in);
                if (!answer.contains("\"result\"")) {
                    throw new IOException("answer: " + answer + " (expected: a result)");
                }
                answered.increment();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String answer(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.length() < 4 || head.indexOf("\r\n\r\n", head.length() - 4) < 0) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("the proxy closed the connection");
            }
            head.append((char) next);
        }
        Matcher length = LENGTH.matcher(head);
        return length.find() ? new String(in.readNBytes(Integer.parseInt(length.group(1))), ISO_8859_1) : "";
    }

    /** A program that says where it listens; what it says after that goes nowhere. */
    private record Program(Process process, int port) implements AutoCloseable {

        static Program start(Pattern listening, String... command) throws IOException {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            BufferedReader out = new BufferedReader(new InputStreamReader(process.getInputStream(), ISO_8859_1));
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                Matcher matcher = listening.matcher(line);
                if (matcher.find()) {
                    Thread drain = new Thread(() -> drain(out));
                    drain.setDaemon(true);
                    drain.start();
                    return new Program(process, Integer.parseInt(matcher.group(1)));
                }
            }
            throw new IOException(command[0] + ": ended before it listened");
        }

        private static void drain(BufferedReader out) {
            try {
                out.transferTo(Writer.nullWriter());
            } catch (IOException expected) {
                // The program was ended.
            }
        }

        @Override
        public void close() {
            process.destroy();
        }
    }
}
