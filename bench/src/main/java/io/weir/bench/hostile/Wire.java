package io.weir.bench.hostile;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/** The bytes of calls in one protocol, whole or begun. Immutable. */
enum Wire {
    HTTP_1 {
        @Override
        byte[] opening(String path) {
            return new byte[0];
        }

        @Override
        byte[] call(int number, String path, byte[] body, int announced, boolean gzip) {
            String head = "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + (gzip ? "Content-Encoding: gzip\r\n" : "") + "Content-Length: " + announced + "\r\n\r\n";
            return joined(head.getBytes(US_ASCII), body);
        }
    },
    HTTP_2 {
        @Override
        byte[] opening(String path) {
            byte[] windows = ByteBuffer.allocate(6)
                    .putShort((short) 4)
                    .putInt(Integer.MAX_VALUE)
                    .array();
            return joined(
                    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII),
                    frame(4, 0, 0, windows),
                    frame(8, 0, 0, number(Integer.MAX_VALUE - (1 << 16))));
        }

        @Override
        byte[] call(int number, String path, byte[] body, int announced, boolean gzip) {
            ByteArrayOutputStream fields = new ByteArrayOutputStream();
            add(fields, ":method", "POST");
            add(fields, ":scheme", "http");
            add(fields, ":authority", "localhost");
            add(fields, ":path", path);
            add(fields, "content-type", "application/json");
            if (gzip) {
                add(fields, "content-encoding", "gzip");
            }
            int stream = 2 * number + 1;
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            all.writeBytes(frame(1, 4, stream, fields.toByteArray()));
            for (int at = 0; at < body.length; at += MAX_FRAME) {
                int end = Math.min(body.length, at + MAX_FRAME);
                byte[] part =
                        ByteBuffer.allocate(end - at).put(body, at, end - at).array();
                all.writeBytes(frame(0, end == announced ? 1 : 0, stream, part));
            }
            return all.toByteArray();
        }

        private static void add(ByteArrayOutputStream fields, String name, String value) {
            fields.write(0);
            fields.write(name.length());
            fields.writeBytes(name.getBytes(US_ASCII));
            fields.write(value.length());
            fields.writeBytes(value.getBytes(US_ASCII));
        }
    },
    WEB_SOCKET {
        @Override
        byte[] opening(String path) {
            return ("GET " + path.replace("/v3/", "/ws/v3/")
                            + " HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
                    .getBytes(US_ASCII);
        }

        // Fragments, of which the last one is missing if more is announced. The mask of zeros changes nothing.
        @Override
        byte[] call(int number, String path, byte[] body, int announced, boolean gzip) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (int at = 0; at < body.length; at += MAX_FRAME) {
                int length = Math.min(body.length - at, MAX_FRAME);
                int first = (at == 0 ? 1 : 0) | (at + length == announced ? 0x80 : 0);
                all.write(first);
                all.write(0x80 | Math.min(length, 126));
                if (length >= 126) {
                    all.writeBytes(
                            ByteBuffer.allocate(2).putShort((short) length).array());
                }
                all.writeBytes(new byte[Integer.BYTES]);
                all.write(body, at, length);
            }
            return all.toByteArray();
        }
    };

    private static final int MAX_FRAME = 1 << 14;

    /** Returns what a connection begins with. */
    abstract byte[] opening(String path);

    /**
     * Returns a call.
     *
     * @param number of the call on its connection, from 0 on
     * @param announced the length of the body; the call is not complete if it is more than that of the bytes
     */
    abstract byte[] call(int number, String path, byte[] body, int announced, boolean gzip);

    /** Returns the reset of a stream. */
    static byte[] reset(int call) {
        return frame(3, 0, 2 * call + 1, number(8));
    }

    private static byte[] frame(int type, int flags, int stream, byte[] content) {
        return ByteBuffer.allocate(9 + content.length)
                .putInt(content.length << Byte.SIZE | type)
                .put((byte) flags)
                .putInt(stream)
                .put(content)
                .array();
    }

    private static byte[] number(int value) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(value).array();
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
