package io.weir.testing.traffic;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A node of chain 1 that is always well, and writes its answers to all calls but probes byte by byte as a script says. Thread-safe.
 */
public final class ScriptedAnswers implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Map<String, String> PROBES =
            Map.of("eth_chainId", "\"0x1\"", "eth_blockNumber", "\"0x10\"", "eth_syncing", "false");

    private final Script script;
    private final ServerSocket server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final AtomicInteger underWay = new AtomicInteger();

    private volatile String head = "";

    /** What the node writes for a call, head included. */
    @FunctionalInterface
    public interface Script {

        /** Writes the answer; an exception closes the connection. */
        void answer(JsonNode call, OutputStream out) throws IOException;
    }

    /** Starts a node on a free port. */
    public ScriptedAnswers(Script script) throws IOException {
        this.script = script;
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    /** Returns its address. */
    public String url() {
        return "http://127.0.0.1:" + server.getLocalPort();
    }

    /** Returns how many calls came, probes left out. */
    public int calls() {
        return calls.get();
    }

    /** Returns the head of the newest request. */
    public String newestHead() {
        return head;
    }

    /** Returns how many answers it writes at present. */
    public int underWay() {
        return underWay.get();
    }

    /** Returns how many answers could not be written to their end. */
    public int failed() {
        return failed.get();
    }

    /** Writes an answer of known length. */
    public static void writeWhole(OutputStream out, byte[] body) throws IOException {
        out.write(head("Content-Length: " + body.length));
        out.write(body);
    }

    /** Writes an answer in chunks of this size. */
    public static void writeChunks(OutputStream out, byte[] body, int size) throws IOException {
        out.write(head("Transfer-Encoding: chunked"));
        for (int at = 0; at < body.length; at += size) {
            int length = Math.min(size, body.length - at);
            out.write((Integer.toHexString(length) + "\r\n").getBytes(US_ASCII));
            out.write(body, at, length);
            out.write("\r\n".getBytes(US_ASCII));
        }
        out.write("0\r\n\r\n".getBytes(US_ASCII));
    }

    /** Returns bytes as a member of gzip. */
    public static byte[] gzip(byte[] plain) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(plain);
        }
        return packed.toByteArray();
    }

    /** Returns the head of an answer with one more header. */
    public static byte[] head(String header) {
        return ("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" + header + "\r\n\r\n").getBytes(US_ASCII);
    }

    /** Returns an answer. */
    public static byte[] body(JsonNode call, byte[] result) {
        byte[] before = ("{\"jsonrpc\":\"2.0\",\"id\":" + call.get("id") + ",\"result\":").getBytes(US_ASCII);
        byte[] body = new byte[before.length + result.length + 1];
        System.arraycopy(before, 0, body, 0, before.length);
        System.arraycopy(result, 0, body, before.length, result.length);
        body[body.length - 1] = '}';
        return body;
    }

    /** Returns a list of texts with letters of every length in UTF-8. */
    public static byte[] result(long seed, int size) {
        Random random = new Random(seed);
        ByteArrayOutputStream out = new ByteArrayOutputStream(size + 100);
        out.write('[');
        String[] letters = {"0x0123456789abcdef", "é", "€", "😀", "\\\"", "\\u12aF", "{[", "]", " "};
        while (out.size() < size - 1_000) {
            StringBuilder text = new StringBuilder("{\"name\" : \"");
            for (int i = random.nextInt(10); i >= 0; i--) {
                text.append(letters[random.nextInt(letters.length)]);
            }
            out.writeBytes(
                    text.append("\",\"more\":[1,true, null]},").toString().getBytes(UTF_8));
        }
        byte[] last = ("\"" + "x".repeat(size - out.size() - 3) + "\"]").getBytes(UTF_8);
        out.writeBytes(last);
        return out.toByteArray();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                // Its head and body are two writes: the second must not wait for the receipt of the first.
                socket.setTcpNoDelay(true);
                open.add(socket);
                threads.execute(() -> serve(socket));
            } catch (IOException e) {
                // Closed.
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            OutputStream out = socket.getOutputStream();
            for (JsonNode call = read(in); call != null; call = read(in)) {
                String probe = PROBES.get(call.path("method").asString());
                if (probe != null) {
                    writeWhole(out, body(call, probe.getBytes(US_ASCII)));
                    continue;
                }
                calls.incrementAndGet();
                underWay.incrementAndGet();
                try {
                    script.answer(call, out);
                } catch (IOException e) {
                    failed.incrementAndGet();
                    return;
                } finally {
                    underWay.decrementAndGet();
                }
            }
        } catch (IOException e) {
            // The proxy closed the connection.
        } finally {
            open.remove(socket);
        }
    }

    private JsonNode read(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                return null;
            }
            head.append((char) next);
        }
        this.head = head.toString();
        String marker = "content-length: ";
        int at = head.indexOf(marker) + marker.length();
        int length = Integer.parseInt(head.substring(at, head.indexOf("\r", at)));
        return JSON.readTree(new String(in.readNBytes(length), ISO_8859_1));
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : open) {
            socket.close();
        }
        threads.shutdownNow();
    }
}
