package io.weir.transport.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.netty.handler.codec.http2.Http2Stream;

/**
 * Checks, in front of Netty's decoder, that requests begin in the order of their streams, and that none begins on a stream that has
 * ended. RFC 9113 asks for an error that Netty does not send. Confined to its event loop.
 */
final class StreamOrderHandler extends ChannelInboundHandlerAdapter {

    private static final int PREFACE_BYTES = 24;
    private static final int LENGTH_BYTES = 3;
    private static final int FLAGS_END = 5;
    private static final int HEAD_BYTES = 9;

    private final Http2FrameCodec codec;
    private final ResetStreams resets;

    /** The bytes before the next head of a frame. */
    private int skipped = PREFACE_BYTES;

    /** The bytes of a head that have arrived, and its parts. */
    private int headBytes;

    private int length;
    private int type;
    private int id;

    /** The last stream with a request, and the newest range of streams that the client has left out. */
    private int last;

    private int gapBegin;
    private int gapEnd;
    private boolean ended;

    StreamOrderHandler(Http2FrameCodec codec, ResetStreams resets) {
        this.codec = codec;
        this.resets = resets;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        int at = bytes.readerIndex();
        int headAt = at;
        while (at < bytes.writerIndex() && !ended) {
            if (skipped > 0) {
                int passed = Math.min(skipped, bytes.writerIndex() - at);
                skipped -= passed;
                at += passed;
                headAt = at;
            } else if (endsHead(bytes.getUnsignedByte(at++))) {
                look(ctx, bytes, headAt);
                headAt = at;
            }
        }
        if (ended) {
            bytes.release();
        } else {
            ctx.fireChannelRead(bytes);
        }
    }

    /** Adds a byte of the head of a frame. Returns whether it is the last one. */
    private boolean endsHead(int next) {
        if (headBytes < LENGTH_BYTES) {
            length = length << Byte.SIZE | next;
        } else if (headBytes == LENGTH_BYTES) {
            type = next;
        } else if (headBytes >= FLAGS_END) {
            id = id << Byte.SIZE | next;
        }
        return ++headBytes == HEAD_BYTES;
    }

    private void look(ChannelHandlerContext ctx, ByteBuf bytes, int headAt) {
        int stream = id & Integer.MAX_VALUE;
        if (type == Http2FrameTypes.RST_STREAM) {
            resets.addReceived(stream);
        } else if (type == Http2FrameTypes.HEADERS && stream > last) {
            gapBegin = stream > last + 2 ? last : gapBegin;
            gapEnd = stream > last + 2 ? stream : gapEnd;
            last = stream;
        } else if (type == Http2FrameTypes.HEADERS && stream % 2 == 1) {
            // Netty first reads the earlier frames, which may end the stream.
            if (headAt > bytes.readerIndex()) {
                ctx.fireChannelRead(bytes.readRetainedSlice(headAt - bytes.readerIndex()));
            }
            lookAtOld(ctx, stream);
        }
        skipped = length;
        headBytes = 0;
        length = 0;
        id = 0;
    }

    /** Looks at the fields that follow for a stream that was there before. They may only be the trailers of an open one. */
    private void lookAtOld(ChannelHandlerContext ctx, int stream) {
        Http2Stream known = codec.connection().stream(stream);
        if (known != null && !known.state().remoteSideOpen()) {
            codec.encoder()
                    .writeRstStream(codecContext(ctx), stream, Http2Error.STREAM_CLOSED.code(), ctx.newPromise());
        } else if (known == null && !resets.contains(stream)) {
            ended = true;
            boolean leftOut = stream > gapBegin && stream < gapEnd;
            codec.onError(
                    codecContext(ctx),
                    false,
                    Http2Exception.connectionError(
                            leftOut ? Http2Error.PROTOCOL_ERROR : Http2Error.STREAM_CLOSED,
                            "Stream %d has ended, or was left out",
                            stream));
        }
    }

    private ChannelHandlerContext codecContext(ChannelHandlerContext ctx) {
        return ctx.pipeline().context(codec);
    }
}
