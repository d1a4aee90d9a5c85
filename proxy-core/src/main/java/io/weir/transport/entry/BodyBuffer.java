package io.weir.transport.entry;

import io.netty.buffer.ByteBuf;
import io.weir.limit.Reservation;
import java.util.Arrays;

/**
 * A body or message as it arrives. It takes memory as the bytes come, whatever length was announced, and counts what it takes.
 * Confined to its event loop.
 */
public final class BodyBuffer {

    /** The most that is taken at first because it was announced. */
    private static final int FIRST_BYTES = 1 << 13;

    private final int expected;
    private final int most;
    private final Reservation share;
    private byte[] array = new byte[0];
    private int length;

    /**
     * An empty one.
     *
     * @param expected bytes announced, or 0
     * @param most bytes allowed
     * @param share counts its memory, and is closed when nobody needs them any more
     */
    public BodyBuffer(int expected, int most, Reservation share) {
        this.expected = Math.min(expected, FIRST_BYTES);
        this.most = most;
        this.share = share;
    }

    /** What becomes of a piece. */
    public enum Added {
        /** It was copied. */
        WHOLE,
        /** Nothing was copied: the body would be too large. */
        TOO_LARGE,
        /** Nothing was copied: too much is in flight. */
        NO_ROOM,
        /** The body is not in the coding that it claims to be in. */
        BROKEN
    }

    /** Copies what a buffer holds, which stays the caller's. */
    public Added add(ByteBuf piece) {
        return add(piece, share);
    }

    /**
     * Copies what a buffer holds, which stays the caller's.
     *
     * @param counted counts some of it already, which is taken over
     */
    public Added add(ByteBuf piece, Reservation counted) {
        int more = piece.readableBytes();
        Added room = makeRoom(more, counted);
        if (room == Added.WHOLE) {
            piece.readBytes(array, length, more);
            length += more;
        }
        return room;
    }

    /** Copies the first bytes of an array, which stays the caller's. */
    public Added add(byte[] piece, int more) {
        Added room = makeRoom(more, share);
        if (room == Added.WHOLE) {
            System.arraycopy(piece, 0, array, length, more);
            length += more;
        }
        return room;
    }

    private Added makeRoom(int more, Reservation counted) {
        if (more > most - length) {
            return Added.TOO_LARGE;
        }
        if (counted != share) {
            share.takeOver(counted, more);
        }
        int needed = length + more;
        boolean room = needed <= array.length || growTo(capacity(needed)) || growTo(needed);
        // What was taken over beside it is counted by the array now.
        share.lowerTo(array.length);
        return room ? Added.WHOLE : Added.NO_ROOM;
    }

    private boolean growTo(int capacity) {
        long uncounted = capacity - share.taken();
        if (uncounted > 0 && !share.tryAdd(uncounted)) {
            return false;
        }
        array = Arrays.copyOf(array, capacity);
        return true;
    }

    private int capacity(int needed) {
        long ample = array.length == 0 ? expected : array.length * 2L;
        return (int) Math.min(Math.max(needed, ample), most);
    }

    /** The array that holds the bytes from its start; not to be written to any more. */
    public byte[] array() {
        return array;
    }

    /** What counts its memory. */
    public Reservation share() {
        return share;
    }

    /** How many bytes there are. */
    public int length() {
        return length;
    }
}
