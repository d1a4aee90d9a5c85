package io.weir.transport.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.weir.access.Caller;
import io.weir.limit.Reservation;
import io.weir.pipeline.ClientSession;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Messages of a WebSocket that answer no call. Confined to its event loop, except for {@link #loop}. */
final class SessionMessages implements ClientSession {

    /** Heap of a message that waits: its frame, its buffer, its promise and its place in the queue. */
    private static final int MESSAGE_BYTES = 250;

    /** Bytes below which a message is copied when it is framed; larger ones share their text. */
    private static final int COPIED_BYTES = 1024;

    private final ChannelHandlerContext ctx;
    /** Counts what waits in the client's share of the bytes in flight. */
    private final Reservation waiting;

    private final @Nullable InetAddress client;
    private final BiConsumer<WebSocketCloseStatus, String> closing;
    private @Nullable Set<Runnable> whenClosed;
    private @Nullable List<Consumer<Caller>> whenReadmitted;
    private @Nullable Caller readmitted;
    private boolean closed;
    private int pendingMessages;
    private long pendingBytes;

    /** @param closing closes the WebSocket with a status and a reason */
    SessionMessages(
            ChannelHandlerContext ctx,
            @Nullable InetAddress client,
            Reservation waiting,
            BiConsumer<WebSocketCloseStatus, String> closing) {
        this.ctx = ctx;
        this.waiting = waiting;
        this.client = client;
        this.closing = closing;
    }

    /** Text in a direct buffer, which messages share. Confined to its event loop. */
    private record Shared(ByteBuf bytes, int length) implements SharedText {

        @Override
        public void close() {
            bytes.release();
        }
    }

    @Override
    public EventLoop loop() {
        return ctx.channel().eventLoop();
    }

    @Override
    public @Nullable InetAddress clientAddress() {
        return client;
    }

    @Override
    public boolean isOpen() {
        return !closed;
    }

    @Override
    public void whenClosed(Runnable action) {
        if (closed) {
            action.run();
            return;
        }
        if (whenClosed == null) {
            whenClosed = new LinkedHashSet<>(2);
        }
        whenClosed.add(action);
    }

    /** Takes back an action of {@link #whenClosed}. */
    void forget(Runnable action) {
        if (whenClosed != null) {
            whenClosed.remove(action);
        }
    }

    @Override
    public void whenReadmitted(Consumer<Caller> action) {
        if (whenReadmitted == null) {
            whenReadmitted = new ArrayList<>(1);
        }
        whenReadmitted.add(action);
    }

    @Override
    public @Nullable Caller readmitted() {
        return readmitted;
    }

    /** Notes that a later configuration admits the client. */
    void readmitted(Caller caller) {
        readmitted = caller;
        if (whenReadmitted != null) {
            List.copyOf(whenReadmitted).forEach(action -> action.accept(caller));
        }
    }

    @Override
    public SharedText share(byte[] text) {
        return new Shared(ctx.alloc().directBuffer(text.length).writeBytes(text), text.length);
    }

    @Override
    public void send(byte[] head, SharedText rest) {
        if (closed) {
            return;
        }
        int length = head.length + rest.length();
        ByteBuf message = message(head, ((Shared) rest).bytes());
        pendingMessages++;
        pendingBytes += length;
        int held = held(length, head.length);
        waiting.add(held);
        ctx.writeAndFlush(new TextWebSocketFrame(message)).addListener(sent -> {
            pendingMessages--;
            pendingBytes -= length;
            waiting.give(held);
        });
    }

    private static int held(int length, int headBytes) {
        return MESSAGE_BYTES + (length < COPIED_BYTES ? length : headBytes);
    }

    private ByteBuf message(byte[] head, ByteBuf rest) {
        CompositeByteBuf message = ctx.alloc().compositeDirectBuffer(2);
        try {
            message.addComponent(true, ctx.alloc().directBuffer(head.length).writeBytes(head));
            message.addComponent(true, rest.retainedDuplicate());
            return message;
        } catch (RuntimeException | Error e) {
            message.release();
            throw e;
        }
    }

    /** Flushes past the handler that flushes the messages of one turn of the event loop together. */
    @Override
    public void flush() {
        if (!closed) {
            ctx.channel().unsafe().flush();
        }
    }

    @Override
    public int pendingMessages() {
        return pendingMessages;
    }

    @Override
    public long pendingBytes() {
        return pendingBytes;
    }

    @Override
    public boolean permits(int length) {
        return waiting.permits(held(length, 0));
    }

    @Override
    public void tryAgainLater(String reason) {
        if (!closed) {
            closing.accept(WebSocketCloseStatus.TRY_AGAIN_LATER, reason);
        }
    }

    @Override
    public void notPermitted(String reason) {
        if (!closed) {
            closing.accept(WebSocketCloseStatus.POLICY_VIOLATION, reason);
        }
    }

    /** Notes that nothing more may be sent. */
    void close() {
        if (!closed) {
            closed = true;
            Set<Runnable> actions = whenClosed;
            whenClosed = null;
            if (actions != null) {
                actions.forEach(Runnable::run);
            }
        }
    }
}
