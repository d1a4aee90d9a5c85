package io.weir.transport.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.weir.limit.Reservation;
import io.weir.transport.entry.ReadPauseHandler;
import java.util.List;

/**
 * Reads frames from bytes, knows whether one has begun that has not ended, and counts what is there of it. Where there is no
 * room it says so with {@link NoRoom}, and reads nothing more. Confined to its event loop.
 */
final class FrameDecoder extends WebSocket13FrameDecoder {

    private final ReadPauseHandler pause;
    private final Reservation share;
    private boolean begun;
    private boolean gaveUp;

    /**
     * Begins at a frame.
     *
     * @param share what is counted of a frame that is whole is taken over by who keeps it; closed with the decoder
     */
    FrameDecoder(WebSocketDecoderConfig config, ReadPauseHandler pause, Reservation share) {
        super(config);
        this.pause = pause;
        this.share = share;
    }

    /** The event that a frame was given up. */
    enum NoRoom {
        /** Too many bytes are in flight. */
        FOR_FRAME
    }

    /** Whether the first bytes of a frame are here and its last are not. */
    boolean isMidFrame() {
        return begun;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
        super.channelRead(ctx, message);
        // Frames that are held back while reading pauses stay counted here.
        if (share.taken() > 0 && !pause.isPaused()) {
            share.lowerTo(actualReadableBytes());
        }
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
        if (gaveUp) {
            in.skipBytes(in.readableBytes());
            return;
        }
        int known = out.size();
        boolean any = in.isReadable();
        super.decode(ctx, in, out);
        begun = out.size() == known && (begun || any);
        long more = begun ? in.readableBytes() - share.taken() : 0;
        if (more > 0 && !share.tryAdd(more)) {
            gaveUp = true;
            begun = false;
            in.skipBytes(in.readableBytes());
            ctx.fireUserEventTriggered(NoRoom.FOR_FRAME);
        }
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext ctx) throws Exception {
        super.handlerRemoved0(ctx);
        share.close();
    }
}
