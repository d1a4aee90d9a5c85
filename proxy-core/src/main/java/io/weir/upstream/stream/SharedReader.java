package io.weir.upstream.stream;

import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import io.weir.jsonrpc.RawJson;
import io.weir.limit.Share;
import io.weir.upstream.Attempt;
import io.weir.upstream.ResultStream;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One client's part in a {@link SharedResult}: takes the bytes that are kept for it, as fast as its client does. Confined to the event
 * loop of its call, except for {@link #wake} and what the result's lock guards.
 */
public final class SharedReader implements ResultStream {

    private final SharedResult result;
    private final EventLoop loop;
    private final @Nullable Share share;
    private final AtomicBoolean woken = new AtomicBoolean();
    private @Nullable GuardedReceiver receiver;
    private volatile boolean paused;
    private boolean draining;
    private boolean closed;

    /** The position behind the last byte that it has taken. The result's lock guards it. */
    long position;

    /** Whether it is too far behind, and gets no more. The result's lock guards it. */
    boolean cut;

    /** @param share of which it has taken; null if its call asked the node */
    SharedReader(SharedResult result, EventLoop loop, @Nullable Share share) {
        this.result = result;
        this.loop = loop;
        this.share = share;
    }

    @Nullable
    Share share() {
        return share;
    }

    EventLoop loop() {
        return loop;
    }

    boolean isPaused() {
        return paused;
    }

    @Override
    public boolean copyTo(long maxBytes, Consumer<@Nullable RawJson> copy) {
        return share == null && result.copyTo(maxBytes, copy);
    }

    @Override
    public void begin(Receiver taker) {
        receiver = new GuardedReceiver(this, taker);
        wakeLater();
    }

    @Override
    public boolean isBegun() {
        return receiver != null;
    }

    @Override
    public void carriedBy(Attempt attempt) {
        throw new UnsupportedOperationException("the result that is shared has the attempt");
    }

    @Override
    public void pause() {
        if (!paused) {
            paused = true;
            result.moved();
        }
    }

    @Override
    public void resume() {
        if (paused) {
            paused = false;
            wakeLater();
            result.moved();
        }
    }

    /** Lets it take what is there, from any thread. On its own loop it does so at once. */
    void wake() {
        if (!loop.inEventLoop()) {
            wakeLater();
        } else if (receiver != null) {
            drain(receiver);
        }
    }

    private void wakeLater() {
        if (woken.compareAndSet(false, true)) {
            loop.execute(this::takeAndFlush);
        }
    }

    private void takeAndFlush() {
        woken.set(false);
        GuardedReceiver taker = receiver;
        if (taker != null && !closed) {
            drain(taker);
            flush();
        }
    }

    void flush() {
        if (receiver != null && !closed) {
            receiver.flush();
        }
    }

    /** Taking may fill the client's socket, or empty it, or find it closed. */
    private void drain(GuardedReceiver taker) {
        if (draining) {
            return;
        }
        draining = true;
        try {
            if (takeKept(taker)) {
                result.moved();
            }
        } catch (RuntimeException | Error e) {
            // Must not keep the other clients from what they get.
            taker.fail(e);
        } finally {
            draining = false;
        }
        if (!closed && !taker.isOver()) {
            Boolean end = result.endFor(this);
            if (end != null) {
                taker.ended(end);
            }
        }
    }

    /** Returns whether there was anything. */
    private boolean takeKept(GuardedReceiver taker) {
        boolean any = false;
        while (!paused && !closed && !taker.isOver()) {
            ByteBuf piece = result.next(this);
            if (piece == null) {
                break;
            }
            any = true;
            taker.take(piece);
        }
        return any;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            result.left(this);
        }
    }
}
