package io.weir.upstream.link;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.weir.framing.BodyBuffer;
import io.weir.framing.DecimalText;
import io.weir.framing.HeadCache.Repeated;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.reply.ResultStart;
import io.weir.metrics.RateLimitedLogger;
import io.weir.tracing.TraceHeaders;
import io.weir.upstream.Attempt;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.NodeOutcome.Flaw;
import io.weir.upstream.link.NodeAnswerDecoder.NodeAnswerHead;
import io.weir.upstream.link.NodeConnectionHandler.Codec;
import io.weir.upstream.link.WebSocketConnectionHandler.ReconnectPause;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.DataFormatException;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Connection to a node in HTTP/1.1. It carries one call at a time and reads its answer, whose body is collected, goes on to its client while
 * it arrives ({@link PassingResult}), or is dropped. Confined to its event loop.
 */
final class HttpConnectionHandler extends NodeConnectionHandler implements AnswerUnpacker.Taker {

    private static final RateLimitedLogger LOG =
            new RateLimitedLogger(LoggerFactory.getLogger(HttpConnectionHandler.class));

    /** Time in which an unwanted answer must end. */
    private static final long MAX_DISCARD_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Bytes of an unread body that are awaited so that the connection can be kept. */
    private static final int MAX_DRAINED_BYTES = 1 << 16;

    private static final byte[] END_OF_HEAD = "\r\n\r\n".getBytes(US_ASCII);
    private static final int MAX_LENGTH_DIGITS = 10;

    private static final Failed STALE = ReplyVerdict.failed(
            Fault.STALE_CONNECTION, Executed.MAYBE, "a kept connection broke before an answer began");
    private static final Failed CUT_OFF = Failed.of(Flaw.CUT_OFF, "the connection broke within the answer");
    private static final Failed NOT_HTTP = Failed.of(Flaw.NOT_HTTP, "no HTTP");
    private static final Failed BROKEN_FRAMING = Failed.of(Flaw.BROKEN_FRAMING, "broken framing");
    private static final Failed NOT_GZIP = Failed.of(Flaw.BROKEN_CODING, "a body that is not whole gzip");

    private final byte[] requestHead;
    private final long bornNanos = System.nanoTime();
    /** Null before the first answer in gzip. */
    private @Nullable AnswerUnpacker unpacker;

    private @Nullable Attempt attempt;
    private @Nullable NodeAnswerHead head;
    private @Nullable Failed verdict;
    /** Null while the answer is wanted. */
    private @Nullable Failed unwanted;

    /** The collected part of the body; null if the body goes on or is dropped. */
    private @Nullable BodyBuffer body;
    /** The length of the body; -1 if it is unknown. */
    private long declared;

    /** Collected bytes from which on it is tried to let the result go on. */
    private long passFrom;

    /** The result that goes on while it arrives. Null for most answers. */
    private @Nullable PassingResult passing;

    private int drained;

    /**
     * HTTP/1.1: one call at a time on a connection. All requests to one node share their head, and each has a length, so no intermediary
     * can mistake where it ends. Immutable; holds credentials.
     */
    static final class HttpCodec implements Codec {

        /** Up to the value of the last header, which is the length of the body. */
        private final byte[] head;

        private HttpCodec(byte[] head) {
            this.head = head;
        }

        /**
         * Encodes the head, as {@link NodeAddress#headers}.
         *
         * @param gzip whether answers may come in gzip
         */
        static HttpCodec of(NodeAddress address, Map<String, String> configured, boolean gzip) {
            HttpHeaders headers = address.headers(Map.of(HttpHeaderNames.ACCEPT, "application/json"), configured);
            headers.set(HttpHeaderNames.CONTENT_TYPE, "application/json");
            if (gzip) {
                headers.set(HttpHeaderNames.ACCEPT_ENCODING, HttpHeaderValues.GZIP);
            }
            StringBuilder text =
                    new StringBuilder("POST ").append(address.target()).append(" HTTP/1.1\r\n");
            headers.forEach(header -> text.append(header.getKey())
                    .append(": ")
                    .append(header.getValue())
                    .append("\r\n"));
            return new HttpCodec(text.append("content-length: ").toString().getBytes(ISO_8859_1));
        }

        @Override
        public NodeConnectionHandler connection(Link link) {
            return new HttpConnectionHandler(link, this);
        }

        @Override
        public boolean isMultiplexed() {
            return false;
        }

        @Override
        public @Nullable ReconnectPause pause() {
            return null;
        }
    }

    HttpConnectionHandler(Link link, HttpCodec codec) {
        super(link);
        this.requestHead = codec.head;
    }

    @Override
    public void addTo(ChannelPipeline pipeline) {
        pipeline.addLast(new NodeAnswerDecoder(), this);
    }

    /** Returns whether the time to renew is over, with up to a quarter more, so that those that were made together do not end together. */
    private boolean isOld() {
        long nanos = TimeUnit.MILLISECONDS.toNanos(link.limits().renewMillis());
        return System.nanoTime() - bornNanos >= nanos + nanos / 1024 * (hashCode() & 0xff);
    }

    @Override
    int calls() {
        return attempt == null ? 0 : 1;
    }

    @Override
    void addCalls(List<Attempt> all) {
        if (attempt != null) {
            all.add(attempt);
        }
    }

    @Override
    void send(Attempt next, long id, RawJson text) {
        Channel open = channel();
        if (open == null) {
            throw new IllegalStateException("connection: not ready (expected: ready)");
        }
        attempt = next;
        // Not a void promise: TLS drops a write after the node's end of the connection without a word.
        open.writeAndFlush(request(text, next.traceHeaders(), open.alloc()))
                .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    }

    /**
     * Returns a whole request, which the caller owns.
     *
     * @param trace headers of this request alone; null for none
     */
    private ByteBuf request(RawJson body, @Nullable TraceHeaders trace, ByteBufAllocator allocator) {
        String more = trace == null ? "" : lines(trace);
        ByteBuf request = allocator
                .buffer(requestHead.length + MAX_LENGTH_DIGITS + more.length() + END_OF_HEAD.length + body.length())
                .writeBytes(requestHead);
        DecimalText.write(request, body.length());
        if (trace != null) {
            request.writeCharSequence(more, US_ASCII);
        }
        return request.writeBytes(END_OF_HEAD).writeBytes(body.array(), body.offset(), body.length());
    }

    private static String lines(TraceHeaders trace) {
        String parent = "\r\n" + TraceHeaders.PARENT + ": " + trace.parent();
        return trace.state() == null ? parent : parent + "\r\n" + TraceHeaders.STATE + ": " + trace.state();
    }

    @Override
    public boolean awaitsAnswer() {
        return attempt != null;
    }

    @Override
    void giveUp(Attempt late, Failed outcome) {
        close(outcome);
    }

    @Override
    boolean discardAnswer(Attempt given, Failed reason) {
        forgetBody();
        read(true);
        unwanted = reason;
        if (head != null && !head.isInterim()) {
            verdict = verdict == null ? reason : verdict;
        }
        given.endsWith(link.resources()
                .loop()
                .schedule(
                        () -> {
                            if (given.equals(attempt)) {
                                close(reason);
                            }
                        },
                        MAX_DISCARD_NANOS,
                        TimeUnit.NANOSECONDS));
        return true;
    }

    /** Takes the call out of flight, and gives its place back. */
    private @Nullable Attempt takeCall() {
        Attempt ended = attempt;
        attempt = null;
        if (ended != null) {
            giveBack(ended);
        }
        return ended;
    }

    @Override
    void end(NodeOutcome outcome) {
        Attempt ended = takeCall();
        try {
            forgetBody();
        } finally {
            disconnect();
            if (ended != null) {
                ended.end(outcome);
            }
        }
    }

    @Override
    void disconnect() {
        Channel open = channel();
        if (open != null) {
            open.close();
        }
        if (unpacker != null) {
            unpacker.drop();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (unpacker == null && message instanceof NodeAnswerHead answer && answer.packed()) {
            unpacker = new AnswerUnpacker(this, link.resources());
        }
        if (unpacker == null) {
            accept(ctx, message);
        } else {
            unpacker.take(ctx, message);
        }
    }

    @Override
    public void accept(ChannelHandlerContext ctx, Object message) {
        try {
            if (attempt == null) {
                // Unrequested bytes, or the rest of the answer to a call that was given up.
                ctx.close();
                return;
            }
            if (message instanceof Repeated<?> answer && answer.first() instanceof NodeAnswerHead first) {
                begin(first, answer.content().readableBytes());
                take(answer.content(), true);
                return;
            }
            if (message instanceof NodeAnswerHead answer) {
                begin(answer, answer.length());
            } else if (message instanceof HttpResponse broken) {
                boolean cut = broken.decoderResult().cause() instanceof PrematureChannelClosureException;
                close(cut ? CUT_OFF : NOT_HTTP);
                return;
            }
            if (message instanceof HttpContent content && head != null) {
                take(content);
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    /** @param length of the body; -1 if it is unknown */
    private void begin(NodeAnswerHead answer, long length) {
        Attempt call = attempt;
        head = answer;
        if (answer.isInterim() || call == null) {
            return;
        }
        verdict = unwanted != null ? unwanted : answer.verdict();
        drained = 0;
        declared = length;
        passFrom = Long.MAX_VALUE;
        if (verdict == null) {
            beginBody(answer.isSuccess(), call);
        } else if (unwanted == null && answer.mayBodySayMore() && length <= MAX_DRAINED_BYTES) {
            collect(MAX_DRAINED_BYTES, length, call);
        }
    }

    private void beginBody(boolean success, Attempt call) {
        LinkLimits limits = link.limits();
        boolean large = success && declared > limits.streamFrom();
        if (large && !call.isCollected()) {
            // Its array is not made before it is known that the result must be collected.
            passFrom = 1;
            collect(limits.maxResponseBytes(), -1, call);
        } else if (declared > limits.maxResponseBytes()) {
            close(ReplyVerdict.tooLarge());
        } else {
            passFrom = success && declared < 0 ? limits.streamFrom() + 1L : Long.MAX_VALUE;
            collect(limits.maxResponseBytes(), declared, call);
        }
    }

    private void collect(int maxBytes, long length, Attempt call) {
        body = BodyBuffer.ofNode((int) length, maxBytes, link.limits().bytes().reserve(call.holder()));
    }

    /** Pauses the reading of the answer, or goes on. */
    void read(boolean on) {
        Channel open = channel();
        if (unpacker != null) {
            unpacker.read(on);
        } else if (open != null) {
            open.config().setAutoRead(on);
        }
    }

    /** Ends the call, whose result has stopped to arrive. */
    void fellSilent() {
        close(ReplyVerdict.failed(Fault.TIMEOUT, Executed.MAYBE, "the rest of the answer did not come in time"));
    }

    private void take(HttpContent content) {
        if (content.decoderResult().isFailure()) {
            refuse(content.decoderResult().cause() instanceof DataFormatException ? NOT_GZIP : BROKEN_FRAMING);
            return;
        }
        take(content.content(), content instanceof LastHttpContent);
    }

    /** @param last whether the answer ends with these bytes */
    private void take(ByteBuf content, boolean last) {
        Failed flaw = add(content);
        if (flaw != null) {
            refuse(flaw);
        } else if (last) {
            finish();
        } else if (attempt != null && body != null && body.length() >= passFrom) {
            Failed unfit = passOn(attempt, body);
            if (unfit != null) {
                close(unfit);
            }
        }
    }

    /** Takes the next bytes of the body, which remain the caller's. Returns the flaw of the answer; null if there is none so far. */
    private @Nullable Failed add(ByteBuf content) {
        if (passing != null) {
            return passing.take(content);
        }
        if (body == null) {
            drained += content.readableBytes();
            return drained > MAX_DRAINED_BYTES ? NOT_HTTP : null;
        }
        return switch (body.add(content)) {
            case ADDED -> null;
            case TOO_LARGE -> ReplyVerdict.tooLarge();
            case OVER_BUDGET, MALFORMED -> ReplyVerdict.overBudget();
        };
    }

    /** Lets a large result go on if it has begun and its call allows it. Returns the flaw of the answer; null if there is none. */
    private @Nullable Failed passOn(Attempt wanted, BodyBuffer collected) {
        if (declared < 0 && wanted.isCollected()) {
            passFrom = Long.MAX_VALUE;
            return null;
        }
        int start = ResultStart.find(collected.array(), collected.length());
        if (start == ResultStart.LATER) {
            return null;
        }
        passFrom = Long.MAX_VALUE;
        PassingResult result = start < 0
                ? null
                : PassingResult.offer(this, link.resources(), collected.reservation(), wanted, declared - start);
        if (result == null) {
            collected.expect((int) declared);
            return declared > link.limits().maxResponseBytes() ? ReplyVerdict.tooLarge() : null;
        }
        if (body != collected) {
            // Its taker gave it up at once.
            result.close();
            return null;
        }
        body = null;
        passing = result;
        return result.start(collected.array(), start, collected.length());
    }

    /** Drops what arrived of the body, and what is still to come. */
    private void forgetBody() {
        BodyBuffer collected = body;
        PassingResult broken = passing;
        body = null;
        passing = null;
        if (collected != null) {
            collected.reservation().close();
        }
        if (broken != null) {
            broken.end(false);
        }
    }

    @Override
    public void refuse(Failed flaw) {
        close(verdict != null ? verdict : flaw);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        flush();
        if (unpacker != null) {
            unpacker.readComplete();
        }
    }

    @Override
    public void flush() {
        if (passing != null) {
            passing.flush();
        }
    }

    private void finish() {
        NodeAnswerHead ended = head;
        Attempt done = attempt;
        if (ended == null || done == null || ended.isInterim()) {
            head = null;
            return;
        }
        PassingResult passed = passing;
        BodyBuffer collected = body;
        NodeOutcome outcome = verdict;
        if (passed != null) {
            passing = null;
            outcome = passed.finish(done, ended.status());
            read(true);
        } else if (collected != null) {
            // Until it was read, a failure gives it back.
            outcome = ReplyVerdict.of(done, ended.status(), collected.array(), collected.length(), verdict);
        }
        body = null;
        head = null;
        verdict = null;
        unwanted = null;
        takeCall();
        markUsed();
        boolean bad = outcome instanceof Failed failed && failed.fault() == Fault.BAD_ANSWER;
        NodeOutcome result = outcome == null ? NOT_HTTP : outcome;
        try {
            if (ended.keepsConnection() && !bad && !isOld()) {
                link.release(this);
            } else {
                retire();
            }
        } finally {
            // The call ends, and its bytes are given back, even if the connection cannot go on.
            if (collected == null) {
                done.end(result);
            } else {
                collected.reservation().handOver(() -> done.end(result));
            }
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (unpacker == null) {
            ended();
        } else {
            unpacker.ended();
        }
    }

    @Override
    public void ended() {
        if (!detach()) {
            return;
        }
        Attempt broken = takeCall();
        boolean stale = broken != null && isUsed() && head == null;
        Failed seen = verdict != null ? verdict : head != null ? CUT_OFF : stale ? STALE : BROKEN;
        try {
            forgetBody();
        } finally {
            link.gone(this, stale, () -> {
                if (broken != null) {
                    broken.end(seen);
                }
            });
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!NodeConnector.isBroken(cause)) {
            LOG.warn("an answer of an upstream could not be read", cause);
            close(ReplyVerdict.failed(Fault.INTERNAL, Executed.MAYBE, "the proxy failed to read an answer"));
        }
        // Otherwise the call in flight ends with the connection.
        ctx.close();
        if (unpacker != null && !(cause instanceof IOException)) {
            unpacker.drop();
        }
    }
}
