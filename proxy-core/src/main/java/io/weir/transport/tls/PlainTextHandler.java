package io.weir.transport.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import io.weir.metrics.EnumCounters;
import io.weir.transport.request.LingeringCloseHandler;
import io.weir.transport.tls.TlsPipeline.Outcome;

/** Tells clients without TLS, by their first byte, that the port speaks TLS only, and closes. Confined to its event loop. */
final class PlainTextHandler extends ChannelInboundHandlerAdapter {

    /** The first byte of every handshake. */
    private static final byte HANDSHAKE_RECORD = 22;

    private static final String REASON = "TLS: missing (expected: https:// or wss:// on this port)\n";

    private static final ByteBuf ANSWER = Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(
                    ("HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: "
                                    + REASON.length() + "\r\nConnection: close\r\n\r\n" + REASON)
                            .getBytes(US_ASCII))
            .asReadOnly());

    private final EnumCounters<Outcome> outcomes;

    PlainTextHandler(EnumCounters<Outcome> outcomes) {
        this.outcomes = outcomes;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (!(message instanceof ByteBuf bytes) || !bytes.isReadable()) {
            ReferenceCountUtil.release(message);
            return;
        }
        byte first = bytes.getByte(bytes.readerIndex());
        if (first == HANDSHAKE_RECORD) {
            ctx.fireChannelRead(message);
            ctx.pipeline().remove(this);
            return;
        }
        bytes.release();
        outcomes.count(Outcome.PLAIN);
        ctx.pipeline().remove(HandshakeHandler.class);
        if (Character.isUpperCase(first)) {
            ctx.writeAndFlush(ANSWER.duplicate()).addListener(written -> LingeringCloseHandler.close(ctx));
        } else {
            ctx.close();
        }
    }
}
