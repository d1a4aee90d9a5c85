package io.weir.testing.traffic;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** One HTTP/1.1 connection to the key {@code demo} that is kept open, one call after the other. Confined to one thread. */
public final class KeepAliveConnection implements CallConnection {

    private static final int TIMEOUT_MILLIS = 60_000;

    private final Socket socket;
    private final HttpMessages responses;

    public KeepAliveConnection(int port) throws IOException {
        this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        this.responses = new HttpMessages(new BufferedInputStream(socket.getInputStream()));
    }

    /** Sends a body and waits for the response, which must have the status 200. */
    public String post(String body) throws IOException {
        send(body);
        return read();
    }

    @Override
    public void send(String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        String head = "POST /v3/demo HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: "
                + bytes.length + "\r\n\r\n";
        socket.getOutputStream().write(new HttpMessages.Message(head, bytes).bytes());
    }

    @Override
    public String read() throws IOException {
        HttpMessages.Message response = responses.next();
        if (response == null) {
            throw new EOFException("the connection was closed before an answer");
        }
        if (!response.head().startsWith("HTTP/1.1 200 ")) {
            throw new IOException(
                    "response: " + response.head().lines().findFirst().orElse("") + " " + response.text()
                            + " (expected: status 200)");
        }
        return response.text();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
