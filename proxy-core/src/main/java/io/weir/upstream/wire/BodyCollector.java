package io.weir.upstream.wire;

import io.netty.buffer.ByteBuf;
import io.weir.limit.Reservation;
import java.util.Arrays;

/**
 * Collects one answer on the heap, copying it once where its length is known beforehand. Its memory is counted before it is
 * taken, all of it at once where the length is known: who has to be turned away holds nothing then that others need. A small
 * answer is taken whether there is room or not, so that it is not lost that a call was carried out. Confined to its event loop.
 */
public final class BodyCollector {

    /** What is taken over the bound too; also where an answer of unknown length begins. */
    public static final int SMALL_BYTES = 4096;

    private final int max;
    private final int declared;
    private final Reservation share;
    private byte[] bytes = new byte[0];
    private int length;

    /** What becomes of a piece. */
    public enum Added {
        /** It was copied. */
        WHOLE,
        /** Nothing was copied: the answer would be larger than allowed. */
        TOO_LARGE,
        /** Nothing was copied: too much is in flight. */
        NO_ROOM
    }

    /**
     * Begins empty.
     *
     * @param declared the body's length, at most {@code max}; -1 where it is not known
     * @param share counts it, and is closed when nobody needs it any more; may count some of it already
     */
    public BodyCollector(int max, int declared, Reservation share) {
        this.max = max;
        this.declared = declared;
        this.share = share;
    }

    /** Takes a piece, which stays the caller's. */
    public Added add(ByteBuf piece) {
        int size = piece.readableBytes();
        if (size > max - length) {
            return Added.TOO_LARGE;
        }
        if (size > bytes.length - length && !grow(length + size)) {
            return Added.NO_ROOM;
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
        // Some of what comes may be counted already, by the share that it was taken over from.
        long more = capacity - share.taken();
        if (capacity <= SMALL_BYTES) {
            share.add(Math.max(0, more));
        } else if (more > 0 && !share.tryAdd(more)) {
            return false;
        }
        bytes = Arrays.copyOf(bytes, capacity);
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

    /** What counts it. */
    public Reservation share() {
        return share;
    }
}
