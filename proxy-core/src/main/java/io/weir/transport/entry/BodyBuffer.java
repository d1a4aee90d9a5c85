package io.weir.transport.entry;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * A body or message as it arrives. It takes memory as the bytes come, whatever length was announced. Confined to its event loop.
 */
public final class BodyBuffer {

    private static final int FIRST_BYTES = 1 << 13;

    private final int most;
    private byte[] array;
    private int length;

    /**
     * An empty one.
     *
     * @param expected bytes announced, or 0
     * @param most bytes allowed
     */
    public BodyBuffer(int expected, int most) {
        this.most = most;
        this.array = new byte[Math.min(expected, FIRST_BYTES)];
    }

    /** Copies what a buffer holds, which stays the caller's; false, and nothing is copied, where it would be too much. */
    public boolean add(ByteBuf piece) {
        int more = piece.readableBytes();
        if (more > most - length) {
            return false;
        }
        if (more > array.length - length) {
            array = Arrays.copyOf(array, capacity(length + more));
        }
        piece.readBytes(array, length, more);
        length += more;
        return true;
    }

    private int capacity(int needed) {
        long doubled = Math.max(needed, array.length * 2L);
        return (int) Math.min(doubled, most);
    }

    /** The array that holds the bytes from its start; not to be written to any more. */
    public byte[] array() {
        return array;
    }

    /** How many bytes there are. */
    public int length() {
        return length;
    }
}
