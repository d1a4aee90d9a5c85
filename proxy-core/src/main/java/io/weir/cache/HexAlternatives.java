package io.weir.cache;

import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.jsonrpc.RawJson;
import io.weir.method.params.kind.HexText;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Addresses or topics that a filter allows at one position of a log; an empty set allows everything. A lookup takes the same
 * time for any number of them. Immutable.
 */
public final class HexAlternatives {

    /** Up to this number, comparing with each is faster than hashing. */
    private static final int MAX_COMPARED = 4;

    /** Beyond this number a bloom is useless, because nearly always one of them seems to be in it. */
    public static final int MAX_IN_BLOOM = 16;

    private static final int BLOOM_BITS = 2048;
    private static final int BITS_OF_EACH = 3;

    private final Collection<RawJson> values;

    /** Three bits of each alternative; empty if the bloom is not used. */
    private final int[] bloom;

    private HexAlternatives(Collection<RawJson> values, int[] bloom) {
        this.values = values;
        this.bloom = bloom;
    }

    /** Creates a set from values in normal form: strings in quotes, with digits in lower case. */
    public static HexAlternatives of(List<RawJson> values) {
        return new HexAlternatives(
                values.size() <= MAX_COMPARED ? List.copyOf(values) : new HashSet<>(values),
                values.size() <= MAX_IN_BLOOM ? bits(values) : new int[0]);
    }

    private static int[] bits(List<RawJson> values) {
        int[] bits = new int[values.size() * BITS_OF_EACH];
        for (int i = 0; i < bits.length; i++) {
            if (i % BITS_OF_EACH == 0) {
                bits(values.get(i / BITS_OF_EACH), bits, i);
            }
        }
        return bits;
    }

    private static void bits(RawJson value, int[] bits, int first) {
        String text = value.toString();
        Hash32 hash = Bytes.fromHex(text.substring(1, text.length() - 1)).keccak();
        for (int i = 0; i < BITS_OF_EACH; i++) {
            bits[first + i] = (hash.bytes().at(i * 2) << 8 | hash.bytes().at(i * 2 + 1)) % BLOOM_BITS;
        }
    }

    /** Returns whether everything is allowed. */
    public boolean isEmpty() {
        return values.isEmpty();
    }

    /** Returns whether a value, with digits in either case, is one of them. */
    public boolean allow(RawJson value) {
        if (isEmpty() || values.contains(value)) {
            return true;
        }
        HexText text = HexText.read(value);
        return text != null && !text.bytes().isSame(value) && values.contains(text.bytes());
    }

    /** Returns whether one of them may be in a bloom; false is certain. */
    public boolean mayBeIn(RawJson json, int bloomStart) {
        return mayBeIn(bit -> has(json, bloomStart, bit));
    }

    /**
     * Returns whether one of them may be in a bloom; false is certain.
     *
     * @param has whether a bit of the bloom is set
     */
    boolean mayBeIn(IntPredicate has) {
        for (int i = 0; i < bloom.length; i += BITS_OF_EACH) {
            if (has.test(bloom[i]) && has.test(bloom[i + 1]) && has.test(bloom[i + 2])) {
                return true;
            }
        }
        return bloom.length == 0;
    }

    static boolean has(RawJson json, int bloomStart, int bit) {
        int digits = json.offset() + bloomStart + 3;
        int digit = Character.digit(json.array()[digits + (BLOOM_BITS - 1 - bit) / 4], 16);
        return (digit & 1 << bit % 4) != 0;
    }
}
