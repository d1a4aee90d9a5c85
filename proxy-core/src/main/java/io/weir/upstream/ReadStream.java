package io.weir.upstream;

import io.netty.buffer.ByteBuf;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A large result on its way to a client, that is read as it passes. Confined to the event loop of its call. */
public abstract class ReadStream extends WatchedStream {

    private @Nullable Receiver receiver;

    protected ReadStream(ResultStream stream) {
        super(stream, null);
    }

    /** Returns a result whose pieces are counted, by their lengths, before they pass. */
    public static ResultStream counted(ResultStream stream, LongConsumer counter) {
        return new ReadStream(stream) {
            @Override
            void read(ByteBuf bytes) {
                counter.accept(bytes.readableBytes());
            }
        };
    }

    @Override
    public void begin(Receiver taker) {
        receiver = taker;
        super.begin(new Receiver() {
            @Override
            public void take(ByteBuf bytes) {
                try {
                    read(bytes);
                } catch (RuntimeException | Error e) {
                    bytes.release();
                    throw e;
                }
                taker.take(bytes);
            }

            @Override
            public void flush() {
                taker.flush();
            }

            @Override
            public void ended(boolean whole) {
                if (whole) {
                    decide();
                } else {
                    end(false);
                }
            }
        });
    }

    /** Reads the next bytes, which remain the caller's, before they go on. */
    void read(ByteBuf bytes) {}

    /** Decides, now or later on the loop, how a result ends that is whole and valid so far, by {@link #end}. */
    protected void decide() {
        end(true);
    }

    /** Ends the result, unless it was closed. */
    protected final void end(boolean whole) {
        Receiver taker = receiver;
        receiver = null;
        if (taker != null) {
            taker.ended(whole);
        }
    }

    @Override
    public void close() {
        receiver = null;
        super.close();
    }
}
