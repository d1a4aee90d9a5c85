package io.weir.transport.request;

import io.netty.buffer.ByteBuf;
import io.weir.limit.Reservation;
import java.util.Arrays;

/**
 * A body or message as it arrives. It allocates memory as bytes arrive, whatever length was announced, and counts it in
 * a reservation. Confined to its event loop.
 */
public final class BodyBuffer {

    /** Maximum first allocation for an announced length. */
    private static final int FIRST_BYTES = 1 << 13;

    private static final byte[] NONE = {};

    private final int expected;
    private final int max;
    private final Reservation reservation;
    private byte[] array = NONE;
    private int length;

    /**
     * Creates an empty buffer.
     *
     * @param expected bytes announced, or 0
     * @param max bytes allowed
     * @param reservation counts its memory; closed when the content is not needed any more
     */
    public BodyBuffer(int expected, int max, Reservation reservation) {
        this.expected = Math.min(expected, FIRST_BYTES);
        this.max = max;
        this.reservation = reservation;
    }

    /** The result of adding a piece. */
    public enum AddResult {
        /** The piece was copied. */
        ADDED,
        /** Nothing was copied: the body would be too large. */
        TOO_LARGE,
        /** Nothing was copied: the budget of bytes in flight is exhausted. */
        OVER_BUDGET,
        /** The body does not have its declared encoding. */
        MALFORMED
    }

    /** Copies the content of a buffer, which remains the caller's. */
    public AddResult add(ByteBuf piece) {
        return add(piece, reservation);
    }

    /**
     * Copies the content of a buffer, which remains the caller's.
     *
     * @param counted counts part of it already, which is taken over
     */
    public AddResult add(ByteBuf piece, Reservation counted) {
        int more = piece.readableBytes();
        AddResult result = ensureCapacity(more, counted);
        if (result == AddResult.ADDED) {
            piece.readBytes(array, length, more);
            length += more;
        }
        return result;
    }

    /** Copies the first bytes of an array, which remains the caller's. */
    public AddResult add(byte[] piece, int more) {
        AddResult result = ensureCapacity(more, reservation);
        if (result == AddResult.ADDED) {
            System.arraycopy(piece, 0, array, length, more);
            length += more;
        }
        return result;
    }

    private AddResult ensureCapacity(int more, Reservation counted) {
        if (more > max - length) {
            return AddResult.TOO_LARGE;
        }
        if (counted != reservation) {
            reservation.takeOver(counted, more);
        }
        int needed = length + more;
        boolean enough = needed <= array.length || growTo(capacity(needed)) || growTo(needed);
        // Amounts taken over in addition are counted by the array now.
        reservation.lowerTo(array.length);
        return enough ? AddResult.ADDED : AddResult.OVER_BUDGET;
    }

    private boolean growTo(int capacity) {
        long uncounted = capacity - reservation.taken();
        if (uncounted > 0 && !reservation.tryAdd(uncounted)) {
            return false;
        }
        array = Arrays.copyOf(array, capacity);
        return true;
    }

    private int capacity(int needed) {
        long ample = array.length == 0 ? expected : array.length * 2L;
        return (int) Math.min(Math.max(needed, ample), max);
    }

    /** Returns the array that holds the bytes from its start. It must not be modified any more. */
    public byte[] array() {
        return array;
    }

    /** Returns the reservation that counts its memory. */
    public Reservation reservation() {
        return reservation;
    }

    /** Returns the number of bytes. */
    public int length() {
        return length;
    }
}
