package io.weir.ethereum.rlp;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Appends RLP items, lists by nesting. Confined to one thread.
 *
 * <p>A list's length stands before its items but is known after them. Writes items first and then moves them up by the few bytes
 * of the head. Each byte moves once a level. For data three or four levels deep that costs less than measuring everything
 * beforehand.
 */
public final class RlpWriter {
    private static final int SHORT = 55;
    private static final int STRING = 0x80;
    private static final int LIST = 0xc0;

    private byte[] buffer = new byte[256];
    private int size;

    /** One list as bytes. */
    public static byte[] list(Consumer<RlpWriter> items) {
        return new RlpWriter().nested(items).toByteArray();
    }

    /** One string as bytes. */
    public static byte[] string(byte[] value) {
        return new RlpWriter().bytes(value).toByteArray();
    }

    /** Appends a string. */
    public RlpWriter bytes(byte[] value) {
        if (value.length == 1 && value[0] >= 0) {
            return put(value[0]);
        }
        head(STRING, value.length);
        return encoded(value);
    }

    /** Appends a string. */
    public RlpWriter bytes(Bytes value) {
        if (value.size() == 1 && value.at(0) < STRING) {
            return put(value.at(0));
        }
        head(STRING, value.size());
        reserve(value.size());
        value.copyTo(buffer, size);
        size += value.size();
        return this;
    }

    /** Appends a string of 32 bytes. */
    public RlpWriter hash(Hash32 value) {
        return bytes(value.bytes());
    }

    /** Appends a string of 20 bytes, or an empty one where there is no address. */
    public RlpWriter address(@Nullable Address value) {
        return bytes(value == null ? Bytes.EMPTY : value.bytes());
    }

    /** Appends a number of 64 bits, read as unsigned, in the fewest bytes. */
    public RlpWriter unsigned(long value) {
        int length = (71 - Long.numberOfLeadingZeros(value)) / 8;
        if (length == 1 && value < STRING) {
            return put((int) value);
        }
        head(STRING, length);
        return bigEndian(value, length);
    }

    /** Appends a number from 0 up in the fewest bytes. */
    public RlpWriter quantity(BigInteger value) {
        if (value.signum() < 0) {
            throw new IllegalArgumentException("quantity: " + value + " (expected: not negative)");
        }
        byte[] bytes = value.toByteArray();
        return bytes(bytes[0] == 0 ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes);
    }

    /** Appends a list of what the given code writes. */
    public RlpWriter nested(Consumer<RlpWriter> items) {
        int start = size;
        items.accept(this);
        int length = size - start;
        int headSize = length <= SHORT ? 1 : 1 + bytesOf(length);
        reserve(headSize);
        System.arraycopy(buffer, start, buffer, start + headSize, length);
        size = start;
        head(LIST, length);
        size += length;
        return this;
    }

    /** Appends an item that is encoded already. */
    public RlpWriter encoded(byte[] item) {
        reserve(item.length);
        System.arraycopy(item, 0, buffer, size, item.length);
        size += item.length;
        return this;
    }

    /** Returns the bytes written so far. */
    public byte[] toByteArray() {
        return Arrays.copyOf(buffer, size);
    }

    private void head(int kind, int length) {
        if (length <= SHORT) {
            put(kind + length);
        } else {
            int lengthBytes = bytesOf(length);
            put(kind + SHORT + lengthBytes);
            bigEndian(length, lengthBytes);
        }
    }

    private static int bytesOf(int length) {
        return (39 - Integer.numberOfLeadingZeros(length)) / 8;
    }

    private RlpWriter bigEndian(long value, int length) {
        reserve(length);
        for (int i = length - 1; i >= 0; i--) {
            buffer[size++] = (byte) (value >>> (8 * i));
        }
        return this;
    }

    private RlpWriter put(int value) {
        reserve(1);
        buffer[size++] = (byte) value;
        return this;
    }

    private void reserve(int more) {
        if (size + more > buffer.length) {
            buffer = Arrays.copyOf(buffer, Math.max(Math.addExact(size, more), (int)
                    Math.min(buffer.length * 2L, Integer.MAX_VALUE - 8)));
        }
    }
}
