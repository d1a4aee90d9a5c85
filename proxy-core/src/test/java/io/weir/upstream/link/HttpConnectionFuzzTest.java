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
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.link.HttpConnectionHandler.HttpCodec;
import io.weir.upstream.link.NodeConnector.HostResolvers;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Whatever bytes a node sends over HTTP, the call has one outcome, nothing is thrown and nothing leaks. */
class HttpConnectionFuzzTest {

    private static final int MAX_BYTES = 1 << 14;

    @FuzzTest(maxDuration = "15s")
    void aCallEndsOnceWhateverTheNodeSends(byte[] text) {
        if (text.length <= MAX_BYTES) {
            end(text, text.length);
            // In two pieces, so that every state of the decoder sees an end of its input.
            end(text, text.length / 2);
        }
    }

    private static void end(byte[] text, int first) {
        NodeAddress address = NodeAddress.ofHttp(URI.create("http://node.test"));
        Budget bytes = new Budget(16L * MAX_BYTES);
        EmbeddedChannel channel = new EmbeddedChannel();
        List<NodeOutcome> outcomes = new ArrayList<>();
        try (NodeConnector connector =
                new NodeConnector(address, null, NioSocketChannel.class, 1_000, HostResolvers.ofSystem())) {
            HttpCodec codec = HttpCodec.of(address, Map.of(), true);
            Link link = new Link(
                    channel.eventLoop(),
                    connector,
                    codec,
                    new LinkLimits(
                            1,
                            1,
                            1,
                            60_000,
                            60_000,
                            60_000,
                            MAX_BYTES / 2,
                            Integer.MAX_VALUE,
                            Long.MAX_VALUE,
                            bytes,
                            new StreamLimit(0, new Meters(new MetricRegistry()))),
                    true,
                    () -> null);
            HttpConnectionHandler handler = new HttpConnectionHandler(link, codec);
            handler.addTo(channel.pipeline());
            handler.ready(channel);
            Attempt attempt = Attempt.of(outcomes::add);
            attempt.setCall(AnsweredCall.CALL);
            handler.send(attempt, 1, attempt.write(new RequestWriter(), () -> 1));
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
        assertThat(outcomes).hasSize(1);
        AnsweredCall.assertStandsInAnEnvelope(outcomes.get(0));
    }
}
