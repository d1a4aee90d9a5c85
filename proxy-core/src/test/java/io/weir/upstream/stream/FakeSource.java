package io.weir.upstream.stream;

import io.weir.upstream.AttemptHandle;
import io.weir.upstream.ResultStream;
import org.jspecify.annotations.Nullable;

/** A node's result that a test sends. Confined to one thread. */
final class FakeSource implements ResultStream {
    @Nullable
    Receiver receiver;

    boolean paused;
    boolean closed;
    long leastBytes;

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
    public void carriedBy(AttemptHandle attempt) {}

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
    }
}
