package io.weir.upstream;

import io.netty.buffer.ByteBuf;
import java.util.function.LongConsumer;

/** A large result on its way to a client, whose bytes are counted as they pass. Confined to the event loop of its call. */
public final class CountedStream extends ForwardingStream {

    private final LongConsumer counter;

    /** @param counter gets the length of each piece before it passes */
    public CountedStream(ResultStream stream, LongConsumer counter) {
        super(stream);
        this.counter = counter;
    }

    @Override
    public void begin(Receiver receiver) {
        super.begin(new Receiver() {
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
}
