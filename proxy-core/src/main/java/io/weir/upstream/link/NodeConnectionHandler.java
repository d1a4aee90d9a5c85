package io.weir.upstream.link;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.weir.metrics.RateLimitedLogger;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.NodeOutcome.Flaw;
import io.weir.upstream.wire.Attempt;
import io.weir.upstream.wire.NodeConnector;
import io.weir.upstream.wire.ReplyVerdict;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.zip.DataFormatException;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Connection to a node that carries one call at a time and reads its answer. It closes if the position of the next answer is
 * in doubt. Confined to its event loop.
 */
final class NodeConnectionHandler extends ChannelInboundHandlerAdapter
        implements NodeConnector.Line, PassingResult.Line, AnswerUnpacker.Taker {

    private static final RateLimitedLogger LOG =
            new RateLimitedLogger(LoggerFactory.getLogger(NodeConnectionHandler.class));

    private static final Failed BROKEN =
            ReplyVerdict.failed(Fault.DISCONNECTED, Executed.MAYBE, "the connection broke");

    private static final Failed STALE = ReplyVerdict.failed(
            Fault.STALE_CONNECTION, Executed.MAYBE, "a kept connection broke before an answer began");
    private static final Failed CUT_OFF = Failed.of(Flaw.CUT_OFF, "the connection broke within the answer");
    private static final Failed NOT_HTTP = Failed.of(Flaw.NOT_HTTP, "no HTTP");
    private static final Failed BROKEN_FRAMING = Failed.of(Flaw.BROKEN_FRAMING, "broken framing");
    private static final Failed NOT_GZIP = Failed.of(Flaw.BROKEN_CODING, "a body that is not whole gzip");

    private final LoopConnections owner;
    private final long bornNanos = System.nanoTime();
    private final int generation;
    /** Null before the first answer in gzip. */
    private @Nullable AnswerUnpacker unpacker;

    private final AnswerBody body;

    private @Nullable Channel channel;
    private boolean used;
    private boolean withheld;
    private boolean closing;
    private long idleSinceNanos;

    private @Nullable Attempt attempt;
    private @Nullable NodeAnswerHead head;
    private @Nullable Failed verdict;
    /** Null while the answer is wanted. */
    private @Nullable Failed unwanted;

    /** @param generation of the owner's connections at that time */
    NodeConnectionHandler(LoopConnections owner, int generation) {
        this.owner = owner;
        this.generation = generation;
        this.body = new AnswerBody(this, owner.resources());
    }

    int generation() {
        return generation;
    }

    @Override
    public void addTo(ChannelPipeline pipeline) {
        pipeline.addLast(new NodeAnswerDecoder(), this);
    }

    /** Makes the connection usable. From now on the owner hears of its end. */
    @Override
    public void ready(Channel connected) {
        channel = connected;
    }

    boolean isActive() {
        return channel != null && channel.isActive();
    }

    /** Returns whether the connection is older, with up to a quarter more, so that those that were made together do not end together. */
    boolean isOlderThan(long millis) {
        long nanos = TimeUnit.MILLISECONDS.toNanos(millis);
        return System.nanoTime() - bornNanos >= nanos + nanos / 1024 * (hashCode() & 0xff);
    }

    /** Returns whether the connection has completed a call. */
    boolean used() {
        return used;
    }

    /** Withholds the connection from calls until it is known which node it leads to. Calls find it unused then. */
    void withhold(boolean on) {
        withheld = on;
        used = false;
    }

    /** Returns whether the connection is withheld from calls. */
    boolean isWithheld() {
        return withheld;
    }

    /** Returns whether the node ended the connection after a call. */
    boolean isLost() {
        return used && !closing;
    }

    long idleSinceNanos() {
        return idleSinceNanos;
    }

    void idleSince(long nanos) {
        idleSinceNanos = nanos;
    }

    /** Sends a request. The next one must wait for the answer. */
    void send(Attempt next, byte[] requestHead, byte[] requestBody) {
        Channel open = channel;
        if (open == null) {
            throw new IllegalStateException("connection: not ready (expected: ready)");
        }
        attempt = next;
        next.sentOver(this);
        open.writeAndFlush(RequestHead.before(requestBody, requestHead, next.traceHeaders(), open.alloc()))
                .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    }

    @Override
    public boolean awaitsAnswer() {
        return attempt != null;
    }

    /** Returns the attempt in flight; null if there is none. */
    @Nullable
    Attempt attempt() {
        return attempt;
    }

    /**
     * Drops the answer to the call in flight, as far as it is still to come.
     *
     * @param reason ends the connection if the answer is long
     */
    void discardAnswer(Failed reason) {
        body.forget();
        read(true);
        unwanted = reason;
        if (head != null && !head.isInterim()) {
            verdict = verdict == null ? reason : verdict;
        }
    }

    /** Closes the connection. A call in flight ends with this outcome. */
    void close(NodeOutcome outcome) {
        Attempt ended = attempt;
        attempt = null;
        try {
            body.forget();
        } finally {
            close();
            if (ended != null) {
                ended.end(outcome);
            }
        }
    }

    /** Closes the connection, which carries no call. */
    void close() {
        closing = true;
        if (channel != null) {
            channel.close();
        }
        if (unpacker != null) {
            unpacker.drop();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (unpacker == null && message instanceof NodeAnswerHead answer && answer.packed()) {
            unpacker = new AnswerUnpacker(this, owner.resources());
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
            if (message instanceof RepeatedAnswer answer) {
                begin(answer.first(), answer.content().readableBytes());
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
        Failed flaw = body.begin(answer, length, verdict, unwanted == null && answer.mayBodySayMore(), call);
        if (flaw != null) {
            close(flaw);
        }
    }

    @Override
    public void read(boolean on) {
        if (unpacker != null) {
            unpacker.read(on);
        } else if (channel != null) {
            channel.config().setAutoRead(on);
        }
    }

    @Override
    public void fellSilent() {
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
        Failed flaw = body.take(content);
        if (flaw != null) {
            refuse(flaw);
        } else if (last) {
            finish();
        } else if (attempt != null) {
            Failed unfit = body.passOn(attempt);
            if (unfit != null) {
                close(unfit);
            }
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
        body.flush();
    }

    private void finish() {
        NodeAnswerHead ended = head;
        Attempt done = attempt;
        if (ended == null || done == null || ended.isInterim()) {
            head = null;
            return;
        }
        NodeOutcome outcome = body.end(done.message(), ended.status(), verdict);
        head = null;
        verdict = null;
        unwanted = null;
        attempt = null;
        used = true;
        boolean bad = outcome instanceof Failed failed && failed.fault() == Fault.BAD_ANSWER;
        if (ended.keepsConnection() && !bad) {
            owner.release(this);
        } else {
            close();
        }
        NodeOutcome result = outcome == null ? NOT_HTTP : outcome;
        body.handOver(() -> done.end(result));
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
        if (channel == null) {
            // The connection never became ready: its connector reports that.
            return;
        }
        Attempt broken = attempt;
        attempt = null;
        boolean stale = broken != null && used && head == null;
        Failed seen = verdict != null ? verdict : head != null ? CUT_OFF : stale ? STALE : BROKEN;
        try {
            body.forget();
        } finally {
            owner.gone(this, stale, () -> {
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
