package io.weir.transport;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A WebSocket client that sends frames exactly as a test writes them. */
final class RawWebSocket implements AutoCloseable {

    static final int CONTINUATION = 0;
    static final int TEXT = 1;
    static final int BINARY = 2;
    static final int CLOSE = 8;
    static final int PING = 9;
    static final int PONG = 10;
    private static final int FINAL = 0x80;
    private static final byte[] MASK = {0x12, 0x34, 0x56, 0x78};

    private final RawConnection connection;

    RawWebSocket(TestProxy proxy, String path) throws IOException {
        this(proxy, path, new byte[0]);
    }

    /** Opens one, with bytes sent in one piece with the handshake. */
    RawWebSocket(TestProxy proxy, String path, byte[] behind) throws IOException {
        this(new RawConnection(proxy), joined(handshake(path).getBytes(UTF_8), behind));
    }

    private RawWebSocket(RawConnection connection, byte[] request) throws IOException {
        this.connection = connection;
        connection.send(request);
        RawConnection.Answer answer = connection.read();
        if (answer.status() != 101) {
            throw new IOException("handshake: " + answer + " (expected: 101)");
        }
    }

    private static byte[] joined(byte[] head, byte[] behind) {
        return ByteBuffer.allocate(head.length + behind.length)
                .put(head)
                .put(behind)
                .array();
    }

    /** Opens one of a page. */
    static RawWebSocket ofPage(TestProxy proxy, String path, String origin) throws IOException {
        return with(proxy, path, "Origin: " + origin);
    }

    /** Opens one with further headers. */
    static RawWebSocket with(TestProxy proxy, String path, String... headers) throws IOException {
        return new RawWebSocket(
                new RawConnection(proxy), handshake(path, headers).getBytes(UTF_8));
    }

    static String handshake(String path, String... headers) {
        String lines = headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n";
        return "GET " + path
                + " HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive, Upgrade\r\nUpgrade: WebSocket\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" + lines + "\r\n";
    }

    RawWebSocket text(String text) throws IOException {
        return send(TEXT, true, text.getBytes(UTF_8));
    }

    RawWebSocket send(int opcode, boolean last, byte[] payload) throws IOException {
        return raw(frame(opcode | (last ? FINAL : 0), payload));
    }

    RawWebSocket raw(byte[] bytes) throws IOException {
        connection.send(bytes);
        return this;
    }

    /** A masked frame with any first byte. */
    static byte[] frame(int first, byte[] payload) {
        ByteBuffer frame = ByteBuffer.allocate(14 + payload.length).put((byte) first);
        if (payload.length < 126) {
            frame.put((byte) (0x80 | payload.length));
        } else if (payload.length < 1 << 16) {
            frame.put((byte) (0x80 | 126)).putShort((short) payload.length);
        } else {
            frame.put((byte) (0x80 | 127)).putLong(payload.length);
        }
        frame.put(MASK);
        for (int i = 0; i < payload.length; i++) {
            frame.put((byte) (payload[i] ^ MASK[i % 4]));
        }
        byte[] bytes = new byte[frame.position()];
        frame.flip().get(bytes);
        return bytes;
    }

    Frame read() throws IOException {
        byte[] head = connection.bytes(2);
        long length = head[1] & 0xff;
        if (length == 126) {
            length = ByteBuffer.wrap(connection.bytes(2)).getShort() & 0xffff;
        } else if (length == 127) {
            length = ByteBuffer.wrap(connection.bytes(8)).getLong();
        }
        return new Frame(head[0] & 0xff, connection.bytes(Math.toIntExact(length)));
    }

    boolean isEnded() throws IOException {
        return connection.isEnded();
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }

    /** A received frame: its first byte, which must be its message's last frame, and its content. */
    record Frame(int first, byte[] payload) {

        int opcode() {
            return first & 0x0f;
        }

        String text() {
            return new String(payload, UTF_8);
        }

        /** The status of a close frame; 1005 where it has none. */
        int closeStatus() {
            return payload.length < 2 ? 1005 : ByteBuffer.wrap(payload).getShort() & 0xffff;
        }
    }
}
