package io.weir.upstream.ws;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a node's frames. Of one that is too large its beginning is looked at, where nodes write the id, so that the call it
 * answers is known. Confined to its event loop.
 */
final class AnswerDecoder extends WebSocket13FrameDecoder {

    private static final int MAX_FRAME_HEAD = 14;
    private static final int LOOKED_AT = 128;
    private static final Pattern ID =
            Pattern.compile("\\{\\s*(?:\"jsonrpc\"\\s*:\\s*\"2\\.0\"\\s*,\\s*)?\"id\"\\s*:\\s*([0-9]{1,18})\\s*,");

    private long oversizedId = -1;

    AnswerDecoder(int maxFrameBytes) {
        super(WebSocketDecoderConfig.newBuilder()
                .maxFramePayloadLength(maxFrameBytes)
                .expectMaskedFrames(false)
                .allowMaskMismatch(false)
                .allowExtensions(false)
                .closeOnProtocolViolation(false)
                .build());
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
        int from = in.readerIndex();
        int length = Math.min(in.readableBytes(), LOOKED_AT);
        try {
            super.decode(ctx, in, out);
        } catch (CorruptedWebSocketFrameException e) {
            if (e.closeStatus().equals(WebSocketCloseStatus.MESSAGE_TOO_BIG)) {
                oversizedId = idIn(in.toString(from, length, ISO_8859_1));
            }
            throw e;
        }
    }

    /** The id that the frame that was too large answers; -1 where it is not known. */
    long oversizedId() {
        return oversizedId;
    }

    /** The id in the beginning of an answer, frame head or not; -1 where there is none. */
    static long idIn(String beginning) {
        Matcher id = ID.matcher(beginning);
        return id.find() && id.start() <= MAX_FRAME_HEAD ? Long.parseLong(id.group(1)) : -1;
    }
}
