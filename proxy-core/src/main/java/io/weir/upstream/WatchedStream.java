package io.weir.upstream;

import io.weir.jsonrpc.text.PieceScanner.ElementReader;
import org.jspecify.annotations.Nullable;

/**
 * A large result that passes everything on to another one, and tells once that it was closed. Results that are read as they pass extend it.
 * Confined to the event loop of its call.
 */
public class WatchedStream implements ResultStream {

    private final ResultStream stream;
    private @Nullable Runnable whenClosed;

    /** @param whenClosed runs once the result has gone on or was given up, and its memory was given back; null for nothing */
    public WatchedStream(ResultStream stream, @Nullable Runnable whenClosed) {
        this.stream = stream;
        this.whenClosed = whenClosed;
    }

    @Override
    public long leastBytes() {
        return stream.leastBytes();
    }

    @Override
    public void show(ElementReader reader) {
        stream.show(reader);
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
    public void carriedBy(Attempt attempt) {
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
