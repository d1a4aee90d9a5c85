package io.weir.upstream.link;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.weir.jsonrpc.RequestWriter;
import io.weir.limit.Budget;
import io.weir.metrics.Meters;
import io.weir.upstream.Attempt;
import io.weir.upstream.NodeClient.NodeSubscription;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.link.Handshake.AnswerDecoder;
import io.weir.upstream.link.NodeConnector.HostResolvers;
import io.weir.upstream.link.WebSocketConnectionHandler.ReconnectPause;
import io.weir.upstream.link.WebSocketConnectionHandler.WebSocketCodec;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Whatever bytes a node sends over a WebSocket, each call has one outcome, nothing is thrown and nothing leaks. */
class WebSocketConnectionFuzzTest {

    private static final int MAX_BYTES = 1 << 14;

    @FuzzTest(maxDuration = "15s")
    void callsEndOnceWhateverTheNodeSends(byte[] text) {
        if (text.length <= MAX_BYTES) {
            end(text, text.length);
            // In two pieces, so that every state of the decoder sees an end of its input.
            end(text, text.length / 2);
        }
    }

    private static void end(byte[] text, int first) {
        NodeAddress address = NodeAddress.ofWebSocket(URI.create("ws://node.test"));
        Budget bytes = new Budget(4 * MAX_BYTES);
        EmbeddedChannel channel = new EmbeddedChannel(new AnswerDecoder(MAX_BYTES / 2, bytes.reserve()));
        List<NodeOutcome> ones = new ArrayList<>();
        List<NodeOutcome> twos = new ArrayList<>();
        try (NodeConnector connector =
                new NodeConnector(address, null, NioSocketChannel.class, 1_000, HostResolvers.ofSystem())) {
            WebSocketConnectionHandler handler = handler(channel, connector, address, bytes, null);
            channel.pipeline().addLast(handler);
            handler.ready(channel);
            send(handler, 1, ones::add);
            send(handler, 2, twos::add);
            ByteBuf one = Unpooled.buffer().writeBytes(text, 0, first);
            ByteBuf two = Unpooled.buffer().writeBytes(text, first, text.length - first);
            channel.writeInbound(one);
            if (channel.isOpen()) {
                channel.writeInbound(two);
            } else {
                two.release();
            }
            channel.close();
            channel.checkException();
            assertThat(one.refCnt() + two.refCnt()).as("references").isZero();
        } finally {
            channel.finishAndReleaseAll();
        }
        assertThat(bytes.taken()).isZero();
        assertThat(ones).hasSize(1);
        assertThat(twos).hasSize(1);
        AnsweredCall.assertStandsInAnEnvelope(ones.get(0));
        AnsweredCall.assertStandsInAnEnvelope(twos.get(0));
    }

    /** Returns a handler of calls that the test sends. */
    static WebSocketConnectionHandler handler(
            EmbeddedChannel channel,
            NodeConnector connector,
            NodeAddress address,
            Budget bytes,
            NodeSubscription.@Nullable Listener listener) {
        Meters meters = new Meters(new MetricRegistry());
        WebSocketCodec codec = new WebSocketCodec(
                new Handshake(address, Map.of()),
                new ReconnectPause(System::nanoTime, bound -> 0),
                CallsInFlight.Unsolicited.counters(meters, "net", "node"));
        LinkLimits limits = new LinkLimits(
                1,
                2,
                1,
                60_000,
                60_000,
                60_000,
                MAX_BYTES / 2,
                Integer.MAX_VALUE,
                Long.MAX_VALUE,
                bytes,
                new StreamLimit(1, meters));
        Link link = new Link(channel.eventLoop(), connector, codec, limits, true, () -> null);
        if (listener != null) {
            link.subscribe(listener);
        }
        return new WebSocketConnectionHandler(link, codec);
    }

    /** Sends a call over a connection. */
    static void send(NodeConnectionHandler handler, long id, Consumer<NodeOutcome> taker) {
        Attempt attempt = Attempt.of(taker);
        attempt.setCall(AnsweredCall.CALL);
        handler.send(attempt, id, attempt.write(new RequestWriter(), () -> id));
    }
}
