package io.weir.transport.http2;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.DecoratingHttp2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2LifecycleManager;
import io.netty.handler.codec.http2.Http2Settings;
import org.jspecify.annotations.Nullable;

/**
 * The builder of a codec that resets each stream once, however much of it was under way, and counts the errors that it finds while it
 * writes. It bounds the streams that the client lets the proxy reset. Confined to its event loop.
 */
final class CodecBuilder extends Http2FrameCodecBuilder {

    private final ResetStreams resets;
    private final ConnectionErrors errors;
    private final ResetWindow bound;

    CodecBuilder(ResetStreams resets, ConnectionErrors errors, ResetWindow bound) {
        this.resets = resets;
        this.errors = errors;
        this.bound = bound;
        server(true);
        // Netty's own bound counts failures of the proxy and of nodes too.
        encoderEnforceMaxRstFramesPerWindow(0, 0);
    }

    @Override
    protected Http2FrameCodec build(
            Http2ConnectionDecoder decoder, Http2ConnectionEncoder encoder, Http2Settings initialSettings) {
        return super.build(decoder, new Encoder(encoder, resets, errors, bound), initialSettings);
    }

    /** The encoder that Netty asks to reset a stream again for each of its late frames. Confined to its event loop. */
    private static final class Encoder extends DecoratingHttp2ConnectionEncoder {

        private final ResetStreams resets;
        private final ConnectionErrors errors;
        private final ResetWindow bound;
        private @Nullable Http2LifecycleManager watched;

        Encoder(Http2ConnectionEncoder encoder, ResetStreams resets, ConnectionErrors errors, ResetWindow bound) {
            super(encoder);
            this.resets = resets;
            this.errors = errors;
            this.bound = bound;
        }

        @Override
        public void lifecycleManager(Http2LifecycleManager connection) {
            watched = new ErrorWatch(connection, errors);
            super.lifecycleManager(watched);
        }

        @Override
        public ChannelFuture writeRstStream(
                ChannelHandlerContext ctx, int streamId, long errorCode, ChannelPromise promise) {
            if (connection().stream(streamId) == null) {
                if (resets.isSent(streamId)) {
                    return promise.setSuccess();
                }
                create(streamId);
            }
            ChannelFuture written = super.writeRstStream(ctx, streamId, errorCode, promise);
            if (isOfClient(errorCode) && !bound.admits() && watched != null) {
                watched.onError(
                        ctx,
                        true,
                        Http2Exception.connectionError(Http2Error.ENHANCE_YOUR_CALM, "streams: too many were reset"));
                ctx.close();
            }
            return written;
        }

        /** Returns whether a stream is reset for what its client sent, and not for a failure of the proxy or of a node, or a slow reader. */
        private static boolean isOfClient(long errorCode) {
            return errorCode != Http2Error.INTERNAL_ERROR.code()
                    && errorCode != Http2Error.CANCEL.code()
                    && errorCode != Http2Error.NO_ERROR.code();
        }

        /**
         * Creates the stream of a request that Netty found malformed, or one too many, before it created the stream. Otherwise it would take
         * the rest of the request for an error of the connection.
         */
        private void create(int streamId) {
            Http2Connection.Endpoint<?> client = connection().remote();
            if (!client.isValidStreamId(streamId) || connection().streamMayHaveExisted(streamId)) {
                return;
            }
            int max = client.maxActiveStreams();
            client.maxActiveStreams(Integer.MAX_VALUE);
            try {
                client.createStream(streamId, false);
            } catch (Http2Exception e) {
                // It came after the last stream that the client was told of: Netty drops all of its frames.
            } finally {
                client.maxActiveStreams(max);
            }
        }
    }
}
