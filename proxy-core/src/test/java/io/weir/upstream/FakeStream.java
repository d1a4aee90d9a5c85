package io.weir.upstream;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/** A node's result that a test sends. Confined to one thread. */
public class FakeStream implements ResultStream {

    private @Nullable Receiver receiver;
    private @Nullable Attempt attempt;
    private boolean paused;
    private boolean closed;
    private long leastBytes;

    /** Returns the taker of the result, which has begun. */
    public Receiver receiver() {
        return requireNonNull(receiver, "nobody took the result");
    }

    /** Declares the smallest size of the result. */
    public void declare(long bytes) {
        leastBytes = bytes;
    }

    public boolean isPaused() {
        return paused;
    }

    public boolean isClosed() {
        return closed;
    }

    @Override
    public long leastBytes() {
        return leastBytes;
    }

    @Override
    public void begin(Receiver taker) {
        receiver = taker;
    }

    @Override
    public boolean isBegun() {
        return receiver != null;
    }

    @Override
    public void carriedBy(Attempt carrier) {
        attempt = carrier;
    }

    @Override
    public void pause() {
        paused = true;
    }

    @Override
    public void resume() {
        paused = false;
    }

    @Override
    public void close() {
        closed = true;
        if (attempt != null) {
            attempt.cancel();
        }
    }
}
