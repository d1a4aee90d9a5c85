package io.weir.upstream;

import org.jspecify.annotations.Nullable;

/** A large result on its way to a client, whose end is told once. Confined to the event loop of its call. */
public final class WatchedStream extends ForwardingStream {

    private @Nullable Runnable whenClosed;

    /** @param whenClosed runs once the result has gone on or was given up, and its memory was given back */
    public WatchedStream(ResultStream stream, Runnable whenClosed) {
        super(stream);
        this.whenClosed = whenClosed;
    }

    @Override
    public void close() {
        Runnable told = whenClosed;
        whenClosed = null;
        try {
            super.close();
        } finally {
            if (told != null) {
                told.run();
            }
        }
    }
}
