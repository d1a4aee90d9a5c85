package io.weir.upstream.ws;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.DecoderException;
import io.weir.limit.Budget;
import io.weir.testing.NoLeaks;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.wire.AnsweredCall;
import io.weir.upstream.wire.Attempt;
import io.weir.upstream.wire.BodyCollector;
import io.weir.upstream.wire.NodeAddress;
import io.weir.upstream.wire.NodeConnector;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whatever fails while messages arrive, calls in flight end once, and the node is at fault only for what it did. */
@NoLeaks
class NodeSocketFailureTest implements LoopSocket.Notifications {

    private static final int MAX_BYTES = 1 << 14;
    private static final int LAST_TEXT_FRAME = 0x81;

    private final NodeAddress address = NodeAddress.ofWebSocket(URI.create("ws://node.test"));
    private final Budget bytes = new Budget(4 * MAX_BYTES);
    private final EmbeddedChannel channel = new EmbeddedChannel(new AnswerDecoder(MAX_BYTES, bytes.reserve()));
    private final NodeConnector connector = new NodeConnector(address, null, NioSocketChannel.class, 1_000);
    private final List<NodeOutcome> outcomes = new ArrayList<>();
    private int gone;

    @BeforeEach
    void send() {
        LoopSocket owner = NodeSocketFuzzTest.owner(channel, connector, address, bytes);
        owner.listen(this);
        NodeSocketHandler handler = new NodeSocketHandler(owner);
        channel.pipeline().addLast(handler);
        handler.ready(channel);
        handler.send(new Attempt<>(AnsweredCall.CALL, outcomes::add));
        handler.send(new Attempt<>(AnsweredCall.CALL, outcomes::add));
    }

    @Override
    public void notified(BodyCollector message) {
        throw new IllegalStateException("of this test");
    }

    @Override
    public void gone() {
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

    private void assertBothEndWith(Fault fault) {
        assertThat(outcomes).hasSize(2).allMatch(outcome -> ((Failed) outcome).fault() == fault);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void aMessageThatTheProxyFailsToTakeIsNotTakenForABrokenConnection() {
        byte[] text = "{\"jsonrpc\":\"2.0\",\"method\":\"eth_subscription\",\"params\":{}}".getBytes(US_ASCII);
        channel.writeInbound(Unpooled.buffer()
                .writeByte(LAST_TEXT_FRAME)
                .writeByte(text.length)
                .writeBytes(text));
        assertBothEndWith(Fault.INTERNAL);
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
