package io.weir.upstream.ws;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.util.ReferenceCountUtil;
import io.weir.jsonrpc.RpcCall;
import io.weir.limit.Reservation;
import io.weir.metrics.RateLimitedLogger;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.NodeOutcome.Flaw;
import io.weir.upstream.wire.Attempt;
import io.weir.upstream.wire.BodyCollector;
import io.weir.upstream.wire.NodeConnector;
import io.weir.upstream.wire.ReplyVerdict;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * One WebSocket to a node: sends calls as they come and hands answers to those who wait for them. Whatever leaves the place of
 * the next message in doubt, or the call that a message answers, closes it. Confined to its event loop.
 */
final class NodeSocketHandler extends ChannelInboundHandlerAdapter implements NodeConnector.Line, KeepAlive.Listener {

    private static final RateLimitedLogger LOG =
            new RateLimitedLogger(LoggerFactory.getLogger(NodeSocketHandler.class));

    private static final Failed BROKEN =
            ReplyVerdict.failed(Fault.DISCONNECTED, Executed.MAYBE, "the connection broke");
    private static final Failed SILENT =
            ReplyVerdict.failed(Fault.DISCONNECTED, Executed.MAYBE, "the node fell silent");

    private static final Failed INTERRUPTED =
            ReplyVerdict.failed(Fault.INTERRUPTED, Executed.MAYBE, "the answer to another call closed the connection");
    private static final Failed UNUSED =
            ReplyVerdict.failed(Fault.CONNECT, Executed.NO, "the connection broke before any answer");

    private final LoopSocket owner;
    /** Counts what has arrived of a frame that is not whole. */
    private final Reservation frames;

    private final MessageCollector messages;
    private final CallsInFlight calls;
    private final CloseHandshake goodbye = new CloseHandshake();
    private @Nullable Opening opening;
    private @Nullable Channel channel;
    private @Nullable KeepAlive keepAlive;
    private boolean answered;
    /** Takes no other call. */
    private boolean retiring;
    /** Is closed for reasons that say nothing of the node. */
    private boolean dismissed;

    NodeSocketHandler(LoopSocket owner) {
        this.owner = owner;
        this.frames = owner.limits().bytes().share();
        this.messages = new MessageCollector(
                owner.limits().maxResponseBytes(), owner.limits().bytes(), frames);
        this.calls = new CallsInFlight(owner.shared().unasked());
    }

    /** A call that was sent. */
    record Sent(NodeSocketHandler socket, long id) {
        /** Ends it so; an answer that still comes is passed over. */
        void giveUp(NodeOutcome outcome) {
            socket.giveUp(id, outcome);
        }
    }

    @Override
    public void addTo(ChannelPipeline pipeline) {
        opening = new Opening(owner.shared().handshake().begin(owner.limits().maxResponseBytes(), frames));
        pipeline.addLast(new HttpClientCodec(NodeConnector.decoding(), false, false), this);
    }

    @Override
    public void open(Channel connected, NodeConnector.Opened opened) {
        if (opening != null) {
            opening.begin(connected, opened);
        }
    }

    @Override
    public void ready(Channel connected) {
        channel = connected;
        opening = null;
        keepAlive = new KeepAlive(connected, owner.limits(), this);
    }

    /** Whether another call may be sent. */
    boolean hasRoom() {
        return channel != null
                && channel.isActive()
                && !retiring
                && calls.count() < owner.limits().maxInFlight();
    }

    /** Sends a call. */
    void send(Attempt<RpcCall, Sent> attempt) {
        Channel open = channel;
        if (open == null) {
            throw new IllegalStateException("socket: not ready (expected: ready)");
        }
        CallsInFlight.Entry entry = calls.add(this, attempt);
        TextWebSocketFrame frame =
                new TextWebSocketFrame(entry.request(owner.shared().connector().allocator()));
        open.writeAndFlush(frame).addListener(written -> {
            if (written.isSuccess()) {
                entry.markWritten();
            } else {
                open.close();
            }
        });
    }

    private void giveUp(long id, NodeOutcome outcome) {
        calls.end(id, outcome);
        afterCall();
    }

    /** Takes no other call, and closes after the last answer. */
    void retire() {
        dismissed = true;
        leave();
        if (isIdle()) {
            goodbye.say(channel);
        }
    }

    /** Closes at once; calls under way end so. */
    void close(NodeOutcome outcome) {
        dismissed = true;
        end(outcome);
    }

    private void leave() {
        retiring = true;
        owner.retired(this);
    }

    private void end(NodeOutcome outcome) {
        leave();
        messages.forget();
        goodbye.say(channel);
        calls.endAll(outcome);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        try {
            if (message instanceof WebSocketFrame frame) {
                take(ctx, frame);
            } else if (opening != null) {
                opening.read(ctx.channel(), message);
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        // Comes with every read, also within a frame that is not whole yet.
        if (keepAlive != null) {
            keepAlive.hear();
        }
        ctx.fireChannelReadComplete();
    }

    private void take(ChannelHandlerContext ctx, WebSocketFrame frame) {
        if (goodbye.isSaid()) {
            return;
        }
        if (frame instanceof PingWebSocketFrame) {
            ctx.writeAndFlush(new PongWebSocketFrame(frame.content().retain()), ctx.voidPromise());
        } else if (frame instanceof CloseWebSocketFrame) {
            leave();
            goodbye.say(channel, (CloseWebSocketFrame) frame.retain());
        } else if (!(frame instanceof PongWebSocketFrame)) {
            add(frame);
        }
    }

    private void add(WebSocketFrame frame) {
        MessageCollector.State state = messages.add(frame);
        if (state == MessageCollector.State.TOO_LARGE) {
            lose(messages.id(), ReplyVerdict.tooLarge());
        } else if (state == MessageCollector.State.NO_ROOM) {
            lose(
                    messages.idOr(() -> AnswerDecoder.idIn(AnswerDecoder.beginning(frame.content()))),
                    ReplyVerdict.noRoom());
        } else if (state == MessageCollector.State.WHOLE) {
            BodyCollector whole = messages.take();
            whole.share().handOver(() -> take(whole));
        }
    }

    private void take(BodyCollector whole) {
        CallsInFlight.Verdict verdict = calls.take(whole, this::leave);
        if (verdict == CallsInFlight.Verdict.ANSWER) {
            answered = true;
            owner.shared().pause().worked();
            afterCall();
        } else if (verdict == CallsInFlight.Verdict.DOUBT) {
            end(INTERRUPTED);
        }
    }

    /** Gives up a message within which the connection stands: no other can be read. */
    private void lose(long id, Failed reason) {
        leave();
        calls.lost(id, reason);
        end(INTERRUPTED);
    }

    /** Takes note that a call has ended. */
    private void afterCall() {
        owner.sendWaiting(this);
        if (isIdle() && retiring) {
            goodbye.say(channel);
        } else if (isIdle() && keepAlive != null) {
            keepAlive.idleFromNow();
        }
    }

    @Override
    public boolean isIdle() {
        return calls.count() == 0;
    }

    @Override
    public void idleLong() {
        retire();
    }

    @Override
    public void silent() {
        leave();
        if (channel != null) {
            channel.close();
        }
        calls.endAll(SILENT);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (channel == null) {
            // It never became ready: whoever connects tells that.
            return;
        }
        channel = null;
        messages.forget();
        if (keepAlive != null) {
            keepAlive.stop();
        }
        goodbye.ended();
        if (!answered && !dismissed) {
            owner.shared().pause().failed(UNUSED);
        }
        leave();
        calls.endAll(BROKEN);
        owner.gone(this);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        AnswerDecoder decoder = ctx.pipeline().get(AnswerDecoder.class);
        if (cause instanceof AnswerDecoder.NoRoomException && channel != null && decoder != null) {
            lose(messages.idOr(decoder::lostId), ReplyVerdict.noRoom());
            return;
        }
        if (cause instanceof CorruptedWebSocketFrameException violation && channel != null) {
            if (violation.closeStatus().equals(WebSocketCloseStatus.MESSAGE_TOO_BIG) && decoder != null) {
                lose(messages.idOr(decoder::lostId), ReplyVerdict.tooLarge());
            } else {
                leave();
                calls.endFirst(Failed.of(Flaw.BROKEN_FRAMING, "broken framing"));
                end(INTERRUPTED);
            }
            return;
        }
        if (cause instanceof Error || cause.getCause() instanceof Error) {
            LOG.warn("a message of an upstream could not be read", cause);
            close(ReplyVerdict.failed(Fault.INTERNAL, Executed.MAYBE, "the proxy failed to read an answer"));
        }
        // Else a reset, or a broken TLS record: calls under way learn it from the connection's end.
        ctx.close();
    }
}
