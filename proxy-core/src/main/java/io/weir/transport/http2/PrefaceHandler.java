package io.weir.transport.http2;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.weir.transport.http.HttpPipeline;
import io.weir.transport.request.ReadPauseHandler;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the first bytes of a connection, in front of the handlers of HTTP/1.1, and replaces those if the client begins with HTTP/2.
 * It then removes itself. Confined to its event loop.
 */
public final class PrefaceHandler extends ChannelInboundHandlerAdapter {

    /** The method of the preface of HTTP/2, which no request of HTTP/1.1 has. */
    private static final ByteBuf METHOD = Unpooled.unreleasableBuffer(
            Unpooled.wrappedBuffer("PRI ".getBytes(US_ASCII)).asReadOnly());

    private final Http2Pipeline http2;

    /** Fewer bytes than tell; null if none. */
    private @Nullable ByteBuf begun;

    public PrefaceHandler(Http2Pipeline http2) {
        this.http2 = http2;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        if (begun != null) {
            bytes = Unpooled.wrappedBuffer(begun, bytes);
            begun = null;
        }
        int compared = Math.min(METHOD.readableBytes(), bytes.readableBytes());
        boolean preface = ByteBufUtil.equals(bytes, bytes.readerIndex(), METHOD, 0, compared);
        if (preface && compared < METHOD.readableBytes()) {
            begun = bytes;
            return;
        }
        ChannelPipeline pipeline = ctx.pipeline();
        if (preface) {
            HttpPipeline.remove(pipeline);
            pipeline.remove(ReadPauseHandler.class);
            http2.install(pipeline);
        }
        pipeline.remove(this);
        ctx.fireChannelRead(bytes);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        if (begun != null) {
            begun.release();
            begun = null;
        }
    }
}
