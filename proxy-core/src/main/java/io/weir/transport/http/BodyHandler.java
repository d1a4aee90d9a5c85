package io.weir.transport.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufHolder;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.ReferenceCountUtil;
import io.weir.access.KeyRefusal;
import io.weir.framing.BodyBuffer;
import io.weir.framing.HeadCache.Repeated;
import io.weir.limit.Share;
import io.weir.network.Generation;
import io.weir.transport.answer.AnswerStyle;
import io.weir.transport.http.RequestPolicy.CrossOrigin;
import io.weir.transport.http1.RequestDecoder.RequestHeadException;
import io.weir.transport.log.AccessLogEntry;
import io.weir.transport.request.Admission;
import io.weir.transport.request.ListenerContext;
import io.weir.transport.request.LoopTurns;
import io.weir.transport.request.ReadPauseHandler;
import io.weir.transport.request.Rejection;
import io.weir.transport.request.RequestSource;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Converts the parts of requests into one {@link ClientRequest} each. After a part that could not be decoded, nothing of the connection is
 * trusted. Confined to its event loop.
 */
final class BodyHandler extends ChannelInboundHandlerAdapter {

    /**
     * Maximum size in bytes of a rejected request's body that is read and discarded, so that the connection can stay
     * open.
     */
    private static final int DISCARD_BYTES = 1 << 16;

    private static final String MALFORMED_GZIP = "parse error: body: broken (expected: gzip, whole, by RFC 1952)";

    /** Bytes of bodies that a turn of the event loop unpacks before it serves other connections. */
    private static final int TURN_BYTES = 1 << 17;

    private final ListenerContext listener;
    private final RequestPolicy policy;
    private final int maxBodyBytes;
    private final ReadPauseHandler pause;
    private final LoopTurns turns;

    private AnswerStyle style = AnswerStyle.LAST;
    private Admission.@Nullable Granted granted;

    /** Null after the request was passed on, because its entry may then end at any time. */
    private @Nullable AccessLogEntry entry;

    private @Nullable BodyBuffer body;
    private @Nullable GzipReader gzip;

    /** Bytes that were unpacked since the last pause for it. */
    private int unpacked;

    /** Whether the rest of the body can be read and discarded. */
    private boolean small;

    /** Whether a part could not be decoded. */
    private boolean distrusted;

    /** Whether the request was rejected or answered, and the rest of its body is discarded. */
    private boolean settled;

    private ClientRequest.@Nullable Handshake handshake;

    /** The body's length in bytes according to the headers; -1 if absent. */
    private long announced;

    /** A request that arrived whole, until the budget has capacity for its body. */
    private @Nullable Repeated<?> whole;

    /** The source of the last head that was decided on. */
    private @Nullable RequestSource source;

    /** The last decision to collect a body, and its inputs. */
    private RequestPolicy.Decision.@Nullable Collect last;

    private @Nullable HttpRequest lastRequest;
    private @Nullable Generation lastGeneration;

    BodyHandler(ListenerContext listener, ReadPauseHandler pause, LoopTurns turns) {
        this.listener = listener;
        this.pause = pause;
        this.turns = turns;
        this.maxBodyBytes = listener.config().maxBodyBytes();
        this.policy = new RequestPolicy(listener.config());
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (distrusted) {
            ReferenceCountUtil.release(message);
        } else if (message instanceof Repeated<?> request && request.first() instanceof HttpRequest first) {
            announced = request.content().readableBytes();
            begin(ctx, first, request);
        } else if (message instanceof HttpObject part && part.decoderResult().isFailure()) {
            distrusted = true;
            ReferenceCountUtil.release(part);
            passOn(
                    ctx,
                    new ClientRequest.Rejected(unreadable(part.decoderResult().cause()), AnswerStyle.LAST));
        } else if (message instanceof HttpRequest request) {
            announced = HttpUtil.getContentLength(request, -1L);
            begin(ctx, request, null);
        } else if (message instanceof HttpContent content) {
            take(ctx, content, content instanceof LastHttpContent);
        } else {
            passOn(ctx, message);
        }
    }

    /** Passes on what ends the request, or what is none. */
    private void passOn(ChannelHandlerContext ctx, Object message) {
        entry = null;
        boolean late = settled && message instanceof ClientRequest.Rejected;
        ctx.fireChannelRead(late ? new ClientRequest.CutOff() : message);
    }

    private static Rejection unreadable(Throwable cause) {
        if (cause instanceof RequestHeadException known) {
            Rejection.Reason reason = switch (known.kind()) {
                case FRAMING -> Rejection.Reason.FRAMING;
                case TOO_LARGE -> Rejection.Reason.HEADERS;
                case OVERLOAD -> Rejection.Reason.OVERLOAD;
            };
            return new Rejection(reason, String.valueOf(known.getMessage()));
        }
        if (cause instanceof TooLongHttpLineException) {
            return new Rejection(Rejection.Reason.HEADERS, "request line: too long");
        }
        if (cause instanceof TooLongHttpHeaderException) {
            return new Rejection(Rejection.Reason.HEADERS, "headers: too large");
        }
        // The cause's message may repeat request content, such as a key.
        return new Rejection(Rejection.Reason.FRAMING, "request: not HTTP/1.1 (expected: RFC 9112)");
    }

    /**
     * Begins a request.
     *
     * @param repeated the request with its body, if it arrived whole
     */
    private void begin(ChannelHandlerContext ctx, HttpRequest request, @Nullable Repeated<?> repeated) {
        release();
        whole = repeated;
        settled = false;
        entry = listener.logEntry(ctx.channel(), request);
        if (entry != null) {
            ctx.fireChannelRead(new ClientRequest.Begun(entry));
        }
        RequestPolicy.Decision decision = decide(ctx, request);
        if (decision instanceof RequestPolicy.Decision.Reject reject) {
            boolean closes = reject.rejection().reason().closes() || !isSmall(request);
            reject(ctx, reject.rejection(), closes);
            dropWhole();
        } else if (decision instanceof RequestPolicy.Decision.AnswerPreflight) {
            settle(ctx, new ClientRequest.Preflight(isSmall(request) ? style : style.closing()));
        } else if (decision instanceof RequestPolicy.Decision.AnswerHealthCheck) {
            settle(ctx, new ClientRequest.HealthCheck(isSmall(request) ? style : style.closing()));
        } else if (decision instanceof RequestPolicy.Decision.OpenWebSocket open) {
            handshake = open.handshake();
        } else if (decision instanceof RequestPolicy.Decision.Collect collect) {
            Share bytes = listener.bytes(collect.granted());
            if (bytes.permits(1)) {
                collect(ctx, request, collect, bytes, true);
            } else {
                pause.awaitBudget(ctx, bytes, available -> collect(ctx, request, collect, bytes, available));
            }
        }
    }

    /** Decides by the headers. The decision for the same request head is reused until another generation serves. */
    @SuppressWarnings("ReferenceEquality") // The identical object, not an equal one.
    private RequestPolicy.Decision decide(ChannelHandlerContext ctx, HttpRequest request) {
        Generation generation = listener.current().get();
        if (request == lastRequest
                && generation == lastGeneration
                && last != null
                && announced <= maxBodyBytes
                && !last.granted().caller().bounds().isExpired()) {
            return last;
        }
        style = AnswerStyle.of(request, mayCompress(request), CrossOrigin.lines(generation, request));
        RequestSource read = listener.source(ctx.channel(), request);
        source = read;
        RequestPolicy.Decision decision = policy.decide(generation, request, read, announced);
        last = decision instanceof RequestPolicy.Decision.Collect collect ? collect : null;
        // Only a head that the decoder caches: another one would be retained here until the next request.
        lastRequest = whole == null ? null : request;
        lastGeneration = generation;
        return decision;
    }

    private void addWhole(ChannelHandlerContext ctx) {
        Repeated<?> repeated = whole;
        whole = null;
        if (repeated != null) {
            take(ctx, repeated, true);
        }
    }

    /** Takes a part of the body. A turn of the event loop unpacks a piece of it, and the next one goes on. */
    private void take(ChannelHandlerContext ctx, ByteBufHolder part, boolean last) {
        boolean whole = true;
        try {
            add(ctx, part.content());
            whole = gzip == null || unpacked < TURN_BYTES;
        } finally {
            if (whole) {
                part.release();
            }
        }
        if (!whole) {
            holdRest(ctx, part instanceof HttpContent rest ? rest : new DefaultLastHttpContent(part.content()));
        } else if (last) {
            end(ctx);
            settled = false;
        }
    }

    private void holdRest(ChannelHandlerContext ctx, HttpContent rest) {
        if (entry != null) {
            // Counted again when it is taken again.
            entry.received(-rest.content().readableBytes());
        }
        pause.pause(ReadPauseHandler.Cause.UNPACKING, rest);
        BooleanSupplier next = () -> {
            unpacked = 0;
            pause.resume(ReadPauseHandler.Cause.UNPACKING);
            return false;
        };
        turns.add(ctx.channel().eventLoop(), next, ctx::close);
    }

    private void dropWhole() {
        if (whole != null) {
            whole.release();
            whole = null;
            settled = false;
        }
    }

    private static boolean mayCompress(HttpRequest request) {
        return ContentHeaders.allowGzip(request.headers().getAll(HttpHeaderNames.ACCEPT_ENCODING));
    }

    private void collect(
            ChannelHandlerContext ctx,
            HttpRequest request,
            RequestPolicy.Decision.Collect collect,
            Share bytes,
            boolean available) {
        GzipReader reader = available && collect.gzip() ? GzipReader.open(maxBodyBytes, bytes.reserve()) : null;
        if (!available || (collect.gzip() && reader == null)) {
            if (listener.bytes().hasCapacity()) {
                collect.granted().caller().account().refused(KeyRefusal.SHARE);
            }
            reject(ctx, overload(), !isSmall(request));
            addWhole(ctx);
            return;
        }
        gzip = reader;
        small = isSmall(request);
        granted = collect.granted();
        if (entry != null) {
            entry.admitted(granted.network().id().name(), granted.caller().name());
        }
        body = BodyBuffer.ofClient((int) Math.max(0, announced), maxBodyBytes, bytes.reserve());
        if (HttpUtil.is100ContinueExpected(request)) {
            ctx.fireChannelRead(new ClientRequest.ContinueExpected());
        }
        addWhole(ctx);
    }

    private void add(ChannelHandlerContext ctx, ByteBuf piece) {
        if (entry != null) {
            entry.received(piece.readableBytes());
        }
        if (body != null) {
            BodyBuffer.AddResult added = gzip == null ? body.add(piece) : unpack(gzip, piece, body);
            if (added != BodyBuffer.AddResult.ADDED) {
                rejectBody(ctx, added);
            }
        }
    }

    private BodyBuffer.AddResult unpack(GzipReader reader, ByteBuf piece, BodyBuffer into) {
        int before = into.length();
        BodyBuffer.AddResult added = reader.add(piece, into, TURN_BYTES - unpacked);
        unpacked += into.length() - before;
        return added;
    }

    private void rejectBody(ChannelHandlerContext ctx, BodyBuffer.AddResult added) {
        release();
        switch (added) {
            case TOO_LARGE -> reject(ctx, new Rejection(Rejection.Reason.SIZE, policy.tooLarge()), true);
            case MALFORMED -> reject(ctx, new Rejection(Rejection.Reason.GZIP, MALFORMED_GZIP), !small);
            default -> reject(ctx, overload(), true);
        }
    }

    private static Rejection overload() {
        return new Rejection(Rejection.Reason.OVERLOAD, "overloaded");
    }

    private void end(ChannelHandlerContext ctx) {
        if (gzip != null && !gzip.isWhole()) {
            small = true;
            rejectBody(ctx, BodyBuffer.AddResult.MALFORMED);
            return;
        }
        BodyBuffer collected = body;
        // The receiver closes its reservation.
        body = null;
        Admission.Granted admitted = granted;
        ClientRequest.Handshake shake = handshake;
        release();
        if (collected != null && admitted != null) {
            ctx.fireChannelRead(new ClientRequest.Calls(collected, admitted, style, source));
        } else if (shake != null) {
            ctx.fireChannelRead(shake);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        release();
        ctx.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        release();
    }

    private void reject(ChannelHandlerContext ctx, Rejection rejection, boolean closes) {
        settle(ctx, new ClientRequest.Rejected(rejection, closes ? style.closing() : style));
    }

    /** Passes on what answers a request by its headers alone. */
    private void settle(ChannelHandlerContext ctx, ClientRequest answered) {
        entry = null;
        settled = true;
        ctx.fireChannelRead(answered);
    }

    private void release() {
        if (body != null) {
            body.reservation().close();
            body = null;
        }
        if (gzip != null) {
            gzip.close();
            gzip = null;
        }
        if (whole != null) {
            whole.release();
            whole = null;
        }
        granted = null;
        handshake = null;
        entry = null;
    }

    /**
     * Returns whether the body is short and certain to come. A body that is held back until requested may never come.
     */
    private boolean isSmall(HttpRequest request) {
        return !HttpUtil.isTransferEncodingChunked(request)
                && !HttpUtil.is100ContinueExpected(request)
                && announced <= DISCARD_BYTES;
    }
}
