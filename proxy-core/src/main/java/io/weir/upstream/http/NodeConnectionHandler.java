package io.weir.upstream.http;

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
import io.weir.jsonrpc.reply.ResultStart;
import io.weir.metrics.RateLimitedLogger;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.NodeOutcome.Flaw;
import io.weir.upstream.wire.Attempt;
import io.weir.upstream.wire.BodyCollector;
import io.weir.upstream.wire.Message;
import io.weir.upstream.wire.NodeConnector;
import io.weir.upstream.wire.ReplyVerdict;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Connection to a node that carries one call at a time and reads its answer. It closes if the position of the next answer is
 * in doubt. Confined to its event loop.
 */
final class NodeConnectionHandler extends ChannelInboundHandlerAdapter implements NodeConnector.Line {

    private static final RateLimitedLogger LOG =
            new RateLimitedLogger(LoggerFactory.getLogger(NodeConnectionHandler.class));

    /** Bytes of an unread body that are awaited so that the connection can be kept. */
    private static final int MAX_DRAINED_BYTES = 1 << 16;

    private static final Failed BROKEN =
            ReplyVerdict.failed(Fault.DISCONNECTED, Executed.MAYBE, "the connection broke");

    private static final Failed STALE = ReplyVerdict.failed(
            Fault.STALE_CONNECTION, Executed.MAYBE, "a kept connection broke before an answer began");
    private static final Failed CUT_OFF = Failed.of(Flaw.CUT_OFF, "the connection broke within the answer");
    private static final Failed NOT_HTTP = Failed.of(Flaw.NOT_HTTP, "no HTTP");

    private final LoopConnections owner;
    private final int generation;
    private @Nullable Channel channel;
    private boolean used;
    private long idleSinceNanos;

    private @Nullable Attempt<Message, NodeConnectionHandler> attempt;
    private @Nullable NodeAnswerHead head;
    private @Nullable Failed verdict;
    private @Nullable BodyCollector body;
    /** The length of the body; -1 if it is unknown. */
    private long declared;

    /** Collected bytes from which on it is tried to let the result go on. */
    private long passFrom;

    /** The result that goes on while it arrives. Null for most answers. */
    private @Nullable PassingResult passing;

    private int drained;
    /** Null while the answer is wanted. */
    private @Nullable Failed unwanted;

    /**
     * Creates the handler of a future connection.
     *
     * @param generation of the owner's connections at that time
     */
    NodeConnectionHandler(LoopConnections owner, int generation) {
        this.owner = owner;
        this.generation = generation;
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

    /** Returns whether the connection has completed a call. */
    boolean used() {
        return used;
    }

    long idleSinceNanos() {
        return idleSinceNanos;
    }

    void idleSince(long nanos) {
        idleSinceNanos = nanos;
    }

    /** Sends a request. The next one must wait for the answer. */
    void send(Attempt<Message, NodeConnectionHandler> next, byte[] requestHead, byte[] requestBody) {
        Channel open = channel;
        if (open == null) {
            throw new IllegalStateException("connection: not ready (expected: ready)");
        }
        attempt = next;
        next.sentOver(this);
        open.writeAndFlush(RequestHead.before(requestBody, requestHead, next.traceHeaders(), open.alloc()))
                .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    }

    /** Returns the attempt in flight; null if there is none. */
    @Nullable
    Attempt<Message, NodeConnectionHandler> attempt() {
        return attempt;
    }

    /**
     * Drops the answer to the call in flight, as far as it is still to come.
     *
     * @param reason ends the connection if the answer is long
     */
    void discardAnswer(Failed reason) {
        forgetBody();
        read(true);
        unwanted = reason;
        if (head != null && !head.isInterim()) {
            verdict = verdict == null ? reason : verdict;
        }
    }

    /** Closes the connection. A call in flight ends with this outcome. */
    void close(NodeOutcome outcome) {
        Attempt<Message, NodeConnectionHandler> ended = attempt;
        attempt = null;
        forgetBody();
        close();
        if (ended != null) {
            ended.end(outcome);
        }
    }

    /** Closes the connection, which carries no call. */
    void close() {
        if (channel != null) {
            channel.close();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
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
        head = answer;
        drained = 0;
        if (answer.isInterim()) {
            return;
        }
        verdict = unwanted != null ? unwanted : answer.verdict();
        declared = length;
        passFrom = Long.MAX_VALUE;
        if (verdict == null) {
            collectAnswer(answer.isSuccess());
        } else if (unwanted == null && answer.mayNamePause() && declared <= BodyCollector.SMALL_BYTES) {
            collect(BodyCollector.SMALL_BYTES, declared);
        }
    }

    private void collectAnswer(boolean success) {
        ConnectionLimits limits = owner.limits();
        boolean large = success && declared > limits.streamFrom() && declared <= limits.maxStreamedBytes();
        if (large && attempt != null && declared > attempt.wholeUpTo()) {
            // Its array is not made before it is known that the result must be collected.
            passFrom = 1;
            collect(limits.maxResponseBytes(), -1);
        } else if (declared > limits.maxResponseBytes()) {
            close(ReplyVerdict.tooLarge());
        } else {
            passFrom = success && declared < 0 ? limits.streamFrom() + 1L : Long.MAX_VALUE;
            collect(limits.maxResponseBytes(), declared);
        }
    }

    private void collect(int maxBytes, long length) {
        body = new BodyCollector(maxBytes, (int) length, owner.limits().bytes().reserve());
    }

    private void forgetBody() {
        if (body != null) {
            body.reservation().close();
            body = null;
        }
        PassingResult broken = passing;
        if (broken != null) {
            passing = null;
            broken.broken();
        }
    }

    /** Lets the result that is being collected go on, if it has begun and its call allows it. */
    private void pass(BodyCollector collected, Attempt<Message, NodeConnectionHandler> wanted) {
        long whole = wanted.wholeUpTo();
        if (declared < 0 && collected.length() <= whole) {
            passFrom = whole == Long.MAX_VALUE ? whole : whole + 1;
            return;
        }
        int start = ResultStart.find(collected.bytes(), collected.length());
        if (start == ResultStart.LATER) {
            return;
        }
        passFrom = Long.MAX_VALUE;
        PassingResult result =
                start < 0 ? null : PassingResult.offer(this, owner, collected.reservation(), wanted, declared - start);
        if (result != null) {
            start(result, collected, start);
        } else if (declared > owner.limits().maxResponseBytes()) {
            close(ReplyVerdict.tooLarge());
        } else {
            collected.expect((int) declared);
        }
    }

    private void start(PassingResult result, BodyCollector collected, int start) {
        if (body != collected) {
            // Its taker gave it up at once.
            result.close();
            return;
        }
        body = null;
        passing = result;
        Failed flaw = result.start(collected.bytes(), start, collected.length());
        if (flaw != null) {
            close(flaw);
        }
    }

    /** Pauses the reading of an answer, or goes on. */
    void read(boolean on) {
        if (channel != null) {
            channel.config().setAutoRead(on);
        }
    }

    /** Ends a call whose result has stopped to arrive. */
    void fellSilent() {
        close(ReplyVerdict.failed(Fault.TIMEOUT, Executed.MAYBE, "the rest of the answer did not come in time"));
    }

    private void take(HttpContent content) {
        if (content.decoderResult().isFailure()) {
            close(verdict != null ? verdict : Failed.of(Flaw.BROKEN_FRAMING, "broken framing"));
            return;
        }
        take(content.content(), content instanceof LastHttpContent);
    }

    /** @param last whether the answer ends with these bytes */
    private void take(ByteBuf content, boolean last) {
        if (passing != null) {
            takePassing(passing, content, last);
            return;
        }
        BodyCollector.Added added = body == null ? BodyCollector.Added.WHOLE : body.add(content);
        if (added == BodyCollector.Added.TOO_LARGE) {
            close(verdict != null ? verdict : ReplyVerdict.tooLarge());
        } else if (added == BodyCollector.Added.OVER_BUDGET) {
            close(verdict != null ? verdict : ReplyVerdict.overBudget());
        } else if (body == null && (drained += content.readableBytes()) > MAX_DRAINED_BYTES) {
            close(verdict != null ? verdict : NOT_HTTP);
        } else if (last) {
            finish();
        } else if (body != null && body.length() >= passFrom && attempt != null) {
            pass(body, attempt);
        }
    }

    private void takePassing(PassingResult result, ByteBuf content, boolean last) {
        Failed flaw = result.take(content);
        if (flaw != null) {
            close(flaw);
        } else if (last) {
            finish();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (passing != null) {
            passing.flush();
        }
    }

    private void finish() {
        NodeAnswerHead ended = head;
        Attempt<Message, NodeConnectionHandler> done = attempt;
        if (ended == null || done == null || ended.isInterim()) {
            head = null;
            return;
        }
        BodyCollector whole = body;
        NodeOutcome outcome = verdict;
        if (passing != null) {
            outcome = passing.finish(done.request(), ended.status());
            passing = null;
            read(true);
        } else if (whole != null) {
            outcome = verdict == null
                    ? done.request().read(ended.status(), whole.bytes(), whole.length())
                    : ReplyVerdict.withPauseOf(verdict, whole.bytes(), whole.length());
        }
        head = null;
        verdict = null;
        unwanted = null;
        body = null;
        attempt = null;
        used = true;
        boolean bad = outcome instanceof Failed failed && failed.fault() == Fault.BAD_ANSWER;
        if (ended.keepsConnection() && !bad) {
            owner.release(this);
        } else {
            close();
        }
        NodeOutcome result = outcome == null ? NOT_HTTP : outcome;
        if (whole == null) {
            done.end(result);
        } else {
            whole.reservation().handOver(() -> done.end(result));
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (channel == null) {
            // The connection never became ready: its connector reports that.
            return;
        }
        Attempt<Message, NodeConnectionHandler> broken = attempt;
        attempt = null;
        boolean stale = broken != null && used && head == null;
        Failed seen = verdict != null ? verdict : head != null ? CUT_OFF : stale ? STALE : BROKEN;
        forgetBody();
        owner.gone(this, stale, () -> {
            if (broken != null) {
                broken.end(seen);
            }
        });
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof Error || cause.getCause() instanceof Error) {
            LOG.warn("an answer of an upstream could not be read", cause);
            close(ReplyVerdict.failed(Fault.INTERNAL, Executed.MAYBE, "the proxy failed to read an answer"));
        }
        // Otherwise a reset or a broken TLS record: the call in flight ends with the connection.
        ctx.close();
    }
}
