package io.weir.transport.http2;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.DecoratingHttp2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Settings;

/** The builder of a codec that resets each stream once, however much of it was under way. Confined to its event loop. */
final class CodecBuilder extends Http2FrameCodecBuilder {

    private final ResetStreams resets;

    CodecBuilder(ResetStreams resets) {
        this.resets = resets;
        server(true);
    }

    @Override
    protected Http2FrameCodec build(
            Http2ConnectionDecoder decoder, Http2ConnectionEncoder encoder, Http2Settings initialSettings) {
        return super.build(decoder, new Encoder(encoder, resets), initialSettings);
    }

    /** The encoder that Netty asks to reset a stream again for each of its late frames. Confined to its event loop. */
    private static final class Encoder extends DecoratingHttp2ConnectionEncoder {

        private final ResetStreams resets;

        Encoder(Http2ConnectionEncoder encoder, ResetStreams resets) {
            super(encoder);
            this.resets = resets;
        }

        @Override
        public ChannelFuture writeRstStream(
                ChannelHandlerContext ctx, int streamId, long errorCode, ChannelPromise promise) {
            if (connection().stream(streamId) == null && resets.isSent(streamId)) {
                return promise.setSuccess();
            }
            return super.writeRstStream(ctx, streamId, errorCode, promise);
        }
    }
}
