package io.weir.testing.traffic;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.testing.SocketClose;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;

/** One WebSocket to the key {@code demo}, without a thread of its own, so that there can be thousands. Confined to one thread. */
public final class FrameConnection implements CallConnection {

    private static final int TIMEOUT_MILLIS = 60_000;
    private static final int BUFFER_BYTES = 512;
    private static final int CONTINUATION = 0;
    private static final int FIRST_OF_TEXT = 1;
    private static final int WHOLE_TEXT = 0x81;
    private static final int CLOSE = 0x88;
    private static final int MASKED = 0x80;

    private final Socket socket;
    private final DataInputStream in;

    public FrameConnection(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES));
        socket.getOutputStream()
                .write(("GET /ws/v3/demo HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
                        .getBytes(US_ASCII));
        HttpMessages.Message answer = new HttpMessages(in).next();
        if (answer == null || !answer.head().startsWith("HTTP/1.1 101 ")) {
            throw new IOException("handshake: " + answer + " (expected: 101)");
        }
    }

    @Override
    public void send(String body) throws IOException {
        send(WHOLE_TEXT, body);
    }

    /** Sends a part of a message, behind which others follow. */
    public void sendFragment(boolean first, String text) throws IOException {
        send(first ? FIRST_OF_TEXT : CONTINUATION, text);
    }

    private void send(int kind, String body) throws IOException {
        byte[] payload = body.getBytes(UTF_8);
        // With the mask 0, which changes nothing.
        ByteBuffer frame = ByteBuffer.allocate(payload.length + 8).put((byte) kind);
        if (payload.length < 126) {
            frame.put((byte) (MASKED | payload.length));
        } else {
            frame.put((byte) (MASKED | 126)).putShort((short) payload.length);
        }
        frame.putInt(0).put(payload);
        socket.getOutputStream().write(frame.array(), 0, frame.position());
    }

    @Override
    public String read() throws IOException {
        int first = in.readUnsignedByte();
        int length = in.readUnsignedByte();
        if (length == 126) {
            length = in.readUnsignedShort();
        }
        if (first != WHOLE_TEXT || length == 127) {
            throw new IOException("frame: " + first + ", " + length + " (expected: a whole text of up to 64 KiB)");
        }
        return new String(in.readNBytes(length), UTF_8);
    }

    /** Answers no ping, waits for a close frame, and returns it. Texts before it are left out. */
    public SocketClose awaitClose() throws IOException {
        while (true) {
            int first = in.readUnsignedByte();
            int length = in.readUnsignedByte();
            byte[] payload = in.readNBytes(length == 126 ? in.readUnsignedShort() : length);
            if (first == CLOSE) {
                String reason = new String(payload, Short.BYTES, payload.length - Short.BYTES, UTF_8);
                return new SocketClose(ByteBuffer.wrap(payload).getShort(), reason);
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
