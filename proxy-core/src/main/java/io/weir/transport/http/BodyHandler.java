package io.weir.transport.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.weir.limit.Budget;
import io.weir.network.Generation;
import io.weir.transport.answer.AnswerStyle;
import io.weir.transport.coding.AcceptEncoding;
import io.weir.transport.coding.BodyCoding;
import io.weir.transport.coding.GzipReader;
import io.weir.transport.entry.Admission;
import io.weir.transport.entry.BodyBuffer;
import io.weir.transport.entry.BudgetWait;
import io.weir.transport.entry.ListenerContext;
import io.weir.transport.entry.ReadPauseHandler;
import io.weir.transport.entry.Rejection;
import io.weir.transport.entry.RequestSource;
import io.weir.transport.http1.RepeatedRequest;
import io.weir.transport.log.AccessLogEntry;
import org.jspecify.annotations.Nullable;

/** Turns the parts of well-framed requests into one {@link ClientRequest} each. Confined to its event loop. */
final class BodyHandler extends ChannelInboundHandlerAdapter {

    /** What is read and thrown away of a refused request's body, so that the connection can stay. */
    private static final int DISCARD_BYTES = 1 << 16;

    private static final String BROKEN = "parse error: body: broken (expected: gzip, whole, by RFC 1952)";

    private final ListenerContext door;
    private final RequestPolicy entrance;
    private final int maxBodyBytes;
    private final boolean packs;
    private final Budget bytes;
    private final BudgetWait room;

    private AnswerStyle style = AnswerStyle.LAST;
    private Admission.@Nullable Granted granted;

    /** Until the request has been passed on: it may end behind that at any time. */
    private @Nullable AccessLogEntry note;

    private @Nullable BodyBuffer body;
    private @Nullable GzipReader gzip;

    /** Whether what is left of the body can be read and thrown away. */
    private boolean small;

    /** Whether the request has been turned away or answered, and what is left of its body is thrown away. */
    private boolean settled;

    private ClientRequest.@Nullable Handshake handshake;

    /** The body's length in bytes as its head has it; -1 where it has none. */
    private long announced;

    /** A request that came whole, until there is room for its body. */
    private @Nullable RepeatedRequest whole;

    /** What was decided last, if that was to take the body, and what it was decided by. */
    private RequestPolicy.Decision.@Nullable Collect last;

    private @Nullable HttpRequest lastRequest;
    private @Nullable Generation lastGeneration;

    BodyHandler(ListenerContext door, ReadPauseHandler pause) {
        this.door = door;
        this.bytes = door.bytes();
        this.room = new BudgetWait(door.bytes(), pause);
        this.packs = door.config().compression().enabled();
        this.maxBodyBytes = door.config().maxBodyBytes();
        this.entrance = new RequestPolicy(maxBodyBytes);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof RepeatedRequest request) {
            announced = request.content().readableBytes();
            begin(ctx, request.first(), request);
        } else if (message instanceof HttpRequest request) {
            announced = HttpUtil.getContentLength(request, -1L);
            begin(ctx, request, null);
        } else if (message instanceof HttpContent content) {
            try {
                add(ctx, content.content());
            } finally {
                content.release();
            }
            if (content instanceof LastHttpContent) {
                end(ctx);
                settled = false;
            }
        } else {
            note = null;
            boolean late = settled && message instanceof ClientRequest.Refused;
            ctx.fireChannelRead(late ? new ClientRequest.CutOff() : message);
        }
    }

    /** @param repeated the request with its body, where it is all there */
    private void begin(ChannelHandlerContext ctx, HttpRequest request, @Nullable RepeatedRequest repeated) {
        forget();
        whole = repeated;
        settled = false;
        note = door.note(ctx.channel(), request);
        if (note != null) {
            ctx.fireChannelRead(new ClientRequest.Begun(note));
        }
        RequestPolicy.Decision decision = decide(ctx, request);
        if (decision instanceof RequestPolicy.Decision.Refuse refuse) {
            boolean closes = refuse.refusal().reason().closes() || !isSmall(request);
            refuse(ctx, refuse.refusal(), closes);
            dropWhole();
        } else if (decision instanceof RequestPolicy.Decision.Allow) {
            note = null;
            settled = true;
            ctx.fireChannelRead(new ClientRequest.Preflight(isSmall(request) ? style : style.closing()));
        } else if (decision instanceof RequestPolicy.Decision.Shake shake) {
            handshake = shake.handshake();
        } else if (decision instanceof RequestPolicy.Decision.Collect collect) {
            room.await(ctx, found -> {
                collect(ctx, request, collect, found);
                addWhole(ctx);
            });
        }
    }

    /** What was decided by a head holds for the same head again, until another generation serves. */
    @SuppressWarnings("ReferenceEquality") // The very same request, not one that is like it.
    private RequestPolicy.Decision decide(ChannelHandlerContext ctx, HttpRequest request) {
        Generation generation = door.current().get();
        if (request == lastRequest && generation == lastGeneration && last != null && announced <= maxBodyBytes) {
            return last;
        }
        style = AnswerStyle.of(request, mayPack(request), CrossOrigin.lines(generation, request));
        RequestSource source = RequestSource.of(ctx.channel(), request);
        RequestPolicy.Decision decision = entrance.decide(generation, request, source, announced);
        last = decision instanceof RequestPolicy.Decision.Collect collect ? collect : null;
        // Only a head that the decoder remembers: another one would be held here until the next.
        lastRequest = whole == null ? null : request;
        lastGeneration = generation;
        return decision;
    }

    /** Takes the body of a request that is all there. */
    private void addWhole(ChannelHandlerContext ctx) {
        RepeatedRequest repeated = whole;
        whole = null;
        if (repeated != null) {
            try {
                add(ctx, repeated.content());
            } finally {
                repeated.release();
            }
            end(ctx);
            settled = false;
        }
    }

    private void dropWhole() {
        if (whole != null) {
            whole.release();
            whole = null;
            settled = false;
        }
    }

    private boolean mayPack(HttpRequest request) {
        return packs && AcceptEncoding.allowsGzip(request.headers().getAll(HttpHeaderNames.ACCEPT_ENCODING));
    }

    private void collect(
            ChannelHandlerContext ctx, HttpRequest request, RequestPolicy.Decision.Collect collect, boolean found) {
        boolean packed = collect.coding() == BodyCoding.GZIP;
        GzipReader reader = found && packed ? GzipReader.open(maxBodyBytes, bytes.share()) : null;
        if (!found || (packed && reader == null)) {
            refuse(ctx, overload(), !isSmall(request));
            return;
        }
        gzip = reader;
        small = isSmall(request);
        granted = collect.granted();
        if (note != null) {
            note.admitted(granted.network().id().name(), granted.caller().name());
        }
        body = new BodyBuffer((int) Math.max(0, announced), maxBodyBytes, bytes.share());
        if (HttpUtil.is100ContinueExpected(request)) {
            ctx.fireChannelRead(new ClientRequest.Expectant());
        }
    }

    private void add(ChannelHandlerContext ctx, ByteBuf piece) {
        if (note != null) {
            note.received(piece.readableBytes());
        }
        if (body != null) {
            BodyBuffer.Added added = gzip == null ? body.add(piece) : gzip.add(piece, body);
            if (added != BodyBuffer.Added.WHOLE) {
                refuseBody(ctx, added);
            }
        }
    }

    private void refuseBody(ChannelHandlerContext ctx, BodyBuffer.Added added) {
        forget();
        switch (added) {
            case TOO_LARGE -> refuse(ctx, new Rejection(Rejection.Reason.SIZE, entrance.tooLarge()), true);
            case BROKEN -> refuse(ctx, new Rejection(Rejection.Reason.GZIP, BROKEN), !small);
            default -> refuse(ctx, overload(), true);
        }
    }

    private static Rejection overload() {
        return new Rejection(Rejection.Reason.OVERLOAD, "overloaded");
    }

    private void end(ChannelHandlerContext ctx) {
        if (gzip != null && !gzip.isWhole()) {
            small = true;
            refuseBody(ctx, BodyBuffer.Added.BROKEN);
            return;
        }
        BodyBuffer collected = body;
        // Whoever gets it closes its share.
        body = null;
        Admission.Granted admitted = granted;
        ClientRequest.Handshake shake = handshake;
        forget();
        if (collected != null && admitted != null) {
            ctx.fireChannelRead(new ClientRequest.Calls(collected, admitted, style));
        } else if (shake != null) {
            ctx.fireChannelRead(shake);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        forget();
        ctx.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        forget();
    }

    private void refuse(ChannelHandlerContext ctx, Rejection refusal, boolean closes) {
        note = null;
        settled = true;
        ctx.fireChannelRead(new ClientRequest.Refused(refusal, closes ? style.closing() : style));
    }

    private void forget() {
        if (body != null) {
            body.share().close();
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
        note = null;
    }

    /** Whether the body will certainly come and is short: one that is held back until asked for may never come. */
    private boolean isSmall(HttpRequest request) {
        return !HttpUtil.isTransferEncodingChunked(request)
                && !HttpUtil.is100ContinueExpected(request)
                && announced <= DISCARD_BYTES;
    }
}
