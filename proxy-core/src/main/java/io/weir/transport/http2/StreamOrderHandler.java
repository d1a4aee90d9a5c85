package io.weir.transport.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.netty.handler.codec.http2.Http2Stream;
import io.weir.transport.http1.RequestHeadAccount;

/**
 * Checks, in front of Netty's decoder, that requests begin in the order of their streams, and that none begins on a stream that has
 * ended. RFC 9113 asks for an error that Netty does not send. It also counts what the decoder holds of unfinished frames and fields.
 * Confined to its event loop.
 */
final class StreamOrderHandler extends ChannelInboundHandlerAdapter {

    private static final int PREFACE_BYTES = 24;
    private static final int LENGTH_BYTES = 3;
    private static final int TYPE_END = 4;
    private static final int FLAGS_END = 5;
    private static final int HEAD_BYTES = 9;

    private final Http2FrameCodec codec;
    private final ConnectionFaults faults;
    private final RequestHeadAccount account;
    private final Runnable overload;
    private final FrameBytes held = new FrameBytes();

    /** The bytes before the next head of a frame. */
    private int skipped = PREFACE_BYTES;

    /** The bytes of a head that have arrived, and its parts. */
    private int headBytes;

    private int length;
    private int type;
    private int flags;
    private int id;

    /** The last stream with a request, and the newest range of streams that the client has left out. */
    private int last;

    private int gapBegin;
    private int gapEnd;
    private boolean ended;

    /**
     * @param account counts what the decoder holds; closed with the connection
     * @param overload runs if that is too much
     */
    StreamOrderHandler(Http2FrameCodec codec, ConnectionFaults faults, RequestHeadAccount account, Runnable overload) {
        this.codec = codec;
        this.faults = faults;
        this.account = account;
        this.overload = overload;
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
        boolean counted = ended || count(bytes.capacity());
        if (ended) {
            bytes.release();
        } else {
            ctx.fireChannelRead(bytes);
        }
        if (!counted && !ended && !ctx.isRemoved()) {
            end(ctx, Http2Error.ENHANCE_YOUR_CALM, "fields: unfinished, and too many of one address");
            overload.run();
        }
    }

    /**
     * Counts what the decoder holds after a read.
     *
     * @param readBytes the size of the buffer of this read, which the decoder keeps for as little as one byte
     * @return false if that is too much for the client's address
     */
    private boolean count(int readBytes) {
        if (skipped == 0) {
            held.end();
        }
        int unfinished = skipped == 0 && headBytes == 0 ? 0 : readBytes;
        return held.isOfBody() ? account.set(held.block(), 0, unfinished) : account.set(held.block(), unfinished, 0);
    }

    /** Adds a byte of the head of a frame. Returns whether it is the last one. */
    private boolean endsHead(int next) {
        if (headBytes < LENGTH_BYTES) {
            length = length << Byte.SIZE | next;
        } else if (headBytes < TYPE_END) {
            type = next;
        } else if (headBytes < FLAGS_END) {
            flags = next;
        } else {
            id = id << Byte.SIZE | next;
        }
        return ++headBytes == HEAD_BYTES;
    }

    private void look(ChannelHandlerContext ctx, ByteBuf bytes, int headAt) {
        int stream = id & Integer.MAX_VALUE;
        held.begin(type, flags, length);
        if (type == Http2FrameTypes.RST_STREAM) {
            faults.addReceived(stream);
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
        } else if (known == null && !faults.isReset(stream)) {
            boolean leftOut = stream > gapBegin && stream < gapEnd;
            end(
                    ctx,
                    leftOut ? Http2Error.PROTOCOL_ERROR : Http2Error.STREAM_CLOSED,
                    "stream: has ended, or was left out");
        }
    }

    /** Ends the connection with an error. */
    private void end(ChannelHandlerContext ctx, Http2Error code, String words) {
        ended = true;
        codec.onError(codecContext(ctx), false, Http2Exception.connectionError(code, words));
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        account.close();
    }

    private ChannelHandlerContext codecContext(ChannelHandlerContext ctx) {
        return ctx.pipeline().context(codec);
    }

    /** The bytes of a connection that its decoder holds: those of an unfinished frame, and of fields without end. Confined to its event loop. */
    private static final class FrameBytes {

        private static final int END_HEADERS = 4;

        private int type;
        private int length;
        private boolean lastOfBlock;
        private boolean open;

        /** The bytes of whole frames of fields, the last of which is still to come. */
        private long block;

        /** Begins a frame, whose head has arrived. The one before is whole. */
        void begin(int frameType, int flags, int bytes) {
            end();
            type = frameType;
            lastOfBlock = (flags & END_HEADERS) != 0;
            length = bytes;
            open = true;
        }

        /** Ends a frame that has arrived whole. */
        void end() {
            if (open && isOfBlock()) {
                block = lastOfBlock ? 0 : block + length;
            }
            open = false;
        }

        /** Returns whether the frame that is arriving belongs to a body. */
        boolean isOfBody() {
            return open && type == Http2FrameTypes.DATA;
        }

        /** Returns the bytes of fields without end, but for those of the frame that is arriving. */
        long block() {
            return block;
        }

        private boolean isOfBlock() {
            return type == Http2FrameTypes.HEADERS || type == Http2FrameTypes.CONTINUATION;
        }
    }
}
