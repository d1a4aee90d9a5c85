package io.weir.ethereum.block;

import io.weir.ethereum.Bytes;
import io.weir.ethereum.Quantity;
import java.math.BigInteger;
import java.util.Locale;

/**
 * The fields of a block header in the order in which they are hashed. Immutable.
 *
 * <p>The first fifteen are in every header; each fork since London has added some at the end and taken none away. A
 * new fork is a new constant here.
 */
public enum HeaderField {
    PARENT_HASH("parentHash", Kind.BYTES_32),
    SHA3_UNCLES("sha3Uncles", Kind.BYTES_32),
    MINER("miner", Kind.BYTES_20),
    STATE_ROOT("stateRoot", Kind.BYTES_32),
    TRANSACTIONS_ROOT("transactionsRoot", Kind.BYTES_32),
    RECEIPTS_ROOT("receiptsRoot", Kind.BYTES_32),
    LOGS_BLOOM("logsBloom", Kind.BYTES_256),
    DIFFICULTY("difficulty", Kind.QUANTITY),
    NUMBER("number", Kind.LONG),
    GAS_LIMIT("gasLimit", Kind.LONG),
    GAS_USED("gasUsed", Kind.LONG),
    TIMESTAMP("timestamp", Kind.LONG),
    EXTRA_DATA("extraData", Kind.BYTES),
    MIX_HASH("mixHash", Kind.BYTES_32),
    NONCE("nonce", Kind.BYTES_8),
    /** London. */
    BASE_FEE_PER_GAS("baseFeePerGas", Kind.QUANTITY),
    /** Shanghai. */
    WITHDRAWALS_ROOT("withdrawalsRoot", Kind.BYTES_32),
    /** Cancun. */
    BLOB_GAS_USED("blobGasUsed", Kind.LONG),
    /** Cancun. */
    EXCESS_BLOB_GAS("excessBlobGas", Kind.LONG),
    /** Cancun. */
    PARENT_BEACON_BLOCK_ROOT("parentBeaconBlockRoot", Kind.BYTES_32),
    /** Prague. */
    REQUESTS_HASH("requestsHash", Kind.BYTES_32),
    /** Amsterdam, as drafted. */
    BLOCK_ACCESS_LIST_HASH("blockAccessListHash", Kind.BYTES_32),
    /** Amsterdam, as drafted. */
    SLOT_NUMBER("slotNumber", Kind.LONG);

    /** The kinds of values that a field may hold. */
    enum Kind {
        BYTES(Integer.MAX_VALUE, false),
        BYTES_8(8, false),
        BYTES_20(20, false),
        BYTES_32(32, false),
        BYTES_256(256, false),
        LONG(8, true),
        QUANTITY(32, true);

        private final int size;
        private final boolean number;

        Kind(int size, boolean number) {
            this.size = size;
            this.number = number;
        }
    }

    /** How many fields every header has. */
    public static final int ALWAYS = 15;

    private final String jsonName;
    private final Kind kind;

    HeaderField(String jsonName, Kind kind) {
        this.jsonName = jsonName;
        this.kind = kind;
    }

    /** The field's name in JSON-RPC. */
    public String jsonName() {
        return jsonName;
    }

    /** Returns the field's position in the header, from 0. It is the order of declaration here. */
    @SuppressWarnings("EnumOrdinal") // The order is the whole point of this enumeration.
    public int index() {
        return ordinal();
    }

    /** Whether JSON-RPC writes it as a quantity, not as bytes. */
    public boolean isQuantity() {
        return kind.number;
    }

    /** Bytes of the header as JSON-RPC writes them. */
    String toHex(Bytes value) {
        return kind.number ? Quantity.encode(new BigInteger(1, value.toArray())) : value.hex();
    }

    /** Text of JSON-RPC as bytes of the header. */
    Bytes fromHex(String text) {
        try {
            return kind.number ? fewestBytes(Quantity.decode(text)) : Bytes.fromHex(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(jsonName + ": " + e.getMessage(), e);
        }
    }

    static Bytes fewestBytes(BigInteger value) {
        byte[] bytes = value.toByteArray();
        return Bytes.copyOf(bytes, bytes[0] == 0 ? 1 : 0, bytes.length);
    }

    void check(Bytes value) {
        if (kind.number) {
            if (value.size() > kind.size || (!value.isEmpty() && value.at(0) == 0)) {
                throw new IllegalArgumentException(
                        jsonName + ": " + value.hex() + " (expected: a number of at most " + kind.size + " bytes)");
            }
        } else if (kind != Kind.BYTES && value.size() != kind.size) {
            throw new IllegalArgumentException(
                    String.format(Locale.ROOT, "%s: %d bytes (expected: %d)", jsonName, value.size(), kind.size));
        }
    }
}
