package io.weir.upstream.wire;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * Collects one answer on the heap, copying it once where its length is known beforehand. Confined to its event loop.
 */
public final class BodyCollector {

    private static final int FIRST = 4096;

    private final int max;
    private byte[] bytes;
    private int length;

    /**
     * Begins empty.
     *
     * @param declared the body's length, at most {@code max}; -1 where it is not known
     */
    public BodyCollector(int max, int declared) {
        this.max = max;
        this.bytes = new byte[declared >= 0 ? declared : Math.min(FIRST, max)];
    }

    /** Takes a piece, which stays the caller's. Returns false, and takes nothing, where it is too much. */
    public boolean add(ByteBuf piece) {
        int size = piece.readableBytes();
        if (size > max - length) {
            return false;
        }
        if (size > bytes.length - length) {
            int doubled = (int) Math.min(max, 2L * bytes.length);
            bytes = Arrays.copyOf(bytes, Math.max(doubled, length + size));
        }
        piece.readBytes(bytes, length, size);
        length += size;
        return true;
    }

    /** The array that begins with the body; the collector is not used any more. */
    public byte[] bytes() {
        return bytes;
    }

    /** How much there is. */
    public int length() {
        return length;
    }
}
