package io.weir.ethereum.block;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import java.util.Collection;

/** A filter of 2048 bits that says of an address or topic "not in here" or "perhaps". Immutable. */
public record Bloom(Bytes bytes) {
    /** Length of a bloom. */
    public static final int SIZE_BYTES = 256;

    /** With nothing in it. */
    public static final Bloom EMPTY = new Bloom(Bytes.wrap(new byte[SIZE_BYTES]));

    public Bloom {
        if (bytes.size() != SIZE_BYTES) {
            throw new IllegalArgumentException("bloom: " + bytes.size() + " bytes (expected: 256)");
        }
    }

    /** The bloom that 512 digits after {@code 0x} stand for. */
    public static Bloom fromHex(String text) {
        return new Bloom(Bytes.fromHex(text));
    }

    /** The bloom of the addresses and topics of logs. */
    public static Bloom ofLogs(Collection<Log> logs) {
        byte[] bits = new byte[SIZE_BYTES];
        for (Log log : logs) {
            set(bits, log.address().bytes());
            for (Hash32 topic : log.topics()) {
                set(bits, topic.bytes());
            }
        }
        return new Bloom(Bytes.wrap(bits));
    }

    /** The bloom of these values. */
    public static Bloom of(Collection<Bytes> values) {
        byte[] bits = new byte[SIZE_BYTES];
        values.forEach(value -> set(bits, value));
        return new Bloom(Bytes.wrap(bits));
    }

    /** The bloom of a block: all that is in the blooms of its receipts. */
    public static Bloom ofReceipts(Collection<Receipt> receipts) {
        byte[] bits = new byte[SIZE_BYTES];
        for (Receipt receipt : receipts) {
            Bytes more = receipt.bloom().bytes();
            for (int i = 0; i < SIZE_BYTES; i++) {
                bits[i] |= (byte) more.at(i);
            }
        }
        return new Bloom(Bytes.wrap(bits));
    }

    /** This bloom with a value added. */
    public Bloom add(Bytes value) {
        byte[] bits = bytes.toArray();
        set(bits, value);
        return new Bloom(Bytes.wrap(bits));
    }

    /** All that is in this bloom or another. */
    public Bloom or(Bloom other) {
        byte[] bits = bytes.toArray();
        for (int i = 0; i < SIZE_BYTES; i++) {
            bits[i] |= (byte) other.bytes.at(i);
        }
        return new Bloom(Bytes.wrap(bits));
    }

    /** Whether a value may be in it; false is certain. */
    public boolean contains(Bytes value) {
        Hash32 hash = value.keccak();
        for (int pair = 0; pair < 6; pair += 2) {
            if (!has(bit(hash, pair))) {
                return false;
            }
        }
        return true;
    }

    /** Whether a bit is set, counted from the lowest one of the last byte. */
    public boolean has(int bit) {
        return (bytes.at(index(bit)) & 1 << bit % 8) != 0;
    }

    /** Whether an address may be in it; false is certain. */
    public boolean contains(Address address) {
        return contains(address.bytes());
    }

    /** Whether a topic may be in it; false is certain. */
    public boolean contains(Hash32 topic) {
        return contains(topic.bytes());
    }

    /** The text form, 514 characters. */
    public String hex() {
        return bytes.hex();
    }

    private static void set(byte[] bits, Bytes value) {
        Hash32 hash = value.keccak();
        for (int pair = 0; pair < 6; pair += 2) {
            int bit = bit(hash, pair);
            bits[index(bit)] |= (byte) (1 << bit % 8);
        }
    }

    /** Three pairs of bytes of the hash name a bit each, of which the lowest is in the last byte. */
    private static int bit(Hash32 hash, int pair) {
        return (hash.bytes().at(pair) << 8 | hash.bytes().at(pair + 1)) & 2047;
    }

    private static int index(int bit) {
        return SIZE_BYTES - 1 - bit / 8;
    }
}
