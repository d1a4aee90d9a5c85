package io.weir.transport.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import java.util.List;

/** Reads frames from bytes and knows whether one has begun that has not ended. Confined to its event loop. */
final class FrameDecoder extends WebSocket13FrameDecoder {

    private boolean begun;

    FrameDecoder(WebSocketDecoderConfig config) {
        super(config);
    }

    /** Whether the first bytes of a frame are here and its last are not. */
    boolean isMidFrame() {
        return begun;
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
        int known = out.size();
        boolean any = in.isReadable();
        super.decode(ctx, in, out);
        begun = out.size() == known && (begun || any);
    }
}
