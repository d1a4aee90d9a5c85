package io.weir.transport.http1;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufHolder;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.AsciiString;
import io.netty.util.ReferenceCountUtil;
import io.weir.framing.HeadCache;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A strict, bounded decoder of HTTP/1.x requests that also tracks whether a request is unfinished. It rejects lines on which Netty's decoder
 * is lenient: extra blanks in the request line, and folded headers. A request whose framing is ambiguous or over a bound becomes a failed
 * one, and nothing behind it is read. A head that the client repeats is not parsed again: it becomes a {@link HeadCache.Repeated}. Confined
 * to its event loop.
 */
public final class RequestDecoder extends HttpRequestDecoder {

    /** Maximum size in bytes of a piece of a body. */
    private static final int PIECE_BYTES = 1 << 16;

    /** Header lines of a cached head. A line costs more than its bytes, and cached heads do not count as in flight. */
    private static final int MAX_CACHED_LINES = 32;

    private static final byte LF = '\n';
    private static final byte[] PROTOCOL = "HTTP/".getBytes(US_ASCII);

    private final HeadCache<HttpRequest> cache = new HeadCache<>(PIECE_BYTES);
    private final RequestHeadBytes headBytes;
    private final RequestHeadAccount account;
    private final Backlog backlog;

    /** The bytes and costs of decoded requests that wait for others, without their bodies. */
    private long waitingHeads;

    /** The bytes of the bodies of those requests. */
    private long waitingBodies;

    /** The last amount that was counted for an unfinished request head. */
    private long unfinished;

    /** Whether the account may count something. */
    private boolean counted;

    /** Whether nothing more is read. */
    private boolean gaveUp;

    private boolean begun;

    /** Whether the first bytes of a request were examined, although perhaps none was consumed. */
    private boolean seen;

    private long ended;
    private boolean inRequestHead = true;

    /** Whether the request line of the current request was read. */
    private boolean lineRead;

    /** The end of the last word of the request line. */
    private int wordEnd;

    /**
     * @param account counts unfinished request heads; closed with the decoder
     * @param backlog tells whether decoded requests wait for earlier ones
     */
    public RequestDecoder(ListenerLimits limits, RequestHeadAccount account, Backlog backlog) {
        super(new HttpDecoderConfig()
                .setMaxInitialLineLength(limits.requestLineBytes())
                .setMaxHeaderSize(limits.headerBytes())
                .setMaxChunkSize(PIECE_BYTES)
                .setAllowDuplicateContentLengths(false)
                .setStrictLineParsing(true)
                .setUseRfc9112TransferEncoding(true));
        this.headBytes = new RequestHeadBytes(limits);
        this.account = account;
        this.backlog = backlog;
    }

    /** Decoded requests that wait for earlier ones. */
    public interface Backlog {

        /** Returns whether a request that is decoded now waits. */
        boolean isWaiting();

        void discard();
    }

    /** Returns whether the first bytes of a request have arrived and its last have not. */
    public boolean isMidRequest() {
        return begun || actualReadableBytes() > 0;
    }

    /** Returns whether the part arriving is still the head of a request. */
    public boolean isInRequestHead() {
        return inRequestHead;
    }

    public long ended() {
        return ended;
    }

    /** Records that no request waits for others any more. */
    public void endWait() {
        waitingHeads = 0;
        waitingBodies = 0;
        account.set(unfinished, 0, 0);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
        super.channelRead(ctx, message);
        if (!ctx.isRemoved() && !isAccountRight() && !account.set(unfinished, waitingHeads, waitingBodies)) {
            List<Object> last = new ArrayList<>(2);
            backlog.discard();
            waitingHeads = 0;
            waitingBodies = 0;
            giveUp(last, new RequestHeadException(RequestHeadException.Kind.OVERLOAD, "overloaded"));
            last.forEach(ctx::fireChannelRead);
        }
    }

    /** Computes the bytes of an unfinished request head. Nearly always there are none, and the account is empty. */
    private boolean isAccountRight() {
        if (!counted && !seen && waitingHeads == 0 && actualReadableBytes() == 0) {
            unfinished = 0;
            return true;
        }
        long begunBytes = gaveUp ? 0 : headBytes.unfinished();
        if (actualReadableBytes() > 0 && !gaveUp) {
            // The buffer of the remaining bytes, and the cost of their line.
            begunBytes += internalBuffer().capacity() + RequestHeadBytes.LINE_COST;
        }
        unfinished = begunBytes;
        counted = begunBytes != 0 || waitingHeads != 0 || !account.isEmpty();
        return !counted;
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
        HeadCache.Repeated<HttpRequest> repeated = seen ? null : cache.pass(in);
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
        boolean ofHead = inRequestHead;
        if (inRequestHead && hasIndentedLine(in)) {
            in.skipBytes(in.readableBytes());
            giveUp(out, new IllegalArgumentException("line of the head"));
            return;
        }
        super.decode(ctx, in, out);
        int bytes = in.readerIndex() - before;
        begun |= bytes != 0;
        try {
            count(bytes, ofHead, out, known);
        } catch (RequestHeadException e) {
            in.skipBytes(in.readableBytes());
            giveUp(out, e);
            return;
        }
        String fault = framingFault(out, known);
        if (fault != null) {
            List<Object> parts = out.subList(known, out.size());
            parts.forEach(ReferenceCountUtil::release);
            parts.clear();
            in.skipBytes(in.readableBytes());
            giveUp(out, new RequestHeadException(RequestHeadException.Kind.FRAMING, fault));
            return;
        }
        for (int i = known; i < out.size(); i++) {
            track(out.get(i));
        }
        if (first && out.size() == known + 1 && out.get(known) instanceof HttpRequest request) {
            learn(request, in, before, in.readerIndex());
        }
    }

    /** Returns the fault in the framing of the request that was just decoded, if one was; gives it the form of its origin otherwise. */
    private static @Nullable String framingFault(List<Object> out, int known) {
        if (out.size() == known
                || !(out.get(known) instanceof HttpRequest request)
                || request.decoderResult().isFailure()) {
            return null;
        }
        String fault = Framing.fault(request);
        if (fault == null) {
            Framing.toOriginForm(request);
        }
        return fault;
    }

    /** Caches a head if it is simple: a POST with a length and without Expect. */
    private void learn(HttpRequest request, ByteBuf in, int start, int end) {
        HttpHeaders headers = request.headers();
        boolean simple = headers.size() <= MAX_CACHED_LINES
                && request.decoderResult().isSuccess()
                && request.method().equals(HttpMethod.POST)
                && request.protocolVersion().equals(HttpVersion.HTTP_1_1)
                && headers.getAll(HttpHeaderNames.CONTENT_LENGTH).size() == 1
                && !headers.contains(HttpHeaderNames.TRANSFER_ENCODING)
                && !headers.contains(HttpHeaderNames.EXPECT)
                && !headers.contains(HttpHeaderNames.UPGRADE);
        if (simple) {
            cache.learn(request, in, start, end);
        } else {
            cache.forget();
        }
    }

    private void count(int bytes, boolean ofHead, List<Object> out, int known) {
        for (int i = known; i < out.size(); i++) {
            if (((HttpObject) out.get(i)).decoderResult().isFailure()) {
                return;
            }
        }
        if (ofHead) {
            headBytes.addHead(bytes, !lineRead && out.size() == known);
        } else {
            headBytes.addBody(bytes, bodyBytes(out, known));
        }
    }

    /** Adds a request that carries the reason why nothing more is read. */
    private void giveUp(List<Object> out, Exception why) {
        HttpRequest last = new DefaultHttpRequest(HttpVersion.HTTP_1_0, HttpMethod.GET, "/");
        last.setDecoderResult(DecoderResult.failure(why));
        out.add(last);
        out.add(LastHttpContent.EMPTY_LAST_CONTENT);
        track(last);
        track(LastHttpContent.EMPTY_LAST_CONTENT);
        gaveUp = true;
        seen = true;
        unfinished = 0;
        // Those that wait are held until they are answered.
        account.set(0, waitingHeads, waitingBodies);
    }

    private void track(Object part) {
        if (part instanceof HttpRequest) {
            inRequestHead = false;
            long lines = headBytes.endHead();
            waitingHeads += backlog.isWaiting() ? lines : 0;
        }
        if (part instanceof LastHttpContent) {
            begun = false;
            seen = false;
            ended++;
            inRequestHead = true;
            lineRead = false;
            headBytes.end();
        }
    }

    @Override
    protected AsciiString splitHeaderName(byte[] line, int start, int length) {
        headBytes.addLine();
        return super.splitHeaderName(line, start, length);
    }

    /**
     * Returns whether a line of the head begins with a blank, as if it continued the previous line. Decoded lines are
     * complete, so the buffer begins with a line. The empty line ends the head.
     */
    private boolean hasIndentedLine(ByteBuf in) {
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
            // Empty lines before the request line are not part of it.
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

    /** Checks that exactly one space separates the words of a request line. */
    private void checkSpace(byte[] line, int start) {
        if (start != wordEnd + 1 || line[wordEnd] != ' ') {
            throw new IllegalArgumentException("request line");
        }
    }

    /**
     * The counts of one request without its body: lines and bytes of its head, its chunk sizes and its trailers. Confined
     * to its event loop.
     */
    private static final class RequestHeadBytes {

        /** The cost of a line beside its bytes: the objects that hold it. */
        static final int LINE_COST = 192;

        /** Maximum bytes of chunk framing for each byte of the body. */
        private static final int CHUNK_BYTES = 8;

        private final int maxLines;
        private final int maxLineBytes;

        /** The limit of all headers together, and of all trailers and chunk sizes. */
        private final int maxHeaderBytes;

        private int lines;
        private int unfinishedLines;
        private long unfinishedBytes;
        private long allowedBytes;

        RequestHeadBytes(ListenerLimits limits) {
            this.maxLines = limits.headerLines();
            this.maxLineBytes = limits.requestLineBytes();
            this.maxHeaderBytes = limits.headerBytes();
            this.allowedBytes = maxHeaderBytes;
        }

        /** Counts a header or trailer line. */
        void addLine() {
            unfinishedLines++;
            if (++lines > maxLines) {
                throw new RequestHeadException(
                        RequestHeadException.Kind.TOO_LARGE,
                        "headers: too many lines (expected: at most " + maxLines + ")");
            }
        }

        /**
         * Counts bytes of the head.
         *
         * @param onlyEmpty whether they are empty lines before the request line
         */
        void addHead(int bytes, boolean onlyEmpty) {
            unfinishedBytes += bytes;
            if (onlyEmpty && unfinishedBytes > maxLineBytes) {
                throw new RequestHeadException(RequestHeadException.Kind.TOO_LARGE, "request line: too long");
            }
        }

        /** Counts bytes after the head, of the body and of its framing. */
        void addBody(int bytes, int ofBody) {
            int frame = bytes - ofBody;
            if (unfinishedLines > 0) {
                unfinishedBytes += frame;
            }
            allowedBytes += (long) ofBody * CHUNK_BYTES - frame;
            if (allowedBytes < 0) {
                throw new RequestHeadException(
                        RequestHeadException.Kind.TOO_LARGE,
                        "chunks: sizes and trailers too large (expected: at most " + maxHeaderBytes + " bytes)");
            }
        }

        /** Ends the head. Returns the cost of its lines beside their bytes. */
        long endHead() {
            long cost = (long) unfinishedLines * LINE_COST;
            unfinishedBytes = 0;
            unfinishedLines = 0;
            return cost;
        }

        void end() {
            endHead();
            lines = 0;
            allowedBytes = maxHeaderBytes;
        }

        /** Returns the bytes and costs of an unfinished head or trailer. */
        long unfinished() {
            // The request line counts as a line too.
            return unfinishedBytes == 0 ? 0 : unfinishedBytes + (1L + unfinishedLines) * LINE_COST;
        }
    }

    /** Signals a request that is not read to its end. Its message contains no part of the request. Immutable. */
    public static final class RequestHeadException extends DecoderException {

        private static final long serialVersionUID = 1;

        private final Kind kind;

        /** The reason. */
        public enum Kind {
            /** Another party could read its framing differently. */
            FRAMING,
            /** Its head, trailers or chunk sizes exceed a bound. */
            TOO_LARGE,
            /** Too much is in flight, in total or from the address, while the request itself is within its bounds. */
            OVERLOAD
        }

        RequestHeadException(Kind kind, String message) {
            super(message);
            this.kind = kind;
        }

        public Kind kind() {
            return kind;
        }

        /** Has no stack trace, because clients control how often it is thrown. */
        @Override
        public Throwable fillInStackTrace() {
            return this;
        }
    }
}
