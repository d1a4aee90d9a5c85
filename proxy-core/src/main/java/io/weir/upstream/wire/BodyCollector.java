package io.weir.upstream.wire;

import io.netty.buffer.ByteBuf;
import io.weir.limit.Reservation;
import java.util.Arrays;

/**
 * Collector of one answer on the heap. An answer of known length is copied once. Its memory is reserved before it is
 * allocated, as a whole if the length is known, so a refused answer blocks no budget. A small answer is accepted without
 * budget too, so that the result of an executed call is not lost. Confined to its event loop.
 */
public final class BodyCollector {

    /** Bytes that are accepted even over the budget; also the initial size for an answer of unknown length. */
    public static final int SMALL_BYTES = 4096;

    private static final byte[] NOTHING = {};

    private final int max;
    private int declared;
    private final Reservation reservation;
    private byte[] bytes = NOTHING;
    private int length;

    /** Result of adding a piece. */
    public enum Added {
        /** The piece was copied. */
        WHOLE,
        /** Nothing was copied: the answer would be larger than allowed. */
        TOO_LARGE,
        /** Nothing was copied: too many bytes are in flight. */
        OVER_BUDGET
    }

    /**
     * Creates an empty collector.
     *
     * @param declared the body's length, at most {@code max}; -1 if unknown
     * @param reservation counts the body, and is closed by the body's last user; may count a part already
     */
    public BodyCollector(int max, int declared, Reservation reservation) {
        this.max = max;
        this.declared = declared;
        this.reservation = reservation;
    }

    /** Sets the body's length, which was not known or not used before; -1 if it is not known. */
    public void expect(int length) {
        declared = length;
    }

    /** Adds a piece. The caller keeps its ownership. */
    public Added add(ByteBuf piece) {
        int size = piece.readableBytes();
        if (size > max - length) {
            return Added.TOO_LARGE;
        }
        if (size > bytes.length - length && !grow(length + size)) {
            return Added.OVER_BUDGET;
        }
        piece.readBytes(bytes, length, size);
        length += size;
        return Added.WHOLE;
    }

    private boolean grow(int needed) {
        if (declared >= needed) {
            return growTo(declared);
        }
        int ample = (int) Math.min(max, Math.max(SMALL_BYTES, 2L * bytes.length));
        return growTo(Math.max(ample, needed)) || growTo(needed);
    }

    private boolean growTo(int capacity) {
        // The reservation may already count a part of the body from its former owner.
        long more = capacity - reservation.taken();
        if (capacity <= SMALL_BYTES) {
            reservation.add(Math.max(0, more));
        } else if (more > 0 && !reservation.tryAdd(more)) {
            return false;
        }
        bytes = Arrays.copyOf(bytes, capacity);
        return true;
    }

    /** Returns the array that begins with the body. The collector must not be used afterwards. */
    public byte[] bytes() {
        return bytes;
    }

    /** Returns the length of the body in bytes. */
    public int length() {
        return length;
    }

    /** Returns the reservation that counts the body. */
    public Reservation reservation() {
        return reservation;
    }
}
