package io.weir.upstream.link;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.DecoderException;
import io.weir.jsonrpc.RawJson;
import io.weir.limit.Budget;
import io.weir.testing.NoLeaks;
import io.weir.upstream.NodeClient.NodeSubscription;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.link.Handshake.AnswerDecoder;
import io.weir.upstream.link.NodeConnector.HostResolvers;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever fails while messages arrive, calls in flight end once, and the node is at fault only for what it did. */
@NoLeaks
class WebSocketConnectionFailureTest implements NodeSubscription.Listener {

    private static final int MAX_BYTES = 1 << 14;
    private static final int LAST_TEXT_FRAME = 0x81;

    private final NodeAddress address = NodeAddress.ofWebSocket(URI.create("ws://node.test"));
    private final Budget bytes = new Budget(4 * MAX_BYTES);
    private final EmbeddedChannel channel = new EmbeddedChannel(new AnswerDecoder(MAX_BYTES, bytes.reserve()));
    private final NodeConnector connector =
            new NodeConnector(address, null, NioSocketChannel.class, 1_000, HostResolvers.ofSystem());
    private final List<NodeOutcome> outcomes = new ArrayList<>();
    private int gone;

    @BeforeEach
    void send() {
        WebSocketConnectionHandler handler =
                WebSocketConnectionFuzzTest.handler(channel, connector, address, bytes, this);
        channel.pipeline().addLast(handler);
        handler.ready(channel);
        WebSocketConnectionFuzzTest.send(handler, 1, outcomes::add);
        WebSocketConnectionFuzzTest.send(handler, 2, outcomes::add);
    }

    @Override
    public void notified(RawJson message) {
        throw new IllegalStateException("of this test");
    }

    @Override
    public void ended() {
        gone++;
    }

    @AfterEach
    void everythingIsGivenBack() {
        channel.finishAndReleaseAll();
        connector.close();
        assertThat(channel.isOpen()).isFalse();
        assertThat(gone).isOne();
        assertThat(bytes.taken()).isZero();
    }

    private void failAtARead(Exception failure) {
        channel.pipeline().addFirst(new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
                throw failure;
            }
        });
        channel.writeInbound(Unpooled.EMPTY_BUFFER);
    }

    private void receive(String message) {
        byte[] text = message.getBytes(UTF_8);
        channel.writeInbound(Unpooled.buffer()
                .writeByte(LAST_TEXT_FRAME)
                .writeByte(text.length)
                .writeBytes(text));
    }

    private void assertBothEndWith(Fault fault) {
        assertThat(outcomes).hasSize(2).allMatch(outcome -> ((Failed) outcome).fault() == fault);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void aMessageThatTheProxyFailsToTakeIsNotTakenForABrokenConnection() {
        receive("{\"jsonrpc\":\"2.0\",\"method\":\"eth_subscription\",\"params\":{}}");
        assertBothEndWith(Fault.INTERNAL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", " {", "\t\r\n {\"id\":"})
    void aDamagedAnswerIsMalformedWhateverSpaceIsBeforeIt(String message) {
        receive(message);
        assertThat(outcomes)
                .extracting(outcome -> ((Failed) outcome).fault())
                .containsExactly(Fault.BAD_ANSWER, Fault.INTERRUPTED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "keepalive", " keepalive", "keepalive {", "\u00a0{"})
    void aTextThatBeginsNoObjectEndsNoCall(String message) {
        receive(message);
        assertThat(outcomes).isEmpty();
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void aFailureOfADecoderIsNotTakenForABrokenConnection() {
        failAtARead(new DecoderException(new IllegalStateException("of this test")));
        assertBothEndWith(Fault.INTERNAL);
    }

    @Test
    void aResetIsABrokenConnection() {
        failAtARead(new IOException("of this test"));
        assertBothEndWith(Fault.DISCONNECTED);
    }

    @Test
    void aBrokenTlsRecordIsABrokenConnection() {
        failAtARead(new DecoderException(new SSLException("of this test")));
        assertBothEndWith(Fault.DISCONNECTED);
    }
}
