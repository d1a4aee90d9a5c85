package io.weir.transport.head;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import io.weir.config.ServerConfig;
import java.util.Arrays;
import java.util.List;

/**
 * Reads HTTP/1.x requests from bytes, within bounds and strictly, and knows whether one has begun that has not ended. Where
 * Netty's decoder is lenient (spaces in the request line, folded headers) this one refuses. Confined to its event loop.
 */
public final class RequestDecoder extends HttpRequestDecoder {

    /** The longest piece of a body that is passed on at once. */
    private static final int PIECE_BYTES = 1 << 16;

    private static final byte LF = '\n';
    private static final byte[] PROTOCOL = "HTTP/".getBytes(US_ASCII);

    private final HeadMemory memory = new HeadMemory(PIECE_BYTES);
    private boolean begun;

    /** Whether the first bytes of a request have been looked at, though none may have been taken. */
    private boolean seen;

    private long ended;
    private boolean inHead = true;
    private boolean lineRead;
    private boolean indented;
    private int wordEnd;

    public RequestDecoder(ServerConfig config) {
        super(new HttpDecoderConfig()
                .setMaxInitialLineLength(config.maxRequestLineBytes())
                .setMaxHeaderSize(config.maxHeaderBytes())
                .setMaxChunkSize(PIECE_BYTES)
                .setAllowDuplicateContentLengths(false)
                .setStrictLineParsing(true)
                .setUseRfc9112TransferEncoding(true));
    }

    /** Whether the first bytes of a request are here and its last are not. */
    public boolean isMidRequest() {
        return begun || actualReadableBytes() > 0;
    }

    /** Whether what has begun to arrive is still the head of a request. */
    public boolean isInHead() {
        return inHead;
    }

    /** How many requests have ended so far. */
    public long ended() {
        return ended;
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
        RepeatedRequest repeated = seen ? null : memory.take(in);
        if (repeated != null) {
            ended++;
            out.add(repeated);
            return;
        }
        seen = true;
        int before = in.readerIndex();
        int known = out.size();
        boolean first = !begun;
        if (inHead) {
            indented |= hasIndent(in);
        }
        super.decode(ctx, in, out);
        begun |= in.readerIndex() != before;
        for (int i = known; i < out.size(); i++) {
            note(out.get(i));
        }
        if (first && out.size() == known + 1 && out.get(known) instanceof HttpRequest request) {
            memory.learn(request, in, before, in.readerIndex());
        }
    }

    private void note(Object part) {
        if (part instanceof HttpRequest request) {
            if (indented && request.decoderResult().isSuccess()) {
                request.setDecoderResult(DecoderResult.failure(new IllegalArgumentException("line of the head")));
            }
            inHead = false;
        }
        if (part instanceof LastHttpContent) {
            begun = false;
            seen = false;
            ended++;
            inHead = true;
            lineRead = false;
            indented = false;
        }
    }

    /**
     * Whether a line of the head begins with a blank, as if it belonged to the one before. What was decoded are whole lines,
     * so that the buffer begins with one; the empty line ends the head.
     */
    private boolean hasIndent(ByteBuf in) {
        int end = in.writerIndex();
        int at = in.readerIndex();
        boolean header = lineRead;
        while (at < end) {
            byte first = in.getByte(at);
            if (first == ' ' || first == '\t') {
                return true;
            }
            if (header && first == '\r') {
                return false;
            }
            int lineEnd = in.indexOf(at, end, LF);
            if (lineEnd < 0) {
                return false;
            }
            // Empty lines before the request line are no part of it.
            header |= first > ' ';
            at = lineEnd + 1;
        }
        return false;
    }

    @Override
    protected String splitFirstWordInitialLine(byte[] line, int start, int length) {
        lineRead = true;
        wordEnd = start + length;
        return super.splitFirstWordInitialLine(line, start, length);
    }

    @Override
    protected String splitSecondWordInitialLine(byte[] line, int start, int length) {
        checkSpace(line, start);
        wordEnd = start + length;
        return super.splitSecondWordInitialLine(line, start, length);
    }

    @Override
    protected String splitThirdWordInitialLine(byte[] line, int start, int length) {
        checkSpace(line, start);
        if (!startsWith(line, start, PROTOCOL)) {
            throw new IllegalArgumentException("version");
        }
        return super.splitThirdWordInitialLine(line, start, length);
    }

    private static boolean startsWith(byte[] line, int start, byte[] word) {
        int end = start + word.length;
        return end <= line.length && Arrays.equals(line, start, end, word, 0, word.length);
    }

    /** One space, and no other, parts the words of a request line. */
    private void checkSpace(byte[] line, int start) {
        if (start != wordEnd + 1 || line[wordEnd] != ' ') {
            throw new IllegalArgumentException("request line");
        }
    }
}
