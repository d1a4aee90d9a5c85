package io.weir.transport.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SniHandler;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import io.weir.metrics.EnumCounters;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.metrics.OutOfMemory;
import io.weir.tls.ServerCertificates;
import io.weir.transport.request.Drain;
import io.weir.transport.request.LingeringCloseHandler;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** The handlers of TLS in front of a connection's protocol, in order. Thread-safe; one for a listener. */
public final class TlsPipeline {

    /** The largest hello of a client: several times that of today's browsers with post-quantum keys. */
    private static final int MAX_HELLO_BYTES = 1 << 14;

    private final ServerCertificates certificates;
    private final EnumCounters<Outcome> outcomes;

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

    /** @param listener the listener's name in meters */
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
        pipeline.addLast(new PlainTextHandler())
                .addLast(new ServerNameHandler())
                .addLast(new HandshakeHandler(secured -> {
                    secured.addLast(new AnswerChunkHandler());
                    protocol.accept(secured);
                }));
    }

    /** Chooses the certificate by the client's hello. {@link HandshakeHandler} bounds the time of the whole handshake. */
    private final class ServerNameHandler extends SniHandler {

        ServerNameHandler() {
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
    private final class PlainTextHandler extends ChannelInboundHandlerAdapter {

        /** The first byte of every handshake. */
        private static final byte HANDSHAKE_RECORD = 22;

        private static final String REASON = "TLS: missing (expected: https:// or wss:// on this port)\n";

        private static final ByteBuf ANSWER = Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(
                        ("HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: "
                                        + REASON.length() + "\r\nConnection: close\r\n\r\n" + REASON)
                                .getBytes(US_ASCII))
                .asReadOnly());

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

    /**
     * Waits for the end of the TLS handshake, for a bounded time, and then adds the handlers of the protocol. Confined to its
     * event loop.
     */
    private final class HandshakeHandler extends ChannelInboundHandlerAdapter {

        /** The time from the start of a connection to the end of its handshake: several round trips around the world. */
        private static final long TIMEOUT_SECONDS = 10;

        private final Consumer<ChannelPipeline> protocol;
        private @Nullable Future<?> timer;
        private @Nullable Outcome outcome;

        HandshakeHandler(Consumer<ChannelPipeline> protocol) {
            this.protocol = protocol;
        }

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            timer = ctx.executor().schedule(() -> fail(ctx, Outcome.TIMEOUT), TIMEOUT_SECONDS, TimeUnit.SECONDS);
        }

        @Override
        public void handlerRemoved(ChannelHandlerContext ctx) {
            disarm();
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            if (event instanceof SslHandshakeCompletionEvent completion) {
                if (completion.isSuccess()) {
                    succeed(ctx);
                } else {
                    fail(ctx, completion.cause());
                }
            } else if (event instanceof SslCloseCompletionEvent) {
                // The client reads no answers after its close_notify.
                ctx.close();
            } else if (outcome == Outcome.OK) {
                ctx.fireUserEventTriggered(event);
            } else if (event instanceof ChannelInputShutdownEvent || event instanceof Drain) {
                fail(ctx, Outcome.CLOSED);
            }
        }

        private void succeed(ChannelHandlerContext ctx) {
            if (end(Outcome.OK)) {
                protocol.accept(ctx.pipeline());
                // Only now do the handlers exist that want to know.
                ctx.fireChannelActive();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            OutOfMemory.check(cause);
            if (outcome == Outcome.OK && !(cause instanceof DecoderException)) {
                ctx.fireExceptionCaught(cause);
            } else if (outcome == null) {
                fail(ctx, cause);
            } else {
                // Bytes of the client that are not TLS, or a failure that was counted.
                ctx.close();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            if (outcome == Outcome.OK) {
                ctx.fireChannelInactive();
            } else {
                fail(ctx, Outcome.CLOSED);
            }
        }

        private void fail(ChannelHandlerContext ctx, Throwable cause) {
            fail(ctx, ctx.channel().isActive() && !isReset(cause) ? Outcome.FAILED : Outcome.CLOSED);
        }

        /** Returns whether a failure is one of the socket, and not of TLS. */
        private static boolean isReset(Throwable cause) {
            return cause instanceof IOException && !(cause instanceof SSLException);
        }

        private void fail(ChannelHandlerContext ctx, Outcome failure) {
            if (end(failure)) {
                ctx.close();
            }
        }

        /** Returns false if the handshake has ended before. */
        private boolean end(Outcome end) {
            if (outcome != null) {
                return false;
            }
            outcome = end;
            outcomes.count(end);
            disarm();
            return true;
        }

        private void disarm() {
            if (timer != null) {
                timer.cancel(false);
            }
        }
    }
}
