package io.weir.ethereum.block;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Fills a {@link BlockHeader} field by field, in any order. Confined to one thread. */
public final class BlockHeaderBuilder {
    private final Map<HeaderField, Bytes> values = new EnumMap<>(HeaderField.class);
    private boolean aura;

    BlockHeaderBuilder() {}

    /** Sets a field from its text in JSON-RPC. */
    public BlockHeaderBuilder hex(HeaderField field, String text) {
        return set(field, field.fromHex(text));
    }

    /** Sets a field of 32 bytes. */
    public BlockHeaderBuilder set(HeaderField field, Hash32 value) {
        return set(field, value.bytes());
    }

    /** Sets the address of a field. */
    public BlockHeaderBuilder set(HeaderField field, Address value) {
        return set(field, value.bytes());
    }

    /** Sets the bloom of a field. */
    public BlockHeaderBuilder set(HeaderField field, Bloom value) {
        return set(field, value.bytes());
    }

    /** Sets a number that is not negative. */
    public BlockHeaderBuilder set(HeaderField field, long value) {
        return set(field, BigInteger.valueOf(value));
    }

    /** Sets a number that is not negative. */
    public BlockHeaderBuilder set(HeaderField field, BigInteger value) {
        if (value.signum() < 0) {
            throw new IllegalArgumentException(field.jsonName() + ": " + value + " (expected: not negative)");
        }
        return set(field, HeaderField.fewestBytes(value));
    }

    /** Sets a field's bytes as they are hashed. */
    public BlockHeaderBuilder set(HeaderField field, Bytes value) {
        field.check(value);
        values.put(field, value);
        return this;
    }

    /** Sets the seal of an AuRa block, which stands in place of {@code mixHash} and {@code nonce}. */
    public BlockHeaderBuilder auraSeal(BigInteger step, Bytes signature) {
        aura = true;
        values.put(HeaderField.MIX_HASH, HeaderField.fewestBytes(step));
        values.put(HeaderField.NONCE, signature);
        return this;
    }

    /**
     * The header.
     *
     * @throws IllegalArgumentException when one of the first fifteen fields is missing, or one before another that is
     *     set
     */
    public BlockHeader build() {
        List<Bytes> inOrder = new ArrayList<>();
        HeaderField firstMissing = null;
        for (HeaderField field : HeaderField.values()) {
            Bytes value = values.get(field);
            if (value == null && firstMissing == null) {
                firstMissing = field;
            }
            if (firstMissing != null && (value != null || field.index() < HeaderField.ALWAYS)) {
                throw missing(firstMissing);
            }
            if (value != null) {
                inOrder.add(value);
            }
        }
        return new BlockHeader(inOrder, aura);
    }

    private static IllegalArgumentException missing(HeaderField field) {
        return new IllegalArgumentException(field.jsonName() + ": none (expected: one in this header)");
    }
}
