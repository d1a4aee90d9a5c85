package io.weir.ethereum.rlp;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A strict cursor over RLP items one after the other; a list is a cursor of its own. Confined to one thread.
 *
 * <p>Each value has one encoding only. A byte below 0x80 stands for itself, lengths up to 55 are in the head, longer ones in the
 * fewest bytes. Whatever else is refused with an {@link RlpException} that names the byte. Whoever reads calls {@link #end()}
 * after the last item, so that nothing is left over unseen.
 */
public final class RlpReader {
    /** How deep lists may stand in lists. */
    public static final int MAX_DEPTH = 64;

    private final byte[] input;
    private final int limit;
    private final int depth;
    private int position;
    private int payloadStart;
    private int payloadEnd;

    private RlpReader(byte[] input, int position, int limit, int depth) {
        this.input = input;
        this.position = position;
        this.limit = limit;
        this.depth = depth;
    }

    /** A cursor over all items of an array, which may not change while it is read. */
    public static RlpReader of(byte[] input) {
        return new RlpReader(input, 0, input.length, 0);
    }

    /** Whether an item follows. */
    public boolean hasNext() {
        return position < limit;
    }

    /** Whether a list follows, not a string. */
    public boolean nextIsList() {
        return position < limit && (input[position] & 0xff) >= 0xc0;
    }

    /** Reads a string. */
    public Bytes bytes() {
        nextString();
        return Bytes.copyOf(input, payloadStart, payloadEnd);
    }

    /** Reads a string of exactly so many bytes. */
    public Bytes bytes(int size) {
        int start = position;
        Bytes value = bytes();
        if (value.size() != size) {
            throw new RlpException(start, "a string of " + value.size() + " bytes (expected: " + size + ")");
        }
        return value;
    }

    /** Reads 32 bytes. */
    public Hash32 hash() {
        return new Hash32(bytes(Hash32.SIZE_BYTES));
    }

    /** Reads 20 bytes. */
    public Address address() {
        return new Address(bytes(Address.SIZE_BYTES));
    }

    /** Reads 20 bytes, or none: no address. */
    public @Nullable Address optionalAddress() {
        if (hasNext() && (input[position] & 0xff) == 0x80) {
            position++;
            return null;
        }
        return address();
    }

    /** Reads a number up to 2^64-1, as the bits of an unsigned long. */
    public long unsigned() {
        nextNumber(Long.BYTES);
        long value = 0;
        for (int i = payloadStart; i < payloadEnd; i++) {
            value = value << 8 | (input[i] & 0xff);
        }
        return value;
    }

    /** Reads a number up to 2^256-1. */
    public BigInteger quantity() {
        nextNumber(32);
        return new BigInteger(1, input, payloadStart, payloadEnd - payloadStart);
    }

    /** Reads a list: a cursor over its items. */
    public RlpReader list() {
        int start = position;
        if (!next()) {
            throw new RlpException(start, "a string (expected: a list)");
        }
        if (depth == MAX_DEPTH) {
            throw new RlpException(start, "lists nested too deep (expected: at most " + MAX_DEPTH + ")");
        }
        return new RlpReader(input, payloadStart, payloadEnd, depth + 1);
    }

    /** Reads a list to its end, every item by the same code. */
    public <T> List<T> listOf(Function<RlpReader, T> item) {
        RlpReader items = list();
        List<T> values = new ArrayList<>();
        while (items.hasNext()) {
            values.add(item.apply(items));
        }
        return List.copyOf(values);
    }

    /** Reads an item as it is encoded; what stands inside a list is not looked at. */
    public Bytes encoded() {
        int start = position;
        next();
        return Bytes.copyOf(input, start, payloadEnd);
    }

    /** Holds that no item is left. */
    public void end() {
        if (hasNext()) {
            throw new RlpException(position, (limit - position) + " bytes too many (expected: the end)");
        }
    }

    private void nextNumber(int maxBytes) {
        int start = position;
        nextString();
        int length = payloadEnd - payloadStart;
        if (length > 0 && input[payloadStart] == 0) {
            throw new RlpException(start, "a number with leading zeros (expected: the fewest bytes)");
        }
        if (length > maxBytes) {
            throw new RlpException(start, "a number of " + length + " bytes (expected: at most " + maxBytes + ")");
        }
    }

    private void nextString() {
        int start = position;
        if (next()) {
            throw new RlpException(start, "a list (expected: a string)");
        }
    }

    /** Moves over one item, leaving where its payload lies; answers whether it is a list. */
    private boolean next() {
        if (position >= limit) {
            throw new RlpException(position, "no more bytes (expected: an item)");
        }
        int start = position;
        int head = input[position] & 0xff;
        if (head < 0x80) {
            payload(start, start, 1);
            return false;
        }
        boolean list = head >= 0xc0;
        int length = head - (list ? 0xc0 : 0x80);
        if (length > 55) {
            longPayload(start, length - 55);
        } else {
            payload(start, start + 1, length);
        }
        if (head == 0x81 && input[payloadStart] >= 0) {
            throw new RlpException(start, "a byte below 0x80 with a head (expected: the byte alone)");
        }
        return list;
    }

    private void longPayload(int start, int lengthBytes) {
        int from = start + 1;
        if (lengthBytes > limit - from) {
            throw new RlpException(start, "a length cut off (expected: " + lengthBytes + " bytes)");
        }
        if (input[from] == 0) {
            throw new RlpException(start, "a length with leading zeros (expected: the fewest bytes)");
        }
        long length = 0;
        for (int i = 0; i < lengthBytes; i++) {
            // Eight length bytes may set the sign bit; no array is that long, so the greatest value does as well.
            length = length > Integer.MAX_VALUE ? Long.MAX_VALUE : length << 8 | (input[from + i] & 0xff);
        }
        if (length <= 55) {
            throw new RlpException(start, "length " + length + " in a long head (expected: above 55)");
        }
        payload(start, from + lengthBytes, length);
    }

    private void payload(int start, int from, long length) {
        if (length > limit - from) {
            throw new RlpException(
                    start, "an item cut off after " + (limit - from) + " bytes (expected: " + describe(length) + ")");
        }
        payloadStart = from;
        payloadEnd = from + (int) length;
        position = payloadEnd;
    }

    private static String describe(long length) {
        return length == Long.MAX_VALUE ? "more than 2^31-1" : Long.toString(length);
    }
}
