package io.weir.transport.http1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufHolder;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.AsciiString;
import io.netty.util.ReferenceCountUtil;
import io.weir.framing.HeadCache;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A strict, bounded decoder of HTTP/1.x requests that also tracks whether a request is unfinished. A request whose framing is
 * ambiguous or over a bound becomes a failed one, and nothing behind it is read. A head that the client repeats is not parsed again: it
 * becomes a {@link HeadCache.Repeated}. Confined to its event loop.
 */
public final class RequestDecoder extends StrictRequestDecoder {

    /** Maximum size in bytes of a piece of a body. */
    private static final int PIECE_BYTES = 1 << 16;

    /** Header lines of a cached head. A line costs more than its bytes, and cached heads do not count as in flight. */
    private static final int MAX_CACHED_LINES = 32;

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

    /**
     * Begins at a request.
     *
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

        /** Discards the waiting requests. */
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

    /** Returns the number of requests that have ended. */
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
            headBytes.addHead(bytes, !isRequestLineRead() && out.size() == known);
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
            endLines();
            headBytes.end();
        }
    }

    @Override
    protected AsciiString splitHeaderName(byte[] line, int start, int length) {
        headBytes.addLine();
        return super.splitHeaderName(line, start, length);
    }
}
