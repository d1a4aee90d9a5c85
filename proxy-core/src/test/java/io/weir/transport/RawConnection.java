package io.weir.transport;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A client that sends bytes exactly as a test writes them, and reads answers strictly. */
final class RawConnection implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = 60_000;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    RawConnection(TestProxy proxy) throws IOException {
        socket = socket(proxy);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
        out = socket.getOutputStream();
    }

    /** Returns a connected socket, with TLS if the proxy speaks it to this test. */
    private static Socket socket(TestProxy proxy) throws IOException {
        return proxy.clientTls == null
                ? new Socket("127.0.0.1", proxy.port())
                : proxy.clientTls.getSocketFactory().createSocket("127.0.0.1", proxy.port());
    }

    /** A request as text, with the headers every request needs. */
    static String post(String path, String body, String... headers) {
        String lines = headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n";
        return "POST " + path + " HTTP/1.1\r\nHost: localhost\r\n" + lines + "Content-Length: " + body.length()
                + "\r\n\r\n" + body;
    }

    RawConnection send(String text) throws IOException {
        return send(text.getBytes(ISO_8859_1));
    }

    RawConnection send(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
        return this;
    }

    void closeOutput() throws IOException {
        socket.shutdownOutput();
    }

    /** Reads one answer whole. */
    Answer read() throws IOException {
        String status = line();
        List<String> headers = new ArrayList<>();
        int length = 0;
        for (String line = line(); !line.isEmpty(); line = line()) {
            headers.add(line);
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length: ")) {
                length = Integer.parseInt(line.substring(16));
            }
        }
        String[] parts = status.split(" ", 3);
        return new Answer(Integer.parseInt(parts[1]), headers, new String(bytes(length), ISO_8859_1));
    }

    /** Reads everything until the proxy closes. */
    String readToEnd() throws IOException {
        return new String(in.readAllBytes(), ISO_8859_1);
    }

    byte[] bytes(int count) throws IOException {
        byte[] bytes = in.readNBytes(count);
        if (bytes.length < count) {
            throw new IOException("answer: ended after " + bytes.length + " bytes (expected: " + count + ")");
        }
        return bytes;
    }

    /** Whether the proxy has closed the connection, with nothing more said; waits for it. */
    boolean isEnded() throws IOException {
        try {
            return in.read() < 0;
        } catch (java.net.SocketException reset) {
            return true;
        }
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("answer: ended in '" + line + "' (expected: a whole line)");
            }
            line.append((char) c);
        }
        if (line.length() == 0 || line.charAt(line.length() - 1) != '\r') {
            throw new IOException("answer: a bare line feed (expected: CR LF)");
        }
        return line.substring(0, line.length() - 1);
    }

    /** Closes at once and says so by a reset. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    /** An HTTP answer. */
    record Answer(int status, List<String> headers, String body) {

        /** A header's value, or null. */
        String header(String name) {
            return headers.stream()
                    .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
                    .map(line -> line.substring(name.length() + 1).strip())
                    .findFirst()
                    .orElse(null);
        }
    }
}
