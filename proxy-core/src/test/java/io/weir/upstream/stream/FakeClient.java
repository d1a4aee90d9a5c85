package io.weir.upstream.stream;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.weir.upstream.ResultStream;
import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;

/** A client that takes pieces while it is not paused. Confined to one thread. */
final class FakeClient implements ResultStream.Receiver {
    final SharedReader reader;
    final ByteArrayOutputStream got = new ByteArrayOutputStream();

    @Nullable
    Boolean whole;

    int flushes;
    boolean fails;

    boolean failsAtTheEnd;

    FakeClient(@Nullable SharedReader reader) {
        this.reader = requireNonNull(reader);
        this.reader.begin(this);
    }

    @Override
    public void take(ByteBuf bytes) {
        byte[] copy = new byte[bytes.readableBytes()];
        bytes.readBytes(copy);
        bytes.release();
        got.writeBytes(copy);
        if (fails) {
            throw new IllegalStateException("of this test");
        }
    }

    @Override
    public void flush() {
        flushes++;
    }

    @Override
    public void ended(boolean valid) {
        whole = valid;
        if (failsAtTheEnd) {
            throw new IllegalStateException("of this test");
        }
        reader.close();
    }
}
