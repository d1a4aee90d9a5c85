package io.weir.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.NetUtil;
import io.weir.testing.traffic.Http2Connection;
import io.weir.testing.traffic.Http2Frame;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a connection of HTTP/2 holds of unfinished fields and frames: it counts as in flight, and fields for the client's address. */
class Http2HeadBytesTest {

    private static final InetAddress CLIENT = NetUtil.createInetAddressFromIpAddressString("192.0.2.1");
    private static final int ENHANCE_YOUR_CALM = 11;
    private static final byte[] REQUEST = Http2Connection.request("POST", Http2IT.PATH, "x-long", "y".repeat(3000));

    private final ServerBounds bounds = new ServerBounds();

    @BeforeEach
    void boundAddresses() {
        bounds.headBytesPerAddress = 20_000;
    }

    private EmbeddedListener connect() {
        EmbeddedListener client = new EmbeddedListener(bounds, CLIENT, true);
        client.receiveOnly(Http2Frame.PREFACE);
        client.receiveOnly(Http2Frame.settings().bytes());
        return client;
    }

    /** A block without its end. */
    private static Http2Frame begun(byte[] fields) {
        return new Http2Frame(Http2Frame.HEADERS, Http2Frame.NO_FLAGS, 1, fields);
    }

    private static Http2Frame rest(int flags, byte[] fields) {
        return new Http2Frame(Http2Frame.CONTINUATION, flags, 1, fields);
    }

    private static List<Http2Frame> sent(EmbeddedListener client) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(client.sent()));
        List<Http2Frame> frames = new ArrayList<>();
        while (in.available() > 0) {
            frames.add(Http2Frame.read(in));
        }
        return frames;
    }

    @Test
    void fieldsWithoutEndCountUntilTheirEnd() throws IOException {
        try (EmbeddedListener client = connect()) {
            assertThat(client.bytesInFlight()).isZero();
            client.receiveOnly(begun(Arrays.copyOf(REQUEST, 2000)).bytes());
            assertThat(client.bytesInFlight()).isEqualTo(2000);
            assertThat(client.addressesWithHeadBytes()).isEqualTo(1);
            client.receiveOnly(rest(Http2Frame.NO_FLAGS, Arrays.copyOfRange(REQUEST, 2000, 2500))
                    .bytes());
            assertThat(client.bytesInFlight()).isEqualTo(2500);
            // Malformed in the end, which resets the stream.
            byte[] end = Arrays.copyOfRange(REQUEST, 2500, REQUEST.length + 5);
            System.arraycopy(Http2Frame.fields("X", "y"), 0, end, end.length - 5, 5);
            client.receiveOnly(rest(Http2Frame.END_HEADERS, end).bytes());
            assertThat(client.bytesInFlight()).isZero();
            assertThat(client.addressesWithHeadBytes()).isZero();
            assertThat(sent(client))
                    .anySatisfy(frame -> assertThat(frame.type()).isEqualTo(Http2Frame.RST_STREAM));
            assertThat(client.isOpen()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4, 5, 8, 9, 10, 16})
    void aPartOfAFrameCountsForTheAddress(int part) {
        byte[] frame =
                Http2Frame.ping(Http2Frame.NO_FLAGS, new byte[Long.BYTES]).bytes();
        try (EmbeddedListener client = connect()) {
            client.receiveOnly(Arrays.copyOf(frame, part));
            assertThat(client.bytesInFlight()).isGreaterThanOrEqualTo(part);
            assertThat(client.addressesWithHeadBytes()).isEqualTo(1);
            client.receiveOnly(Arrays.copyOfRange(frame, part, frame.length));
            assertThat(client.bytesInFlight()).isZero();
            assertThat(client.addressesWithHeadBytes()).isZero();
        }
    }

    @Test
    void aPartOfABodyCountsAsInFlightOnly() {
        byte[] frame = Http2Frame.data(1, true, new byte[9000]).bytes();
        try (EmbeddedListener client = connect()) {
            client.receiveOnly(Arrays.copyOf(frame, 5000));
            assertThat(client.bytesInFlight()).isGreaterThanOrEqualTo(5000);
            assertThat(client.addressesWithHeadBytes()).isZero();
        }
    }

    @Test
    void anAddressOverItsBoundLosesTheConnection() throws IOException {
        bounds.headBytesPerAddress = 2200;
        try (EmbeddedListener client = connect()) {
            client.receiveOnly(begun(Arrays.copyOf(REQUEST, 2000)).bytes());
            assertThat(client.isOpen()).isTrue();
            client.receiveOnly(rest(Http2Frame.NO_FLAGS, Arrays.copyOfRange(REQUEST, 2000, 2500))
                    .bytes());
            assertThat(client.isOpen()).isFalse();
            assertThat(sent(client)).anySatisfy(frame -> {
                assertThat(frame.type()).isEqualTo(Http2Frame.GOAWAY);
                assertThat(frame.code()).isEqualTo(ENHANCE_YOUR_CALM);
            });
            assertThat(client.refused("overload")).isEqualTo(1);
            assertThat(client.http2Errors("enhance_your_calm")).isEqualTo(1);
        }
    }

    @Test
    void anExhaustedBudgetEndsFieldsWithoutEndButNoFrameThatIsArriving() {
        bounds.bytesInFlight = 1000;
        byte[] frame = Http2Frame.headers(1, false, REQUEST).bytes();
        try (EmbeddedListener client = connect()) {
            client.receiveOnly(Arrays.copyOf(frame, 2000));
            assertThat(client.isOpen()).isTrue();
            assertThat(client.bytesInFlight()).isGreaterThanOrEqualTo(2000);
        }
        try (EmbeddedListener client = connect()) {
            client.receiveOnly(begun(Arrays.copyOf(REQUEST, 2000)).bytes());
            assertThat(client.isOpen()).isFalse();
        }
    }
}
