package io.weir.transport.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.weir.jsonrpc.RpcReply;
import io.weir.metrics.RateLimitedLogger;
import io.weir.network.Generation;
import io.weir.pipeline.AnswerSink;
import io.weir.pipeline.RequestAnswer;
import io.weir.transport.answer.AnswerShare;
import io.weir.transport.answer.AnswerText;
import io.weir.transport.entry.Admission;
import io.weir.transport.entry.BodyBuffer;
import io.weir.transport.entry.BudgetWait;
import io.weir.transport.entry.ConnectionCalls;
import io.weir.transport.entry.Drain;
import io.weir.transport.entry.ListenerContext;
import io.weir.transport.entry.ReadPauseHandler;
import io.weir.transport.http.ClientRequest;
import io.weir.transport.log.AccessLogEntry;
import java.io.IOException;
import java.net.InetAddress;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Runs the messages of a WebSocket, many at a time, and answers each as it ends. Confined to its event loop. */
final class SessionHandler extends ChannelInboundHandlerAdapter {

    private static final RateLimitedLogger LOG = new RateLimitedLogger(LoggerFactory.getLogger(SessionHandler.class));

    private final ListenerContext door;
    private final ReadPauseHandler pause;
    private final BudgetWait room;
    private final ClientRequest.Handshake handshake;
    private final @Nullable InetAddress client;
    private @Nullable ConnectionCalls running;
    private Generation generation;
    private Admission.Granted granted;
    private int inFlight;
    private boolean draining;
    private boolean ended;

    /**
     * Serves a WebSocket.
     *
     * @param client for the notes that are taken, or null where none are
     */
    SessionHandler(
            ListenerContext door,
            ReadPauseHandler pause,
            ClientRequest.Handshake handshake,
            @Nullable InetAddress client) {
        this.client = client;
        this.door = door;
        this.pause = pause;
        this.room = new BudgetWait(door.bytes(), pause);
        this.handshake = handshake;
        this.generation = handshake.generation();
        this.granted = handshake.granted();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        door.webSockets().incrementAndGet();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        door.webSockets().decrementAndGet();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof BodyBuffer whole) {
            if (!ended && isStillWelcome(ctx)) {
                run(ctx, whole);
            } else {
                whole.share().close();
            }
        }
    }

    /** A configuration that came later may have taken the key, the network, the host or the page's origin away. */
    private boolean isStillWelcome(ChannelHandlerContext ctx) {
        Generation now = door.current().get();
        if (now == generation) {
            return true;
        }
        Admission admission =
                Admission.decide(now, handshake.target(), handshake.source().host());
        if (admission instanceof Admission.Granted still && handshake.source().refusal(now) == null) {
            generation = now;
            granted = still;
            return true;
        }
        end(ctx, WebSocketCloseStatus.POLICY_VIOLATION, "not permitted any more");
        return false;
    }

    private void run(ChannelHandlerContext ctx, BodyBuffer message) {
        if (++inFlight >= door.config().maxPipelined()) {
            pause.pause(ReadPauseHandler.Cause.IN_FLIGHT);
        }
        if (running == null) {
            running = new ConnectionCalls(door, pause, ctx.channel().eventLoop());
        }
        AccessLogEntry note = note(message);
        AnswerShare share = new AnswerShare(message.share());
        running.run(message, granted, note, new AnswerSink() {
            @Override
            public void keep(RpcReply reply) {
                share.keep(reply);
            }

            @Override
            public void accept(RequestAnswer answer) {
                try {
                    answered(ctx, share, note, answer);
                } catch (RuntimeException | Error e) {
                    share.close();
                    end(note, 0, false);
                    exceptionCaught(ctx, e);
                }
            }
        });
        // Messages behind it wait a little where there is no room, and are then tried.
        room.await(ctx, found -> {});
    }

    private @Nullable AccessLogEntry note(BodyBuffer message) {
        AccessLogEntry note = door.note(AccessLogEntry.Protocol.WEBSOCKET, client);
        if (note != null) {
            note.admitted(granted.network().id().name(), granted.caller().name());
            note.received(message.length());
        }
        return note;
    }

    private void answered(
            ChannelHandlerContext ctx, AnswerShare share, @Nullable AccessLogEntry note, RequestAnswer answer) {
        inFlight--;
        if (note != null) {
            note.answered(answer);
        }
        if (ended) {
            share.close();
            end(note, 0, false);
            return;
        }
        share.add(answer);
        send(ctx, share, note, text(answer));
        if (draining && inFlight == 0) {
            end(ctx, WebSocketCloseStatus.ENDPOINT_UNAVAILABLE, "going away");
        } else if (inFlight < door.config().maxPipelined()) {
            pause.resume(ReadPauseHandler.Cause.IN_FLIGHT);
        }
    }

    private void send(
            ChannelHandlerContext ctx, AnswerShare share, @Nullable AccessLogEntry note, @Nullable AnswerText text) {
        if (text == null) {
            share.close();
            end(note, 0, true);
            return;
        }
        ByteBuf bytes;
        try {
            bytes = ctx.alloc().ioBuffer(text.length());
        } catch (OutOfMemoryError e) {
            share.close();
            end(note, 0, false);
            exceptionCaught(ctx, e);
            return;
        }
        text.writeTo(bytes);
        ctx.writeAndFlush(new TextWebSocketFrame(bytes)).addListener(sent -> {
            share.close();
            end(note, text.length(), sent.isSuccess());
        });
    }

    private static void end(@Nullable AccessLogEntry note, int bytes, boolean whole) {
        if (note != null) {
            note.end(0, bytes, whole);
        }
    }

    private static @Nullable AnswerText text(RequestAnswer answer) {
        if (answer instanceof RequestAnswer.One one) {
            return AnswerText.one(one.id(), one.reply());
        }
        if (answer instanceof RequestAnswer.Many many) {
            return AnswerText.many(many);
        }
        if (answer instanceof RequestAnswer.Refused refused && !refused.ids().isEmpty()) {
            return AnswerText.refusedEach(refused);
        }
        return null;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof Drain drain) {
            if (drain.spreadMillis() > 0) {
                long delay = ThreadLocalRandom.current().nextLong(drain.spreadMillis());
                ctx.executor().schedule(() -> drain(ctx), delay, TimeUnit.MILLISECONDS);
            } else {
                drain(ctx);
            }
        }
        ctx.fireUserEventTriggered(event);
    }

    private void drain(ChannelHandlerContext ctx) {
        if (draining || ended) {
            return;
        }
        draining = true;
        pause.pause(ReadPauseHandler.Cause.ENDING);
        if (inFlight == 0) {
            end(ctx, WebSocketCloseStatus.ENDPOINT_UNAVAILABLE, "going away");
        }
    }

    /** Says why and reads on, so that the client's own close frame is seen. */
    private void end(ChannelHandlerContext ctx, WebSocketCloseStatus status, String reason) {
        ended = true;
        ctx.writeAndFlush(new CloseWebSocketFrame(status, reason));
        dropWaiting();
        pause.resume(ReadPauseHandler.Cause.ENDING);
        pause.resume(ReadPauseHandler.Cause.IN_FLIGHT);
    }

    private void dropWaiting() {
        if (running != null) {
            running.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        ended = true;
        dropWaiting();
        ctx.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof IOException)) {
            LOG.warn("WebSocket: failed inside", cause);
        }
        ctx.close();
    }
}
