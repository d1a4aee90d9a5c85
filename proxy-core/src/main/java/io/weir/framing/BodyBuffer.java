package io.weir.framing;

import io.netty.buffer.ByteBuf;
import io.weir.limit.Reservation;
import java.util.Arrays;

/**
 * A body or message as it arrives, counted in a reservation before its memory is allocated. Confined to its event loop.
 *
 * <ul>
 *   <li>A client's body gets memory as its bytes arrive, whatever length was announced.
 *   <li>An answer of known length is copied once: its memory is reserved as a whole, so a refused answer blocks no budget. A small
 *       answer is accepted without budget too, so that the result of an executed call is not lost.
 * </ul>
 */
public final class BodyBuffer {

    /** Bytes of an answer that are accepted even over the budget; also the first allocation for one of unknown length. */
    public static final int SMALL_BYTES = 4096;

    /** Maximum first allocation for an announced length. */
    private static final int FIRST_BYTES = 1 << 13;

    private static final byte[] NONE = {};

    private final int max;
    private final int first;
    /** Bytes that need no budget. */
    private final int unbounded;

    private final Reservation reservation;
    /** The length that is allocated at once; -1 for none. */
    private int exact;

    private byte[] array = NONE;
    private int length;

    private BodyBuffer(int max, int first, int unbounded, int exact, Reservation reservation) {
        this.max = max;
        this.first = first;
        this.unbounded = unbounded;
        this.exact = exact;
        this.reservation = reservation;
    }

    /**
     * Returns an empty buffer for a client's body.
     *
     * @param announced bytes, or 0
     * @param max bytes allowed
     * @param reservation counts its memory; closed when the content is not needed any more
     */
    public static BodyBuffer ofClient(int announced, int max, Reservation reservation) {
        return new BodyBuffer(max, Math.min(announced, FIRST_BYTES), 0, -1, reservation);
    }

    /**
     * Returns an empty buffer for a node's answer.
     *
     * @param declared bytes; -1 if unknown
     * @param max as for a client's body
     * @param reservation likewise; may count a part already
     */
    public static BodyBuffer ofNode(int declared, int max, Reservation reservation) {
        return new BodyBuffer(max, SMALL_BYTES, SMALL_BYTES, declared, reservation);
    }

    /** Sets the length, which was not known or not used before; -1 if it is not known. */
    public void expect(int declared) {
        exact = declared;
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
        boolean enough = needed <= array.length || grow(needed);
        // Amounts taken over in addition are counted by the array now.
        reservation.lowerTo(array.length);
        return enough ? AddResult.ADDED : AddResult.OVER_BUDGET;
    }

    private boolean grow(int needed) {
        if (exact >= needed) {
            return growTo(exact);
        }
        long ample = array.length == 0 ? first : 2L * array.length;
        return growTo((int) Math.min(Math.max(needed, ample), max)) || growTo(needed);
    }

    private boolean growTo(int capacity) {
        long uncounted = Math.max(0, capacity - reservation.taken());
        if (capacity <= unbounded) {
            reservation.add(uncounted);
        } else if (uncounted > 0 && !reservation.tryAdd(uncounted)) {
            return false;
        }
        array = Arrays.copyOf(array, capacity);
        return true;
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
