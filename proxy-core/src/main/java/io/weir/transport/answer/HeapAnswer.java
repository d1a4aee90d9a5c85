package io.weir.transport.answer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.FileRegion;
import io.netty.util.AbstractReferenceCounted;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;

/**
 * A large answer that is sent from the heap. Its bytes stay in the arrays of the results. Only the bytes that the
 * socket is about to accept are copied out of the heap, into recently used memory. Nothing is copied while the client
 * does not read. Confined to its event loop.
 */
public final class HeapAnswer extends AbstractReferenceCounted implements FileRegion {

    private static final int MAX_STEP_BYTES = 1 << 17;

    /** The bytes copied to test whether the socket accepts bytes again. */
    private static final int SMALLEST_STEP_BYTES = 1 << 14;

    private final ByteBuf bytes;
    private final ByteBufAllocator allocator;
    private final long count;
    private int stepBytes = MAX_STEP_BYTES;

    /** @param bytes the answer, outside of direct memory; given up by the caller */
    HeapAnswer(ByteBuf bytes, ByteBufAllocator allocator) {
        this.bytes = bytes;
        this.allocator = allocator;
        this.count = bytes.readableBytes();
    }

    /** Returns the next bytes, at most so many, for a connection that encrypts them. The caller releases them. */
    public ByteBuf chunk(int maxBytes) {
        return bytes.readRetainedSlice(Math.min(bytes.readableBytes(), maxBytes));
    }

    /** Returns whether no bytes are left. */
    public boolean isSent() {
        return !bytes.isReadable();
    }

    @Override
    public long transferTo(WritableByteChannel target, long position) throws IOException {
        int step = Math.min(bytes.readableBytes(), stepBytes);
        ByteBuf copy = allocator.directBuffer(step);
        try {
            copy.writeBytes(bytes, bytes.readerIndex(), step);
            int taken = target.write(copy.nioBuffer());
            bytes.skipBytes(taken);
            stepBytes = taken < step ? SMALLEST_STEP_BYTES : Math.min(2 * stepBytes, MAX_STEP_BYTES);
            return taken;
        } finally {
            copy.release();
        }
    }

    @Override
    public long position() {
        return 0;
    }

    @Override
    public long transferred() {
        return count - bytes.readableBytes();
    }

    @Override
    @Deprecated
    @SuppressWarnings("InlineMeSuggester") // The misspelt name is that of Netty's interface.
    public long transfered() {
        return transferred();
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public FileRegion retain() {
        super.retain();
        return this;
    }

    @Override
    public FileRegion retain(int increment) {
        super.retain(increment);
        return this;
    }

    @Override
    public FileRegion touch() {
        return touch(this);
    }

    @Override
    public FileRegion touch(Object hint) {
        bytes.touch(hint);
        return this;
    }

    @Override
    protected void deallocate() {
        bytes.release();
    }
}
