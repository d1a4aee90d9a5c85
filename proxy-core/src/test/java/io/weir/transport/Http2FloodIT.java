package io.weir.transport;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.metrics.Meter;
import io.weir.testing.NoLeaks;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Floods of frames that cost the client little: the proxy ends the connection, and serves the others. */
@ExtendWith(NoLeaks.class)
class Http2FloodIT {

    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int GOAWAY = 7;
    private static final int CONTINUATION = 9;

    private static final int NO_FLAGS = 0;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;
    private static final int ENHANCE_YOUR_CALM = 11;

    private static final int MAX_FRAMES = 500_000;
    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII);
    private static final byte[] CANCEL = {0, 0, 0, 8};
    private static final byte[] NOTHING = {};

    private final ServerBounds bounds = new ServerBounds();
    private TestProxy proxy;

    @BeforeEach
    void start() throws Exception {
        proxy = new TestProxy(bounds);
    }

    @AfterEach
    void stop() {
        await().until(() -> proxy.gauge(Meter.CONNECTIONS) == 0);
        proxy.close();
    }

    static Stream<Arguments> floods() {
        byte[] opened = frame(HEADERS, END_HEADERS, 1, request());
        byte[] unfinished = frame(HEADERS, END_STREAM, 1, request());
        return Stream.of(
                Arguments.of("rapid reset", true, NOTHING, (IntFunction<byte[]>) i -> reset(2 * i + 1)),
                Arguments.of("fields without end", true, unfinished, (IntFunction<byte[]>)
                        i -> frame(CONTINUATION, NO_FLAGS, 1, field("x-" + i, "y"))),
                Arguments.of("empty fields without end", true, unfinished, (IntFunction<byte[]>)
                        i -> frame(CONTINUATION, NO_FLAGS, 1, NOTHING)),
                Arguments.of("empty data", true, opened, (IntFunction<byte[]>) i -> frame(DATA, NO_FLAGS, 1, NOTHING)),
                Arguments.of("pings", false, NOTHING, (IntFunction<byte[]>)
                        i -> frame(PING, NO_FLAGS, 0, new byte[Long.BYTES])),
                Arguments.of(
                        "settings", false, NOTHING, (IntFunction<byte[]>) i -> frame(SETTINGS, NO_FLAGS, 0, NOTHING)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("floods")
    void aFloodEndsItsConnectionAlone(String name, boolean counted, byte[] begin, IntFunction<byte[]> next)
            throws Exception {
        try (RawConnection other = new RawConnection(proxy);
                Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
            client.getOutputStream().write(PREFACE);
            client.getOutputStream().write(frame(SETTINGS, NO_FLAGS, 0, NOTHING));
            client.getOutputStream().write(begin);
            assertThat(sendUntilClosed(client, next)).isLessThan(MAX_FRAMES);
            await().until(() -> proxy.gauge(Meter.HTTP2_CONNECTIONS) == 0);
            assertThat(proxy.http2Errors("enhance_your_calm")).isEqualTo(counted ? 1 : 0);
            assertThat(proxy.gauge(Meter.BYTES_IN_FLIGHT)).isZero();
            assertThat(other.send(RawConnection.post(Http2IT.PATH, Http2IT.CALL))
                            .read()
                            .body())
                    .isEqualTo(Http2IT.ANSWER);
        }
    }

    /** A reset connection may lose the frame that says why. */
    private static int sendUntilClosed(Socket client, IntFunction<byte[]> next) throws IOException {
        for (int i = 0; i < MAX_FRAMES; i++) {
            try {
                client.getOutputStream().write(next.apply(i));
                if (client.getInputStream().available() > 0 && isEnded(new DataInputStream(client.getInputStream()))) {
                    return i;
                }
            } catch (IOException e) {
                return i;
            }
        }
        return MAX_FRAMES;
    }

    /** Reads a frame. Returns whether it ends the connection, as it should. */
    private static boolean isEnded(DataInputStream in) throws IOException {
        int head = in.readInt();
        in.readUnsignedByte();
        in.readInt();
        byte[] content = in.readNBytes(head >>> Byte.SIZE);
        if (content.length < head >>> Byte.SIZE) {
            throw new EOFException();
        }
        if ((head & 0xff) == GOAWAY) {
            assertThat(ByteBuffer.wrap(content).getInt(Integer.BYTES)).isEqualTo(ENHANCE_YOUR_CALM);
            return true;
        }
        return false;
    }

    private static byte[] reset(int stream) {
        byte[] begun = frame(HEADERS, END_HEADERS | END_STREAM, stream, request());
        byte[] ended = frame(RST_STREAM, NO_FLAGS, stream, CANCEL);
        return ByteBuffer.allocate(begun.length + ended.length)
                .put(begun)
                .put(ended)
                .array();
    }

    private static byte[] frame(int type, int flags, int stream, byte[] content) {
        return ByteBuffer.allocate(9 + content.length)
                .putInt(content.length << Byte.SIZE | type)
                .put((byte) flags)
                .putInt(stream)
                .put(content)
                .array();
    }

    private static byte[] request() {
        ByteArrayOutputStream fields = new ByteArrayOutputStream();
        fields.writeBytes(field(":method", "POST"));
        fields.writeBytes(field(":scheme", "http"));
        fields.writeBytes(field(":authority", "localhost"));
        fields.writeBytes(field(":path", Http2IT.PATH));
        fields.writeBytes(field("content-type", "application/json"));
        return fields.toByteArray();
    }

    /** A literal field without indexing, by HPACK (RFC 7541, 6.2.2). */
    private static byte[] field(String name, String value) {
        return ByteBuffer.allocate(3 + name.length() + value.length())
                .put((byte) 0)
                .put((byte) name.length())
                .put(name.getBytes(US_ASCII))
                .put((byte) value.length())
                .put(value.getBytes(US_ASCII))
                .array();
    }
}
