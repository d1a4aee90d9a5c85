package io.weir.verify;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.Quantity;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.transaction.TransactionType;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Members of one JSON object, read by their expected types. Members that are {@code null} count as absent. As in the specification
 * of the execution API, quantities have no leading zeros and hex digits are in lower case. Go clients fail on other quantities.
 * Addresses may have upper-case digits, which are a checksum. Confined to one thread.
 */
final class ObjectMembers {

    /** 0x and 32 bytes. */
    private static final int MAX_PADDED_LENGTH = 66;

    private static final Address ZEROS = Address.fromHex("0x" + "0".repeat(40));

    private final JsonNode object;
    private final String path;

    /**
     * Reads the members of an object.
     *
     * @param path its path in the answer, for messages; empty at the root
     */
    ObjectMembers(JsonNode object, String path) throws UnprovenException {
        if (!object.isObject()) {
            throw new UnprovenException(path.isEmpty() ? "result" : path, object, "an object");
        }
        this.object = object;
        this.path = path.isEmpty() ? "" : path + ".";
    }

    boolean has(String name) {
        return object.hasNonNull(name);
    }

    /** Returns whether the member is present. A present member has a value: {@code null} in its place is wrong. */
    boolean given(String name) throws UnprovenException {
        JsonNode value = object.get(name);
        if (value != null && value.isNull()) {
            throw difference(name, "a value");
        }
        return value != null;
    }

    /** Requires the member with a value. */
    void requireGiven(String name) throws UnprovenException {
        if (!given(name)) {
            throw difference(name, "a value");
        }
    }

    /** Requires a member that some nodes leave out. An answer without it is incomplete, but not wrong. */
    void expect(String name) throws UnprovenException {
        if (!given(name)) {
            throw missing(name);
        }
    }

    /** Returns the exception for a member that is missing, and without which nothing can be said. */
    UnprovenException missing(String name) {
        return new UnprovenException(path + name + " is missing");
    }

    /** Returns a name in the object that neither its form nor the family knows; null if there is none. */
    @Nullable
    String unknown(ObjectForm form, ChainFamily family) {
        for (String name : object.propertyNames()) {
            if (!form.knows(name) && !family.members().contains(name)) {
                return MemberNames.printable(name);
            }
        }
        return null;
    }

    String text(String name) throws UnprovenException {
        JsonNode value = object.get(name);
        if (value == null || !value.isString()) {
            throw value != null && (value.isNumber() || value.isBoolean())
                    ? form(name, "hex text")
                    : difference(name, "hex text");
        }
        return value.stringValue();
    }

    JsonNode list(String name) throws UnprovenException {
        JsonNode value = object.get(name);
        if (value == null || !value.isArray()) {
            throw new UnprovenException(path + name, value == null ? "none" : value, "a list");
        }
        return value;
    }

    <T> List<T> listOf(String name, ItemReader<T> reader) throws UnprovenException {
        List<T> items = new ArrayList<>();
        for (JsonNode item : list(name)) {
            items.add(reader.read(item, path + name + "[" + items.size() + "]"));
        }
        return items;
    }

    BigInteger quantity(String name) throws UnprovenException {
        return read(name, text -> Quantity.decode(lowerCase(text)));
    }

    /** Returns a number of up to 32 bytes. It may have leading zeros, which some nodes write into signatures. */
    BigInteger paddedQuantity(String name) throws UnprovenException {
        return read(name, text -> Quantity.decode(lowerCase(fewestDigits(text))));
    }

    /** Returns the bits of an unsigned long. */
    long unsigned(String name) throws UnprovenException {
        return read(name, text -> Quantity.decodeUnsignedLong(lowerCase(text)));
    }

    /** Returns an index below a size. */
    int index(String name, int size) throws UnprovenException {
        long index = unsigned(name);
        if (index < 0 || index >= size) {
            throw difference(name, "one of " + size + " in this block");
        }
        return (int) index;
    }

    Bytes bytes(String name) throws UnprovenException {
        return read(name, text -> Bytes.fromHex(lowerCase(text)));
    }

    Hash32 hash(String name) throws UnprovenException {
        return read(name, text -> Hash32.fromHex(lowerCase(text)));
    }

    Address address(String name) throws UnprovenException {
        return read(name, Address::fromHex);
    }

    @Nullable
    Address optionalAddress(String name) throws UnprovenException {
        return has(name) ? address(name) : null;
    }

    /** Requires this hash. */
    void require(String name, Hash32 expected) throws UnprovenException {
        if (!hash(name).equals(expected)) {
            throw difference(name, expected.hex());
        }
    }

    /** Requires this number. */
    void require(String name, BigInteger expected) throws UnprovenException {
        if (!quantity(name).equals(expected)) {
            throw difference(name, Quantity.encode(expected));
        }
    }

    /** Requires this number, the bits of an unsigned long. */
    void requireUnsigned(String name, long expected) throws UnprovenException {
        if (unsigned(name) != expected) {
            throw difference(name, Quantity.encodeUnsigned(expected));
        }
    }

    /** Requires this address; without one, the member must be {@code null} or absent. Zeros in their place are another form. */
    void require(String name, @Nullable Address expected) throws UnprovenException {
        Address found = optionalAddress(name);
        if (expected == null && ZEROS.equals(found)) {
            throw form(name, "null");
        }
        if (found == null ? expected != null : !found.equals(expected)) {
            throw difference(name, expected == null ? "null" : expected.hex());
        }
    }

    /** Requires the member to be absent or {@code null}. */
    void requireNone(String name, String reason) throws UnprovenException {
        if (has(name)) {
            throw difference(name, "none " + reason);
        }
    }

    /** Returns a boolean; false if it is absent or {@code null}. */
    boolean flag(String name) throws UnprovenException {
        if (has(name) && !object.get(name).isBoolean()) {
            throw difference(name, "true or false");
        }
        return has(name) && object.get(name).booleanValue();
    }

    /** Requires the member to be absent or {@code false}, and not {@code null}. */
    void requireFalse(String name) throws UnprovenException {
        if (given(name) && !(object.get(name).isBoolean() && !object.get(name).booleanValue())) {
            throw difference(name, "false");
        }
    }

    /** Requires the members that name the position of a transaction or a log: its block and index. The block's time may be absent. */
    void requirePlace(BlockHeader header, int index) throws UnprovenException {
        requireBlock(header, index);
        if (given("blockTimestamp")) {
            requireUnsigned("blockTimestamp", header.timestamp());
        }
    }

    /** Requires the same of a receipt, whose time anvil writes as a JSON number, but not in its logs. */
    void requirePlaceOfReceipt(BlockHeader header, int index) throws UnprovenException {
        requireBlock(header, index);
        JsonNode time = given("blockTimestamp") ? object.get("blockTimestamp") : null;
        if (time != null && !(time.canConvertToExactIntegral() && time.asLong(-1) == header.timestamp())) {
            requireUnsigned("blockTimestamp", header.timestamp());
        }
    }

    private void requireBlock(BlockHeader header, int index) throws UnprovenException {
        require("blockHash", header.hash());
        requireUnsigned("blockNumber", header.number());
        requireUnsigned("transactionIndex", index);
    }

    /**
     * Requires the type. It may be absent in blocks without a base fee: nodes older than types know no other block. Readers take a
     * transaction without a type for a legacy one.
     */
    void requireType(int type, BlockHeader header) throws UnprovenException {
        if (isTyped(type, header)) {
            requireGiven("type");
        }
        if (given("type")) {
            requireUnsigned("type", type);
        }
    }

    /** Requires the type of a receipt likewise. On some chains no receipt shows it. */
    void requireTypeOfReceipt(int type, BlockHeader header) throws UnprovenException {
        if (isTyped(type, header)) {
            expect("type");
        }
        requireType(type, header);
    }

    private static boolean isTyped(int type, BlockHeader header) {
        return type != TransactionType.LEGACY.number() || header.baseFeePerGas() != null;
    }

    UnprovenException difference(String name, String expected) {
        return new UnprovenException(path + name, shown(name), expected);
    }

    /** Returns the exception for a member that may be right, and is written in another form than that of Ethereum's nodes. */
    UnprovenException form(String name, String expected) {
        return UnprovenException.ofForm(path + name, shown(name), expected);
    }

    private Object shown(String name) {
        JsonNode value = object.get(name);
        return value == null ? "none" : value;
    }

    private <T> T read(String name, Function<String, T> reader) throws UnprovenException {
        String text = text(name);
        try {
            return reader.apply(text);
        } catch (IllegalArgumentException e) {
            throw new UnprovenException(path + name, text, String.valueOf(e.getMessage()));
        }
    }

    /** Returns the text, which has no upper-case digit. */
    static String lowerCase(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 'A' && c <= 'Z') {
                throw new IllegalArgumentException("hex in upper case (expected: in lower case)");
            }
        }
        return text;
    }

    /** Returns the text of a number of up to 32 bytes, without leading zeros. */
    private static String fewestDigits(String text) {
        if (!text.startsWith("0x0") || text.length() == 3 || text.length() > MAX_PADDED_LENGTH) {
            return text;
        }
        int first = 2;
        while (first < text.length() - 1 && text.charAt(first) == '0') {
            first++;
        }
        return "0x" + text.substring(first);
    }

    /** Reads one item of a list. */
    @FunctionalInterface
    interface ItemReader<T> {
        T read(JsonNode item, String path) throws UnprovenException;
    }
}
