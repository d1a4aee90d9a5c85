package io.weir.transport.http1;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufHolder;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.AsciiString;
import io.weir.config.ServerConfig;
import java.util.ArrayList;
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

    private final RequestHeadCache memory = new RequestHeadCache(PIECE_BYTES);
    private final RequestHeadBytes head;
    private final RequestHeadAccount account;
    private final Backlog backlog;

    /** The bytes and costs of requests that were read and wait for others, without their bodies. */
    private long waitingHeads;

    /** The bytes of the bodies of those requests. */
    private long waitingBodies;

    /** The last amount that was counted for a head that is not complete. */
    private long unfinished;

    /** Whether nothing more is read. */
    private boolean gaveUp;

    private boolean begun;

    /** Whether the first bytes of a request have been looked at, though none may have been taken. */
    private boolean seen;

    private long ended;
    private boolean inHead = true;
    private boolean lineRead;
    private int wordEnd;

    /**
     * Begins at a request.
     *
     * @param account counts unfinished heads; closed with the decoder
     * @param backlog tells whether what is read waits for requests before it
     */
    public RequestDecoder(ServerConfig config, RequestHeadAccount account, Backlog backlog) {
        super(new HttpDecoderConfig()
                .setMaxInitialLineLength(config.maxRequestLineBytes())
                .setMaxHeaderSize(config.maxHeaderBytes())
                .setMaxChunkSize(PIECE_BYTES)
                .setAllowDuplicateContentLengths(false)
                .setStrictLineParsing(true)
                .setUseRfc9112TransferEncoding(true));
        this.head = new RequestHeadBytes(config);
        this.account = account;
        this.backlog = backlog;
    }

    /** Requests that were read and wait for others. */
    public interface Backlog {

        /** Whether what is read now waits. */
        boolean isWaiting();

        /** Drops what waits. */
        void drop();
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

    /** No request waits for others any more. */
    public void waitIsOver() {
        waitingHeads = 0;
        waitingBodies = 0;
        account.set(unfinished, 0, 0);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
        super.channelRead(ctx, message);
        if (!ctx.isRemoved() && !isAccountRight() && !account.set(unfinished, waitingHeads, waitingBodies)) {
            List<Object> last = new ArrayList<>(2);
            backlog.drop();
            giveUp(last, RequestHeadLimitException.overload());
            last.forEach(ctx::fireChannelRead);
        }
    }

    /** Sees what there is of a head that is not complete; nearly always there is none, and nothing to be counted. */
    private boolean isAccountRight() {
        long begunBytes = gaveUp ? 0 : head.unfinished();
        if (actualReadableBytes() > 0 && !gaveUp) {
            // The buffer that holds the rest, and the line that it is of.
            begunBytes += internalBuffer().capacity() + RequestHeadBytes.LINE_COST;
        }
        unfinished = begunBytes;
        return begunBytes == 0 && waitingHeads == 0 && account.isEmpty();
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext ctx) throws Exception {
        unfinished = 0;
        waitingHeads = 0;
        waitingBodies = 0;
        account.close();
        super.handlerRemoved0(ctx);
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
        int before = in.readerIndex();
        int known = out.size();
        boolean waits = backlog.isWaiting();
        RepeatedRequest repeated = seen ? null : memory.take(in);
        if (repeated != null) {
            ended++;
            out.add(repeated);
        } else if (gaveUp) {
            in.skipBytes(in.readableBytes());
        } else {
            read(ctx, in, out);
        }
        if (waits && !gaveUp) {
            int bodies = bodyBytes(out, known);
            waitingBodies += bodies;
            waitingHeads +=
                    in.readerIndex() - before - bodies + (long) (out.size() - known) * RequestHeadBytes.LINE_COST;
        }
    }

    /** Returns the bytes of bodies in the messages from an index on. */
    private static int bodyBytes(List<Object> messages, int from) {
        int bytes = 0;
        for (int i = from; i < messages.size(); i++) {
            bytes += messages.get(i) instanceof ByteBufHolder body
                    ? body.content().readableBytes()
                    : 0;
        }
        return bytes;
    }

    private void read(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
        seen = true;
        int before = in.readerIndex();
        int known = out.size();
        boolean first = !begun;
        boolean ofHead = inHead;
        if (inHead && hasIndent(in)) {
            in.skipBytes(in.readableBytes());
            giveUp(out, new IllegalArgumentException("line of the head"));
            return;
        }
        super.decode(ctx, in, out);
        int bytes = in.readerIndex() - before;
        begun |= bytes != 0;
        try {
            count(bytes, ofHead, out, known);
        } catch (RequestHeadLimitException e) {
            in.skipBytes(in.readableBytes());
            giveUp(out, e);
            return;
        }
        for (int i = known; i < out.size(); i++) {
            note(out.get(i));
        }
        if (first && out.size() == known + 1 && out.get(known) instanceof HttpRequest request) {
            memory.learn(request, in, before, in.readerIndex());
        }
    }

    private void count(int bytes, boolean ofHead, List<Object> out, int known) {
        for (int i = known; i < out.size(); i++) {
            if (((HttpObject) out.get(i)).decoderResult().isFailure()) {
                return;
            }
        }
        if (ofHead) {
            head.addHead(bytes, !lineRead && out.size() == known);
        } else {
            head.addBody(bytes, bodyBytes(out, known));
        }
    }

    /** Adds a request that says why nothing more is read. */
    private void giveUp(List<Object> out, Exception why) {
        HttpRequest last = new DefaultHttpRequest(HttpVersion.HTTP_1_0, HttpMethod.GET, "/");
        last.setDecoderResult(DecoderResult.failure(why));
        out.add(last);
        out.add(LastHttpContent.EMPTY_LAST_CONTENT);
        note(last);
        note(LastHttpContent.EMPTY_LAST_CONTENT);
        gaveUp = true;
        seen = true;
        waitingHeads = 0;
        waitingBodies = 0;
        unfinished = 0;
        account.set(0, 0, 0);
    }

    private void note(Object part) {
        if (part instanceof HttpRequest) {
            inHead = false;
            long lines = head.endHead();
            waitingHeads += backlog.isWaiting() ? lines : 0;
        }
        if (part instanceof LastHttpContent) {
            begun = false;
            seen = false;
            ended++;
            inHead = true;
            lineRead = false;
            head.end();
        }
    }

    @Override
    protected AsciiString splitHeaderName(byte[] line, int start, int length) {
        head.addLine();
        return super.splitHeaderName(line, start, length);
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
