package io.weir.app.bounds;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One kept connection that posts bodies and reads answers. Confined to one thread. */
final class CallSocket implements AutoCloseable {

    private static final Pattern LENGTH = Pattern.compile("(?i)content-length: *(\\d+)");
    private static final int TIMEOUT_MILLIS = 120_000;

    private final Socket socket;
    private final InputStream in;

    CallSocket(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
    }

    /** Posts a body, and gives the head and the body of the answer. */
    String post(String body) {
        return post(body.getBytes(UTF_8));
    }

    /** Posts a body, and gives the head and the body of the answer. */
    String post(byte[] body) {
        String head = "POST /v3/demo HTTP/1.1\r\nHost: 127.0.0.1:" + socket.getPort()
                + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length + "\r\n\r\n";
        try {
            socket.getOutputStream().write(head.getBytes(ISO_8859_1));
            socket.getOutputStream().write(body);
            return read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String read() throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("closed before an answer");
            }
            head.append((char) next);
        }
        Matcher length = LENGTH.matcher(head);
        int size = length.find() ? Integer.parseInt(length.group(1)) : 0;
        return head + new String(in.readNBytes(size), UTF_8);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
