package io.weir.transport.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SniHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.weir.metrics.EnumCounters;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.tls.ServerCertificates;
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
}
