package io.weir.upstream.link;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.DecoderException;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RequestWriter;
import io.weir.limit.Budget;
import io.weir.limit.Reservation;
import io.weir.metrics.Meters;
import io.weir.testing.NoLeaks;
import io.weir.upstream.Attempt;
import io.weir.upstream.CallCause;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.ResultStream;
import io.weir.upstream.link.HttpConnectionHandler.HttpCodec;
import io.weir.upstream.link.NodeConnector.HostResolvers;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whatever fails while an answer arrives, its call ends once, and all that it held is given back. */
@NoLeaks
class HttpConnectionFailureTest implements ResultStream.Receiver {

    private static final String START = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":[";
    private static final int ELEMENTS = 100_000;

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final Budget bytes = new Budget(16 << 20);
    private final StreamLimit streams = new StreamLimit(1, new Meters(new MetricRegistry()));
    private final NodeAddress address = NodeAddress.ofHttp(URI.create("http://node.test"));
    private final HttpCodec codec = HttpCodec.of(address, Map.of(), false);
    private final NodeConnector connector =
            new NodeConnector(address, null, NioSocketChannel.class, 1_000, HostResolvers.ofSystem());
    private final Link link = new Link(
            channel.eventLoop(),
            connector,
            codec,
            new LinkLimits(1, 1, 1, 60_000, 60_000, 60_000, 1 << 22, 1 << 10, Long.MAX_VALUE, bytes, streams),
            true,
            () -> null);
    private final HttpConnectionHandler handler = new HttpConnectionHandler(link, codec);
    private final List<NodeOutcome> outcomes = new ArrayList<>();

    private @Nullable ResultStream stream;
    private @Nullable Boolean whole;
    private boolean failsToTake;
    private boolean failsAtTheEnd;
    private boolean givenUp;

    /** A call that takes its result while it arrives. */
    private final class StreamTaker implements Attempt.Taker {

        @Override
        public boolean needsWhole() {
            return false;
        }

        @Override
        public boolean takesStream(Attempt attempt, ResultStream result) {
            stream = result;
            result.carriedBy(attempt);
            result.begin(HttpConnectionFailureTest.this);
            return true;
        }

        @Override
        public void ended(Attempt attempt, NodeOutcome outcome, boolean isStreamed) {
            outcomes.add(outcome);
        }
    }

    @Override
    public void take(ByteBuf piece) {
        piece.release();
        failIf(failsToTake);
    }

    @Override
    public void flush() {}

    @Override
    public void ended(boolean isWhole) {
        whole = isWhole;
        failIf(failsAtTheEnd);
        if (stream != null) {
            stream.close();
        }
    }

    private static void failIf(boolean fails) {
        if (fails) {
            throw new IllegalStateException("of this test");
        }
    }

    /** A request whose answer the proxy fails to read. */
    private static final class UnreadableBatch implements Attempt.Batch {

        @Override
        public RawJson write(RequestWriter writer, LongSupplier ids) {
            return writer.write(ids.getAsLong(), AnsweredCall.CALL.method(), AnsweredCall.CALL.params());
        }

        @Override
        public NodeOutcome read(int status, byte[] body, int length, @Nullable Failed verdict) {
            throw new IllegalStateException("of this test");
        }
    }

    private void send(Attempt attempt) {
        handler.addTo(channel.pipeline());
        handler.ready(channel);
        attempt.cancelledBy(cancelled -> {
            givenUp = true;
            handler.discardAnswer(cancelled, ReplyVerdict.failed(Fault.CLOSED, Executed.MAYBE, "given up"));
        });
        handler.send(attempt, 1, attempt.write(new RequestWriter(), () -> 1));
    }

    private void send() {
        Attempt attempt = Attempt.of(CallCause.OTHER, "caller", new StreamTaker());
        attempt.setCall(AnsweredCall.CALL);
        send(attempt);
    }

    /** The beginning of a large result. */
    private void receiveBeginning() {
        String head = "HTTP/1.1 200 OK\r\nContent-Length: " + (START.length() + 2 * ELEMENTS + 3) + "\r\n\r\n";
        receive(head + START + "1,".repeat(ELEMENTS / 2));
    }

    private void receiveRest() {
        receive("1,".repeat(ELEMENTS / 2) + "1]}");
    }

    private void receive(String text) {
        channel.writeInbound(Unpooled.copiedBuffer(text, US_ASCII));
    }

    @AfterEach
    void everythingIsGivenBack() {
        channel.finishAndReleaseAll();
        connector.close();
        assertThat(bytes.taken()).isZero();
        try (Reservation place = streams.open("test")) {
            assertThat(place).as("place of a stream").isNotNull();
        }
        assertThat(handler.calls()).isZero();
    }

    private Fault fault() {
        assertThat(outcomes).hasSize(1);
        return ((Failed) outcomes.get(0)).fault();
    }

    @Test
    void aCallEndsWithItsConnectionEvenIfItsClientFailsAtThat() {
        failsAtTheEnd = true;
        send();
        receiveBeginning();
        channel.close();
        assertThat(whole).isFalse();
        assertThat(fault()).isEqualTo(Fault.DISCONNECTED);
    }

    @Test
    void aClientThatCannotTakeAPieceGivesUpTheAnswerAndTheNodeIsNotAtFault() {
        failsToTake = true;
        send();
        receiveBeginning();
        assertThat(whole).isFalse();
        assertThat(givenUp).isTrue();
        assertThat(outcomes).isEmpty();
    }

    @Test
    void anAnswerThatTheProxyFailsToReadEndsItsCallAndItsClient() {
        Attempt attempt = Attempt.of(CallCause.OTHER, "caller", new StreamTaker());
        attempt.setBatch(new UnreadableBatch());
        send(attempt);
        receiveBeginning();
        receiveRest();
        assertThat(whole).isFalse();
        assertThat(fault()).isEqualTo(Fault.INTERNAL);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void aSmallAnswerThatTheProxyFailsToReadGivesBackItsBytes() {
        Attempt attempt = Attempt.of(CallCause.OTHER, "caller", new StreamTaker());
        attempt.setBatch(new UnreadableBatch());
        send(attempt);
        receive("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
        assertThat(fault()).isEqualTo(Fault.INTERNAL);
    }

    @Test
    void aFailureOfTheProxyIsNotTakenForABrokenConnection() {
        send();
        channel.pipeline().fireExceptionCaught(new IllegalStateException("of this test"));
        assertThat(fault()).isEqualTo(Fault.INTERNAL);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void aResultBeyondTheBoundOnStreamsIsCollectedWhole() {
        try (Reservation place = streams.open("another")) {
            assertThat(place).isNotNull();
            send();
            receiveBeginning();
            receiveRest();
        }
        assertThat(stream).isNull();
        assertThat(outcomes).hasSize(1);
        assertThat(outcomes.get(0)).isNotInstanceOf(Failed.class);
    }

    @Test
    void aResetIsABrokenConnection() {
        send();
        channel.pipeline().fireExceptionCaught(new IOException("of this test"));
        assertThat(fault()).isEqualTo(Fault.DISCONNECTED);
    }

    @Test
    void aBrokenTlsRecordIsABrokenConnection() {
        send();
        channel.pipeline().fireExceptionCaught(new DecoderException(new SSLException("of this test")));
        assertThat(fault()).isEqualTo(Fault.DISCONNECTED);
    }
}
