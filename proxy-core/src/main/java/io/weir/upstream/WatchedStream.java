package io.weir.upstream;

import io.netty.buffer.ByteBuf;
import io.weir.jsonrpc.text.PieceScanner.ElementReader;
import org.jspecify.annotations.Nullable;

/**
 * A large result that passes everything on to another one. A class that extends it counts its bytes, decides on its end, or learns that it
 * was closed. Confined to the event loop of its call.
 */
public abstract class WatchedStream implements ResultStream, ResultStream.Receiver {

    private final ResultStream stream;
    private @Nullable Receiver receiver;
    private boolean begun;
    private boolean closed;

    protected WatchedStream(ResultStream stream) {
        this.stream = stream;
    }

    /** Looks at the first byte before it goes on. */
    protected void look(byte first) {}

    /** Counts the next bytes before they go on. */
    protected void count(int bytes) {}

    /** Decides, now or later on the loop, how a result ends that is whole and valid so far, by {@link #end}. */
    protected void decide() {
        end(true);
    }

    /** Learns, once, that the result has gone on or was given up, and that its memory was given back. */
    protected void onClosed() {}

    /** Ends the result, unless it was closed. */
    protected final void end(boolean whole) {
        Receiver taker = receiver;
        receiver = null;
        if (taker != null) {
            taker.ended(whole);
        }
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
    public void begin(Receiver taker) {
        receiver = taker;
        stream.begin(this);
    }

    @Override
    public void take(ByteBuf bytes) {
        Receiver taker = receiver;
        try {
            if (!begun && bytes.isReadable()) {
                begun = true;
                look(bytes.getByte(bytes.readerIndex()));
            }
            count(bytes.readableBytes());
        } catch (RuntimeException | Error e) {
            bytes.release();
            throw e;
        }
        if (taker == null) {
            bytes.release();
        } else {
            taker.take(bytes);
        }
    }

    @Override
    public void flush() {
        if (receiver != null) {
            receiver.flush();
        }
    }

    @Override
    public void ended(boolean whole) {
        if (whole) {
            decide();
        } else {
            end(false);
        }
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
        boolean first = !closed;
        closed = true;
        receiver = null;
        try {
            stream.close();
        } finally {
            if (first) {
                onClosed();
            }
        }
    }
}
