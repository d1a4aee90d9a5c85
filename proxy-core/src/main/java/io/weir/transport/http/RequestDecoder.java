package io.weir.transport.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import io.weir.config.ServerConfig;
import java.util.List;

/**
 * Reads HTTP/1.x requests from bytes, within bounds and strictly, and knows whether one has begun that has not ended.
 * Confined to its event loop.
 */
final class RequestDecoder extends HttpRequestDecoder {

    /** The longest piece of a body that is passed on at once. */
    private static final int PIECE_BYTES = 1 << 16;

    private boolean begun;
    private long ended;

    RequestDecoder(ServerConfig config) {
        super(new HttpDecoderConfig()
                .setMaxInitialLineLength(config.maxRequestLineBytes())
                .setMaxHeaderSize(config.maxHeaderBytes())
                .setMaxChunkSize(PIECE_BYTES)
                .setAllowDuplicateContentLengths(false)
                .setStrictLineParsing(true)
                .setUseRfc9112TransferEncoding(true));
    }

    /** Whether the first bytes of a request are here and its last are not. */
    boolean isMidRequest() {
        return begun || actualReadableBytes() > 0;
    }

    /** How many requests have ended so far. */
    long ended() {
        return ended;
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
        int before = in.readerIndex();
        int known = out.size();
        super.decode(ctx, in, out);
        begun |= in.readerIndex() != before;
        for (int i = known; i < out.size(); i++) {
            if (out.get(i) instanceof LastHttpContent) {
                begun = false;
                ended++;
            }
        }
    }
}
