package io.weir.bench.hostile;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A connection of a hostile client. Confined to one thread; only closing it is thread-safe. */
final class HostileConnection implements Closeable {

    private static final int TIMEOUT_MILLIS = 15_000;
    private static final int PIECE_BYTES = 1 << 15;
    private static final int SLOW_BYTES = 1 << 10;

    private static final Pattern RESULT = Pattern.compile("\"result\":(\"0x[0-9a-f]+\")");

    private final Wire wire;
    private final String key;
    private final Socket socket;
    private int calls;

    /** @param target where to connect, and how */
    HostileConnection(Wire wire, Target target, String key) throws IOException {
        this.wire = wire;
        this.key = key;
        Socket plain = new Socket();
        plain.setReceiveBufferSize(PIECE_BYTES);
        plain.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target.port()), TIMEOUT_MILLIS);
        plain.setSoTimeout(TIMEOUT_MILLIS);
        LoopbackTls tls = target.tls();
        socket = tls == null ? plain : tls.secured(plain, wire == Wire.HTTP_2);
    }

    /**
     * Address of the proxy. Immutable.
     *
     * @param tls null without TLS
     */
    record Target(int port, @Nullable LoopbackTls tls) {}

    /** Sends a call. */
    void call(String network, byte[] body) throws IOException {
        call(network, body, body.length, false);
    }

    /** Sends a call of which the second half is missing. */
    void begin(String network, byte[] body) throws IOException {
        call(network, body, 2 * body.length, false);
    }

    /** Sends a body in gzip but for its end, or many fragments of a message. */
    void expand(String network, byte[] packed) throws IOException {
        byte[] body = wire == Wire.WEB_SOCKET ? new byte[1 << 21] : packed;
        call(network, body, body.length + 1, true);
    }

    private void call(String network, byte[] body, int announced, boolean gzip) throws IOException {
        String path = network + "/v3/" + key;
        if (calls == 0) {
            send(wire.opening(path));
        }
        send(wire.call(calls++, path, body, announced, gzip));
    }

    /** Reads what has arrived, and returns the short result in it; a text that is none if there is none. */
    String result() throws IOException {
        byte[] piece = new byte[SLOW_BYTES];
        int read = socket.getInputStream().read(piece);
        Matcher result = RESULT.matcher(new String(piece, 0, Math.max(0, read), ISO_8859_1));
        return result.find() ? result.group(1) : "\"0x0\"";
    }

    /** Gives up the newest call. */
    void reset() throws IOException {
        if (wire == Wire.HTTP_2) {
            send(Wire.reset(calls - 1));
        }
    }

    /** Sends bytes, with pauses in which a window of HTTP/2 may grow. */
    void send(byte[] bytes) throws IOException {
        for (int at = 0; at < bytes.length; at += PIECE_BYTES) {
            if (at > 0) {
                pause(200);
            }
            socket.getOutputStream().write(bytes, at, Math.min(PIECE_BYTES, bytes.length - at));
        }
        socket.getOutputStream().flush();
    }

    /** Reads nothing for some seconds. */
    void hold(RandomGenerator random) throws IOException {
        pause(random.nextLong(TIMEOUT_MILLIS));
    }

    /** Reads a kilobyte a second for some seconds. */
    void readSlowly(RandomGenerator random) throws IOException {
        byte[] piece = new byte[SLOW_BYTES];
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(random.nextLong(TIMEOUT_MILLIS));
        while (System.nanoTime() < end && socket.getInputStream().read(piece) >= 0) {
            pause(1_000);
        }
    }

    /** Resets the connection within half a second. */
    void leave(RandomGenerator random) throws IOException {
        pause(random.nextLong(500));
        socket.setSoLinger(true, 0);
    }

    private static void pause(long millis) throws IOException {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            throw new IOException("the run is over", e);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
