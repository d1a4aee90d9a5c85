package io.weir.app;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.zip.GZIPOutputStream;

/** The ways in which a client can leave a request unfinished or unanswered, over HTTP and over WebSockets. */
enum AbortedRequest {
    IN_THE_HEAD(random -> cut(random, post("", call("trace_get")), 0, 60)),
    IN_THE_BODY(random -> cut(random, post("", " ".repeat(3_000)), 200, 3_000)),
    WHILE_THE_NODE_WORKS(random -> text(post("", call("trace_get")))),
    IN_A_LARGE_ANSWER(random -> text(post("", call("trace_filter"))), 200),
    BEHIND_PIPELINED_REQUESTS(random -> text(post("", call("trace_get")).repeat(1 + random.nextInt(80)))),
    WHILE_A_BATCH_RUNS(random -> text(post("", batch(random)))),
    IN_A_BATCH(random -> {
        String whole = post("", batch(random));
        return cut(random, whole, whole.length() / 2, whole.length());
    }),
    IN_A_PACKED_BODY(random -> {
        byte[] packed = packed(random);
        return joined(text(headOf("Content-Encoding: gzip\r\n", packed.length)), packed, random.nextInt(packed.length));
    }),
    WITH_A_BROKEN_PACKED_BODY(random -> {
        byte[] packed = packed(random);
        packed[packed.length / 2] ^= 1;
        return joined(text(headOf("Content-Encoding: gzip\r\n", packed.length)), packed, packed.length);
    }),
    IN_A_CHUNKED_BODY(random -> cut(random, chunked(), 150, chunked().length())),
    WITHOUT_THE_BODY_THAT_WAS_ASKED_FOR(random -> text(headOf("Expect: 100-continue\r\n", 100)), 10),
    NOT_HTTP(random -> text("\u0001\u0002 nothing\r\n\r\n"), 12),
    WITHOUT_A_KEY(random -> text(post("", call("trace_get")).replace("/v3/demo", "/v3/other")), 12),
    TO_NO_PATH(random -> text(post("", call("trace_get")).replace("/v3/demo", "/a/b/c")), 12),
    BY_ANOTHER_VERB(random -> text(post("", call("trace_get")).replace("POST", "PUT")), 12),
    WITHOUT_A_LENGTH(random -> text("POST /v3/demo HTTP/1.1\r\nHost: localhost\r\n\r\n"), 12),
    TOO_LARGE(random -> text(headOf("", 99_999_999) + "{"), 12),
    OF_ANOTHER_TYPE(random -> text(post("Content-Type: text/plain\r\n", call("trace_get"))), 12),
    WITH_TOO_MANY_LINES(random -> text("POST /v3/demo HTTP/1.1\r\n" + "a:\r\n".repeat(200)), 12),
    BY_ANOTHER_VERB_TO_A_WEBSOCKET(random -> text(post("", "").replace("/v3/demo", "/ws/v3/demo")), 12),
    WITHOUT_AN_UPGRADE(random -> text("GET /ws/v3/demo HTTP/1.1\r\nHost: localhost\r\n\r\n"), 12),
    IN_A_HANDSHAKE(random -> cut(random, HandshakeText.HANDSHAKE, 10, HandshakeText.HANDSHAKE.length())),
    BEHIND_A_HANDSHAKE(random -> text(HandshakeText.HANDSHAKE), 20),
    IN_A_FRAME(random -> {
        byte[] frame = frame(0x81, call("trace_get"));
        return joined(text(HandshakeText.HANDSHAKE), frame, 1 + random.nextInt(frame.length - 1));
    }),
    IN_A_MESSAGE(random -> {
        byte[] frame = frame(0x01, call("trace_get"));
        return joined(text(HandshakeText.HANDSHAKE), frame, frame.length);
    }),
    WITH_CALLS_UNDER_WAY_ON_A_WEBSOCKET(random -> {
        byte[] frame = frame(0x81, random.nextBoolean() ? call("trace_get") : batch(random));
        byte[] both = joined(frame, frame, frame.length);
        return joined(text(HandshakeText.HANDSHAKE), both, both.length);
    }),
    IN_A_LARGE_ANSWER_ON_A_WEBSOCKET(
            random -> {
                byte[] frame = frame(0x81, call("trace_filter"));
                return joined(text(HandshakeText.HANDSHAKE), frame, frame.length);
            },
            400),
    WITH_A_FRAME_THAT_IS_NOT_ALLOWED(
            random -> joined(text(HandshakeText.HANDSHAKE), new byte[] {(byte) 0xff, 0x7f}, 2), 20),
    WITH_A_CLOSE_FRAME(random -> {
        byte[] frame = frame(0x88, "");
        return joined(text(HandshakeText.HANDSHAKE), frame, frame.length);
    });

    /** Text that is needed while the constants are made. */
    private static final class HandshakeText {
        static final String HANDSHAKE =
                "GET /ws/v3/demo HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                        + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    }

    /** Creates a request whose content is sent before the client disconnects. */
    private interface Bytes {
        byte[] make(Random random) throws IOException;
    }

    private final Bytes bytes;
    private final int read;

    AbortedRequest(Bytes bytes) {
        this(bytes, 0);
    }

    /** @param read the bytes of the answer to await before the client disconnects */
    AbortedRequest(Bytes bytes, int read) {
        this.bytes = bytes;
        this.read = read;
    }

    /** Sends the request, and disconnects in one of the ways in which clients do. */
    void run(int port, Random random) throws IOException {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(10_000);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            send(socket, bytes.make(random));
            int ending = random.nextInt(3);
            if (ending == 0) {
                socket.setSoLinger(true, 0);
            } else if (ending == 1) {
                socket.shutdownOutput();
            }
        }
    }

    /** The listener may have closed the connection already. */
    private void send(Socket socket, byte[] all) {
        try {
            socket.getOutputStream().write(all);
            InputStream in = socket.getInputStream();
            in.readNBytes(read);
        } catch (IOException e) {
            // The listener was faster.
        }
    }

    private static String headOf(String lines, int length) {
        return "POST /v3/demo HTTP/1.1\r\nHost: localhost\r\n" + lines + "Content-Length: " + length + "\r\n\r\n";
    }

    private static String post(String lines, String body) {
        return headOf(lines, body.length()) + body;
    }

    /** No two are the same: calls that are would reach the node once. */
    private static String call(String method) {
        long number = ThreadLocalRandom.current().nextLong(Long.MAX_VALUE);
        return "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"" + method + "\",\"params\":[\"" + number + "\"]}";
    }

    private static String batch(Random random) {
        StringBuilder text = new StringBuilder("[");
        for (int i = random.nextInt(20); i > 0; i--) {
            text.append(call(random.nextInt(10) == 0 ? "trace_filter" : "trace_get"))
                    .append(',');
        }
        return text.append("7]").toString();
    }

    private static String chunked() {
        String chunk = "20;a=b\r\n" + " ".repeat(32) + "\r\n";
        return "POST /v3/demo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk.repeat(10)
                + "0\r\nTrailer: a\r\nAnother: b\r\n\r\n";
    }

    private static byte[] packed(Random random) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            byte[] noise = new byte[2_000];
            random.nextBytes(noise);
            gzip.write(noise);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private static byte[] frame(int first, String text) {
        byte[] payload = text(text);
        boolean extended = payload.length > 125;
        byte[] head = extended
                ? new byte[] {(byte) first, (byte) 0xfe, (byte) (payload.length >> 8), (byte) payload.length, 0, 0, 0, 0
                }
                : new byte[] {(byte) first, (byte) (0x80 | payload.length), 0, 0, 0, 0};
        return joined(head, payload, payload.length);
    }

    private static byte[] cut(Random random, String whole, int from, int to) {
        return text(whole.substring(0, Math.min(whole.length() - 1, from + random.nextInt(to - from))));
    }

    private static byte[] joined(byte[] first, byte[] second, int ofSecond) {
        byte[] both = Arrays.copyOf(first, first.length + ofSecond);
        System.arraycopy(second, 0, both, first.length, ofSecond);
        return both;
    }

    private static byte[] text(String text) {
        return text.getBytes(US_ASCII);
    }
}
