package io.weir.upstream.stream;

import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import io.weir.jsonrpc.RawJson;
import io.weir.metrics.RateLimitedLogger;
import io.weir.upstream.AttemptHandle;
import io.weir.upstream.ResultStream;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * One client's part in a {@link SharedResult}: takes the bytes that are kept for it, as fast as its client does. Confined to the event
 * loop of its call, except for {@link #wake} and what the result's lock guards.
 */
public final class SharedReader implements ResultStream {

    private static final RateLimitedLogger LOG = new RateLimitedLogger(LoggerFactory.getLogger(SharedReader.class));

    private final SharedResult result;
    private final EventLoop loop;
    private final boolean first;
    private final AtomicBoolean woken = new AtomicBoolean();
    private @Nullable Receiver receiver;
    private volatile boolean paused;
    private boolean draining;
    private boolean over;
    private boolean closed;

    /** The position behind the last byte that it has taken. The result's lock guards it. */
    private long position;

    /** Whether it is too far behind, and gets no more. The result's lock guards it. */
    private boolean cut;

    /** @param first whether its call asked the node */
    SharedReader(SharedResult result, EventLoop loop, boolean first) {
        this.result = result;
        this.loop = loop;
        this.first = first;
    }

    boolean isFirst() {
        return first;
    }

    EventLoop loop() {
        return loop;
    }

    boolean isPaused() {
        return paused;
    }

    long position() {
        return position;
    }

    void moveTo(long next) {
        position = next;
    }

    boolean isCut() {
        return cut;
    }

    void cutOff() {
        cut = true;
    }

    @Override
    public boolean copyTo(long maxBytes, Consumer<@Nullable RawJson> copy) {
        return first && result.copyTo(maxBytes, copy);
    }

    @Override
    public void begin(Receiver taker) {
        receiver = taker;
        wakeLater();
    }

    @Override
    public boolean isBegun() {
        return receiver != null;
    }

    @Override
    public void carriedBy(AttemptHandle attempt) {
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
        Receiver taker = receiver;
        if (taker != null && !closed) {
            drain(taker);
            flush();
        }
    }

    /** Sends on what it took. */
    void flush() {
        if (receiver != null && !closed && !over) {
            receiver.flush();
        }
    }

    /** Passes on a piece that is not kept, which it takes over. Called on its loop. */
    void pass(ByteBuf piece) {
        Receiver taker = receiver;
        if (taker == null || over || closed) {
            piece.release();
        } else {
            give(taker, piece);
        }
    }

    /** Taking may fill the client's socket, or empty it, or find it closed. */
    private void drain(Receiver taker) {
        if (draining) {
            return;
        }
        draining = true;
        boolean any = false;
        while (!paused && !closed && !over) {
            ByteBuf piece = result.next(this);
            if (piece == null) {
                break;
            }
            any = true;
            give(taker, piece);
        }
        draining = false;
        if (any) {
            result.moved();
        }
        if (!closed && !over) {
            Boolean end = result.endFor(this);
            if (end != null) {
                over = true;
                taker.ended(end);
            }
        }
    }

    /** A client that fails must not fail the others. */
    private void give(Receiver taker, ByteBuf piece) {
        try {
            taker.take(piece);
        } catch (RuntimeException | Error e) {
            LOG.warn("a piece of a result could not be sent", e);
            over = true;
            taker.ended(false);
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            result.left(this);
        }
    }
}
