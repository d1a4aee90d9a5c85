package io.weir.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The baseline of {@code PipelineBench.hitOverHttp}: Netty's HTTP codec and aggregator around a constant, and no call at all. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class NettyHttpBench {

    private static final int MAX_BYTES = 1 << 20;
    private static final String CALL = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"eth_getBalance\",\"params\":"
            + "[\"0x00000000219ab540356cbb839cbe05303d7705fa\",\"0x10\"]}";
    private static final String ANSWER = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"0x7\"}";

    private final ByteBuf request = PooledByteBufAllocator.DEFAULT.directBuffer();
    private final EmbeddedChannel connection =
            new EmbeddedChannel(new HttpServerCodec(), new HttpObjectAggregator(MAX_BYTES), new Constant());

    public NettyHttpBench() {
        request.writeCharSequence(
                "POST /v3/demo HTTP/1.1\r\nHost: 127.0.0.1:8545\r\nContent-Type: application/json\r\nContent-Length: "
                        + CALL.length() + "\r\n\r\n" + CALL,
                UTF_8);
    }

    @TearDown
    public void end() {
        request.release();
        connection.finishAndReleaseAll();
    }

    /** From a request's bytes to the answer's. */
    @Benchmark
    public int constant() {
        connection.writeInbound(request.retainedDuplicate());
        int bytes = 0;
        for (ByteBuf part = connection.readOutbound(); part != null; part = connection.readOutbound()) {
            bytes += part.readableBytes();
            part.release();
        }
        return bytes;
    }

    private static final class Constant extends SimpleChannelInboundHandler<FullHttpRequest> {

        private final ByteBuf answer =
                Unpooled.unreleasableBuffer(Unpooled.directBuffer().writeBytes(ANSWER.getBytes(UTF_8)));

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
            FullHttpResponse response =
                    new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, answer.duplicate());
            response.headers()
                    .set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_JSON)
                    .setInt(HttpHeaderNames.CONTENT_LENGTH, answer.readableBytes());
            ctx.writeAndFlush(response, ctx.voidPromise());
        }
    }
}
