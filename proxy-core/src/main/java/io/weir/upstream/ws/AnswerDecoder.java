package io.weir.upstream.ws;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.weir.limit.Reservation;
import io.weir.upstream.wire.BodyCollector;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a node's frames, and counts what has arrived of one that is not whole. Of one that is too large, or that there is no
 * room for, the beginning is looked at, where nodes write the id, so that the call it answers is known. Confined to its event
 * loop.
 */
final class AnswerDecoder extends WebSocket13FrameDecoder {

    private static final int MAX_FRAME_HEAD = 14;
    private static final int LOOKED_AT = 128;
    private static final Pattern ID =
            Pattern.compile("\\{\\s*(?:\"jsonrpc\"\\s*:\\s*\"2\\.0\"\\s*,\\s*)?\"id\"\\s*:\\s*([0-9]{1,18})\\s*,");

    private final Reservation share;
    private long lostId = -1;
    private boolean gaveUp;

    /**
     * Begins at a frame.
     *
     * @param share what is counted of a frame that is whole is taken over by who keeps it; closed with the decoder
     */
    AnswerDecoder(int maxFrameBytes, Reservation share) {
        super(WebSocketDecoderConfig.newBuilder()
                .maxFramePayloadLength(maxFrameBytes)
                .expectMaskedFrames(false)
                .allowMaskMismatch(false)
                .allowExtensions(false)
                .closeOnProtocolViolation(false)
                .build());
        this.share = share;
    }

    /** Says that there is no room for a frame. Has no stack trace: it happens under load. */
    static final class NoRoomException extends DecoderException {

        private static final long serialVersionUID = 1L;

        private NoRoomException() {
            super("no room for a frame");
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
        super.channelRead(ctx, message);
        if (share.taken() > 0) {
            // What was whole is somebody else's by now, or was dropped.
            share.lowerTo(actualReadableBytes());
        }
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
        if (gaveUp) {
            in.skipBytes(in.readableBytes());
            return;
        }
        int from = in.readerIndex();
        int known = out.size();
        int length = Math.min(in.readableBytes(), LOOKED_AT);
        try {
            super.decode(ctx, in, out);
        } catch (CorruptedWebSocketFrameException e) {
            if (e.closeStatus().equals(WebSocketCloseStatus.MESSAGE_TOO_BIG)) {
                lostId = idIn(in.toString(from, length, ISO_8859_1));
            }
            throw e;
        }
        if (out.size() == known && !count(in.readableBytes())) {
            lostId = idIn(beginning(in));
            gaveUp = true;
            in.skipBytes(in.readableBytes());
            throw new NoRoomException();
        }
    }

    private boolean count(long bytes) {
        long more = bytes - share.taken();
        if (more > 0 && bytes <= BodyCollector.SMALL_BYTES) {
            share.add(more);
            return true;
        }
        return more <= 0 || share.tryAdd(more);
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext ctx) throws Exception {
        super.handlerRemoved0(ctx);
        share.close();
    }

    /** The id that the frame that was given up answers; -1 where it is not known. */
    long lostId() {
        return lostId;
    }

    /** How a frame's content begins. */
    static String beginning(ByteBuf content) {
        return content.toString(content.readerIndex(), Math.min(content.readableBytes(), LOOKED_AT), ISO_8859_1);
    }

    /** The id in the beginning of an answer, frame head or not; -1 where there is none. */
    static long idIn(String beginning) {
        Matcher id = ID.matcher(beginning);
        return id.find() && id.start() <= MAX_FRAME_HEAD ? Long.parseLong(id.group(1)) : -1;
    }
}
