package io.weir.upstream.link;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.testing.RawNode.Connection;
import io.weir.testing.RawNode.Request;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** WebSocket from the node's side; the test decides every frame. Confined to the connection's thread. */
public final class NodeSocket {

    static final int CONTINUATION = 0;
    static final int TEXT = 1;
    static final int BINARY = 2;
    static final int CLOSE = 8;
    static final int PING = 9;
    static final int PONG = 10;

    private static final int FINAL = 0x80;
    private static final Pattern KEY = Pattern.compile("(?i)sec-websocket-key: (\\S+)");

    private final Connection connection;

    private NodeSocket(Connection connection) {
        this.connection = connection;
    }

    /** Received frame, unmasked. */
    record Frame(int opcode, String text) {
        /** Returns the frame as a request to answer. */
        Request request() {
            return new Request("", text);
        }
    }

    /** Reads a handshake and agrees to it. */
    public static NodeSocket accept(Connection connection) throws IOException {
        return accept(connection, connection.read());
    }

    /** Agrees to a handshake. */
    public static NodeSocket accept(Connection connection, Request handshake) throws IOException {
        connection.write(agreement(handshake));
        return new NodeSocket(connection);
    }

    static String agreement(Request handshake) {
        Matcher key = KEY.matcher(handshake.head());
        if (!key.find()) {
            throw new IllegalStateException("no key in " + handshake.head());
        }
        return "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\n"
                + "sec-websocket-accept: " + digest(key.group(1)) + "\r\n\r\n";
    }

    private static String digest(String key) {
        try {
            byte[] text = (key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(ISO_8859_1);
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-1").digest(text));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Reads the next call, and throws at the end or at any other frame. */
    public Request read() throws IOException {
        Frame frame = frame();
        if (frame.opcode() != TEXT) {
            throw new SocketException("no call: " + frame);
        }
        return frame.request();
    }

    /** Reads the next frame, which a client masks. */
    Frame frame() throws IOException {
        int first = connection.read(1)[0] & 0xff;
        int second = connection.read(1)[0] & 0xff;
        if ((second & 0x80) == 0 || (first & FINAL) == 0) {
            throw new IllegalStateException("frame: " + first + ", " + second + " (expected: masked and whole)");
        }
        int length = second & 0x7f;
        if (length == 126) {
            length = ByteBuffer.wrap(connection.read(2)).getShort() & 0xffff;
        } else if (length == 127) {
            length = (int) ByteBuffer.wrap(connection.read(8)).getLong();
        }
        byte[] mask = connection.read(4);
        byte[] payload = connection.read(length);
        for (int i = 0; i < length; i++) {
            payload[i] ^= mask[i % 4];
        }
        return new Frame(first & 0xf, new String(payload, ISO_8859_1));
    }

    /** Sends a message in one frame. */
    public void text(String message) throws IOException {
        frame(FINAL | TEXT, message);
    }

    /** Sends a frame with this first byte, which has no final bit for a fragment. */
    void frame(int first, String payload) throws IOException {
        byte[] bytes = payload.getBytes(UTF_8);
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        frame.writeBytes(head(first, bytes.length));
        frame.writeBytes(bytes);
        connection.write(frame.toByteArray());
    }

    void finalFrame(int opcode, String payload) throws IOException {
        frame(FINAL | opcode, payload);
    }

    /** Returns the head of an unmasked frame. */
    static byte[] head(int first, long length) {
        ByteBuffer head = ByteBuffer.allocate(10).put((byte) first);
        if (length < 126) {
            head.put((byte) length);
        } else if (length < 1 << 16) {
            head.put((byte) 126).putShort((short) length);
        } else {
            head.put((byte) 127).putLong(length);
        }
        byte[] bytes = new byte[head.position()];
        head.flip().get(bytes);
        return bytes;
    }

    Connection connection() {
        return connection;
    }
}
