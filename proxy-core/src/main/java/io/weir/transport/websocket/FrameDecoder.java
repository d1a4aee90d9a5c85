package io.weir.transport.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.weir.limit.Reservation;
import io.weir.transport.request.ReadPauseHandler;
import java.util.List;

/**
 * A decoder of frames that tracks whether a frame is unfinished and counts its bytes. If the budget is exhausted it
 * fires {@link #OVER_BUDGET} and reads nothing more. Confined to its event loop.
 */
final class FrameDecoder extends WebSocket13FrameDecoder {

    /** The event that a frame was dropped, because too many bytes are in flight. */
    static final Object OVER_BUDGET = new Object();

    private final ReadPauseHandler pause;
    private final Reservation reservation;
    private boolean begun;
    private boolean gaveUp;

    /**
     * @param reservation counts an unfinished frame; the receiver of the whole frame takes over its amount; closed with
     *     the decoder
     */
    FrameDecoder(WebSocketDecoderConfig config, ReadPauseHandler pause, Reservation reservation) {
        super(config);
        this.pause = pause;
        this.reservation = reservation;
    }

    /** Returns whether the first bytes of a frame have arrived and its last have not. */
    boolean isMidFrame() {
        return begun;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
        super.channelRead(ctx, message);
        // Frames that are held back while reading pauses remain counted here.
        if (reservation.taken() > 0 && !pause.isPaused()) {
            reservation.lowerTo(actualReadableBytes());
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
        long more = begun ? in.readableBytes() - reservation.taken() : 0;
        if (more > 0 && !reservation.tryAdd(more)) {
            gaveUp = true;
            begun = false;
            in.skipBytes(in.readableBytes());
            ctx.fireUserEventTriggered(OVER_BUDGET);
        }
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext ctx) throws Exception {
        super.handlerRemoved0(ctx);
        reservation.close();
    }
}
