package io.weir.transport.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SniHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.weir.metrics.EnumCounters;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.tls.ServerCertificates;
import io.weir.transport.request.LingeringCloseHandler;
import java.util.function.Consumer;

/** The handlers of TLS in front of a connection's protocol, in order. Thread-safe; one for a listener. */
public final class TlsPipeline {

    /** The largest hello of a client: several times that of today's browsers with post-quantum keys. */
    private static final int MAX_HELLO_BYTES = 1 << 14;

    private final ServerCertificates certificates;
    private final EnumCounters<Outcome> outcomes;

    /** The outcome of a handshake. */
    enum Outcome {
        /** The connection is secured. */
        OK,
        /** The client does not speak TLS. */
        PLAIN,
        /** The handshake took too long. */
        TIMEOUT,
        /** The client has left. */
        CLOSED,
        /** The sides do not agree on versions, ciphers or certificates. */
        FAILED
    }

    /**
     * Creates the shared parts of the handlers.
     *
     * @param listener the listener's name in meters
     */
    public TlsPipeline(ServerCertificates certificates, Meters meters, String listener) {
        this.certificates = certificates;
        this.outcomes = new EnumCounters<>(meters, Meter.TLS_HANDSHAKES, Outcome.class, listener);
    }

    /**
     * Adds the handlers to a new connection's pipeline.
     *
     * @param protocol adds the handlers of the protocol, once the handshake is over
     */
    public void install(ChannelPipeline pipeline, Consumer<ChannelPipeline> protocol) {
        pipeline.addLast(new PlainTextHandler(outcomes))
                .addLast(new ServerNameHandler(certificates))
                .addLast(new HandshakeHandler(outcomes, secured -> {
                    secured.addLast(new AnswerChunkHandler());
                    protocol.accept(secured);
                }));
    }

    /** Chooses the certificate by the client's hello. {@link HandshakeHandler} bounds the time of the whole handshake. */
    private static final class ServerNameHandler extends SniHandler {

        ServerNameHandler(ServerCertificates certificates) {
            super(certificates, MAX_HELLO_BYTES, 0);
        }

        @Override
        protected SslHandler newSslHandler(SslContext context, ByteBufAllocator allocator) {
            SslHandler handler = super.newSslHandler(context, allocator);
            handler.setHandshakeTimeoutMillis(0);
            return handler;
        }
    }

    /** Tells clients without TLS, by their first byte, that the port speaks TLS only, and closes. Confined to its event loop. */
    private static final class PlainTextHandler extends ChannelInboundHandlerAdapter {

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
}
