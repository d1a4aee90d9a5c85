package io.weir.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.metrics.Meter;
import io.weir.testing.NoLeaks;
import io.weir.testing.traffic.Http2Connection;
import io.weir.testing.traffic.Http2Frame;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Floods of frames that cost the client little: the proxy ends the connection, and serves the others. */
@NoLeaks
class Http2FloodIT {

    private static final int ENHANCE_YOUR_CALM = 11;
    private static final int CANCEL = 8;
    private static final int MAX_FRAMES = 500_000;
    private static final byte[] NOTHING = {};

    private static TestProxy proxy;

    @BeforeAll
    static void start() throws Exception {
        proxy = new TestProxy();
    }

    @AfterAll
    static void stop() {
        await().until(() -> proxy.gauge(Meter.CONNECTIONS) == 0);
        proxy.close();
    }

    static Stream<Arguments> floods() {
        byte[] opened = Http2Frame.headers(1, false, request()).bytes();
        byte[] unfinished = new Http2Frame(Http2Frame.HEADERS, Http2Frame.END_STREAM, 1, request()).bytes();
        return Stream.of(
                flood(
                        "rapid reset",
                        NOTHING,
                        i -> both(Http2Frame.headers(2 * i + 1, true, request()), Http2Frame.reset(2 * i + 1, CANCEL))),
                flood(
                        "streams that the proxy must reset",
                        NOTHING,
                        i -> both(Http2Frame.headers(2 * i + 1, false, request()), Http2Frame.window(2 * i + 1, 0))),
                flood(
                        "streams over the bound",
                        NOTHING,
                        i -> Http2Frame.headers(2 * i + 1, false, request()).bytes()),
                flood("fields without end", unfinished, i -> continuation(Http2Frame.fields("x-" + i, "y"))),
                flood("empty fields without end", unfinished, i -> continuation(NOTHING)),
                flood(
                        "empty data",
                        opened,
                        i -> Http2Frame.data(1, false, NOTHING).bytes()),
                flood(
                        "pings",
                        NOTHING,
                        i -> Http2Frame.ping(Http2Frame.NO_FLAGS, new byte[Long.BYTES])
                                .bytes()),
                flood("settings", NOTHING, i -> Http2Frame.settings().bytes()));
    }

    private static Arguments flood(String name, byte[] begin, IntFunction<byte[]> next) {
        return Arguments.of(name, begin, next);
    }

    private static byte[] both(Http2Frame first, Http2Frame second) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(first.bytes());
        bytes.writeBytes(second.bytes());
        return bytes.toByteArray();
    }

    private static byte[] continuation(byte[] fields) {
        return new Http2Frame(Http2Frame.CONTINUATION, Http2Frame.NO_FLAGS, 1, fields).bytes();
    }

    private static byte[] request() {
        return Http2Connection.request("POST", Http2IT.PATH, "content-type", "application/json");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("floods")
    void aFloodEndsItsConnectionAlone(String name, byte[] begin, IntFunction<byte[]> next) throws Exception {
        long before = proxy.http2Errors("enhance_your_calm");
        try (RawConnection other = new RawConnection(proxy);
                Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
            client.getOutputStream().write(Http2Frame.PREFACE);
            client.getOutputStream().write(Http2Frame.settings().bytes());
            client.getOutputStream().write(begin);
            assertThat(sendUntilClosed(client, next)).isLessThan(MAX_FRAMES);
            await().until(() -> proxy.gauge(Meter.HTTP2_CONNECTIONS) == 0);
            assertThat(proxy.http2Errors("enhance_your_calm")).isEqualTo(before + 1);
            await().until(() -> proxy.gauge(Meter.BYTES_IN_FLIGHT) == 0);
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
        Http2Frame frame = Http2Frame.read(in);
        if (frame.type() == Http2Frame.GOAWAY) {
            assertThat(frame.code()).isEqualTo(ENHANCE_YOUR_CALM);
            return true;
        }
        return false;
    }
}
