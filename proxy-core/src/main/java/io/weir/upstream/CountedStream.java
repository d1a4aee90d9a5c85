package io.weir.upstream;

import io.netty.buffer.ByteBuf;
import java.util.function.LongConsumer;

/** A large result on its way to a client, whose bytes are counted as they pass. Confined to the event loop of its call. */
public record CountedStream(ResultStream stream, LongConsumer counter) implements ResultStream {

    @Override
    public long leastBytes() {
        return stream.leastBytes();
    }

    @Override
    public void begin(Receiver receiver) {
        stream.begin(new Receiver() {
            @Override
            public void take(ByteBuf bytes) {
                counter.accept(bytes.readableBytes());
                receiver.take(bytes);
            }

            @Override
            public void flush() {
                receiver.flush();
            }

            @Override
            public void ended(boolean whole) {
                receiver.ended(whole);
            }
        });
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
        stream.close();
    }
}
