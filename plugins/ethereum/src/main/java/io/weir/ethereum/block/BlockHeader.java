package io.weir.ethereum.block;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.rlp.RlpReader;
import io.weir.ethereum.rlp.RlpWriter;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A block's header of any fork. Immutable.
 *
 * <p>It holds the strings that are hashed, in order. Fields after the fifteenth are there since their fork and only
 * after all before them, so their number says which fork it is. Keeps unknown fields of later forks behind the known ones, so
 * that such a header's hash is right too.
 */
public final class BlockHeader {
    private static final HeaderField[] FIELDS = HeaderField.values();
    private static final int MAX_FIELDS = 64;

    private final List<Bytes> values;
    private final boolean aura;
    /** Everything in a block is compared with it, so that it is worth keeping; whoever is first finds it out. */
    private @Nullable Hash32 hash;

    BlockHeader(List<Bytes> values) {
        this(values, false);
    }

    /** @param aura whether AuRa's seal stands in place of {@code mixHash} and {@code nonce} */
    BlockHeader(List<Bytes> values, boolean aura) {
        if (values.size() < HeaderField.ALWAYS || values.size() > MAX_FIELDS) {
            throw new IllegalArgumentException("header: " + values.size() + " fields (expected: " + HeaderField.ALWAYS
                    + " to " + MAX_FIELDS + ")");
        }
        for (int i = 0; i < Math.min(values.size(), FIELDS.length); i++) {
            if (!aura || !isSeal(FIELDS[i])) {
                FIELDS[i].check(values.get(i));
            }
        }
        this.values = List.copyOf(values);
        this.aura = aura;
    }

    /** Starts a header with no field set. */
    public static BlockHeaderBuilder builder() {
        return new BlockHeaderBuilder();
    }

    /** Reads a header that stands alone. */
    public static BlockHeader decode(byte[] rlp) {
        RlpReader reader = RlpReader.of(rlp);
        BlockHeader header = read(reader);
        reader.end();
        return header;
    }

    static BlockHeader read(RlpReader reader) {
        RlpReader fields = reader.list();
        List<Bytes> values = new ArrayList<>();
        while (fields.hasNext() && values.size() <= MAX_FIELDS) {
            values.add(fields.bytes());
        }
        return new BlockHeader(values);
    }

    /** The header as it is hashed. */
    public byte[] rlp() {
        return RlpWriter.list(writer -> values.forEach(writer::bytes));
    }

    /** The block's hash. */
    public Hash32 hash() {
        Hash32 known = hash;
        if (known == null) {
            known = Hash32.keccak(rlp());
            hash = known;
        }
        return known;
    }

    /** Whether the header has a field. A header with AuRa's seal has neither {@code mixHash} nor {@code nonce}. */
    public boolean has(HeaderField field) {
        return field.index() < values.size() && !(aura && isSeal(field));
    }

    private static boolean isSeal(HeaderField field) {
        return field == HeaderField.MIX_HASH || field == HeaderField.NONCE;
    }

    /** A field's bytes as they are hashed, or null where the fork has no such field. */
    public @Nullable Bytes get(HeaderField field) {
        return has(field) ? values.get(field.index()) : null;
    }

    /** Gives each known field that the header has, in order, with its text in JSON-RPC. */
    public void forEachHex(BiConsumer<HeaderField, String> action) {
        for (HeaderField field : FIELDS) {
            if (has(field)) {
                action.accept(field, field.toHex(values.get(field.index())));
            }
        }
    }

    public Hash32 parentHash() {
        return hash(HeaderField.PARENT_HASH);
    }

    public Hash32 sha3Uncles() {
        return hash(HeaderField.SHA3_UNCLES);
    }

    public Address miner() {
        return new Address(require(HeaderField.MINER));
    }

    public Hash32 stateRoot() {
        return hash(HeaderField.STATE_ROOT);
    }

    public Hash32 transactionsRoot() {
        return hash(HeaderField.TRANSACTIONS_ROOT);
    }

    public Hash32 receiptsRoot() {
        return hash(HeaderField.RECEIPTS_ROOT);
    }

    public Bloom logsBloom() {
        return new Bloom(require(HeaderField.LOGS_BLOOM));
    }

    public BigInteger difficulty() {
        return new BigInteger(1, require(HeaderField.DIFFICULTY).toArray());
    }

    /** The bits of an unsigned long. */
    public long number() {
        return unsigned(HeaderField.NUMBER);
    }

    /** The bits of an unsigned long. */
    public long gasLimit() {
        return unsigned(HeaderField.GAS_LIMIT);
    }

    /** The bits of an unsigned long. */
    public long gasUsed() {
        return unsigned(HeaderField.GAS_USED);
    }

    /** In seconds since 1970, the bits of an unsigned long. */
    public long timestamp() {
        return unsigned(HeaderField.TIMESTAMP);
    }

    public Bytes extraData() {
        return require(HeaderField.EXTRA_DATA);
    }

    /** In wei; null before London. */
    public @Nullable BigInteger baseFeePerGas() {
        Bytes value = get(HeaderField.BASE_FEE_PER_GAS);
        return value == null ? null : new BigInteger(1, value.toArray());
    }

    /** Null before Shanghai. */
    public @Nullable Hash32 withdrawalsRoot() {
        Bytes value = get(HeaderField.WITHDRAWALS_ROOT);
        return value == null ? null : new Hash32(value);
    }

    private Hash32 hash(HeaderField field) {
        return new Hash32(require(field));
    }

    private long unsigned(HeaderField field) {
        Bytes value = require(field);
        long number = 0;
        for (int i = 0; i < value.size(); i++) {
            number = number << 8 | value.at(i);
        }
        return number;
    }

    private Bytes require(HeaderField field) {
        return values.get(field.index());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BlockHeader header && values.equals(header.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return "header " + number() + " " + hash();
    }
}
