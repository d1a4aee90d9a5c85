package io.weir.upstream;

import io.netty.buffer.ByteBuf;
import java.util.function.LongConsumer;

/** A large result on its way to a client, whose bytes are counted as they pass. Confined to the event loop of its call. */
public final class CountedStream extends ReadStream {

    private final LongConsumer counter;

    /** @param counter gets the length of each piece before it passes */
    public CountedStream(ResultStream stream, LongConsumer counter) {
        super(stream);
        this.counter = counter;
    }

    @Override
    void read(ByteBuf bytes) {
        counter.accept(bytes.readableBytes());
    }
}
