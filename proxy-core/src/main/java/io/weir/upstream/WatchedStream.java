package io.weir.upstream;

import org.jspecify.annotations.Nullable;

/** A large result on its way to a client, whose end is told once. Confined to the event loop of its call. */
public final class WatchedStream implements ResultStream {

    private final ResultStream stream;
    private @Nullable Runnable whenClosed;

    /** @param whenClosed runs once the result has gone on or was given up, and its memory was given back */
    public WatchedStream(ResultStream stream, Runnable whenClosed) {
        this.stream = stream;
        this.whenClosed = whenClosed;
    }

    @Override
    public long leastBytes() {
        return stream.leastBytes();
    }

    @Override
    public void begin(Receiver receiver) {
        stream.begin(receiver);
    }

    @Override
    public boolean isBegun() {
        return stream.isBegun();
    }

    @Override
    public void carriedBy(AttemptHandle attempt) {
        stream.carriedBy(attempt);
    }

    @Override
    public void pause() {
        stream.pause();
    }

    @Override
    public void resume() {
        stream.resume();
    }

    @Override
    public void close() {
        Runnable told = whenClosed;
        whenClosed = null;
        try {
            stream.close();
        } finally {
            if (told != null) {
                told.run();
            }
        }
    }
}
