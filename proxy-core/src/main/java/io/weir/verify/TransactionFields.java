package io.weir.verify;

import static io.weir.ethereum.transaction.TransactionType.BLOB;
import static io.weir.ethereum.transaction.TransactionType.LEGACY;
import static io.weir.ethereum.transaction.TransactionType.SET_CODE;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.rlp.RlpWriter;
import io.weir.ethereum.signature.Signature;
import io.weir.ethereum.transaction.AccessListEntry;
import io.weir.ethereum.transaction.Authorization;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.transaction.TransactionBuilder;
import io.weir.ethereum.transaction.TransactionType;
import io.weir.verify.TransactionLayout.LayoutField;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reader of transactions, and of what receipts of a family's own types hold besides, from JSON. Stateless. */
final class TransactionFields {

    private TransactionFields() {}

    /**
     * Reads a transaction of one of Ethereum's types.
     *
     * @throws UnprovenException if the type is not one of these, a field of its type is missing or malformed, or a field of another type is
     *     present
     */
    static Transaction read(ObjectMembers members, int number) throws UnprovenException {
        TransactionType type = type(number);
        try {
            TransactionBuilder builder = Transaction.builder(type)
                    .nonce(members.unsigned("nonce"))
                    .gas(members.unsigned("gas"))
                    .to(members.optionalAddress("to"))
                    .value(members.quantity("value"))
                    .input(members.bytes("input"));
            fees(members, type, builder);
            lists(members, type, builder);
            sign(members, type, builder);
            return builder.build();
        } catch (IllegalArgumentException e) {
            throw members.difference("hash", String.valueOf(e.getMessage()));
        }
    }

    /** Returns the number of a transaction's type, one byte. */
    static int number(ObjectMembers members) throws UnprovenException {
        // Nodes from before types leave it out; the block decides whether they may.
        BigInteger number = members.given("type") ? members.quantity("type") : BigInteger.ZERO;
        if (number.bitLength() > Byte.SIZE) {
            throw notKnown(number.toString(16));
        }
        return number.intValue();
    }

    private static TransactionType type(int number) throws UnprovenException {
        for (TransactionType type : TransactionType.values()) {
            if (type.number() == number) {
                return type;
            }
        }
        throw notKnown(Integer.toHexString(number));
    }

    private static UnprovenException notKnown(String number) {
        return new UnprovenException("transaction type 0x" + number + " is not known");
    }

    private static void fees(ObjectMembers members, TransactionType type, TransactionBuilder builder)
            throws UnprovenException {
        if (type.hasDynamicFee()) {
            // What gasPrice shows of these types is what was paid in the end, and no part of them.
            builder.maxFeePerGas(members.quantity("maxFeePerGas"))
                    .maxPriorityFeePerGas(members.quantity("maxPriorityFeePerGas"));
        } else {
            builder.gasPrice(members.quantity("gasPrice"));
            foreign(members, type, "maxFeePerGas", "maxPriorityFeePerGas");
        }
        if (type == BLOB) {
            builder.maxFeePerBlobGas(members.quantity("maxFeePerBlobGas"));
        } else {
            foreign(members, type, "maxFeePerBlobGas");
        }
    }

    private static void lists(ObjectMembers members, TransactionType type, TransactionBuilder builder)
            throws UnprovenException {
        if (type != LEGACY) {
            builder.chainId(members.quantity("chainId"))
                    .accessList(members.listOf("accessList", TransactionFields::accessListEntry));
        } else {
            emptyOrNone(members, type, "accessList");
        }
        if (type == BLOB) {
            builder.blobVersionedHashes(members.listOf("blobVersionedHashes", TransactionFields::hash));
        } else {
            emptyOrNone(members, type, "blobVersionedHashes");
        }
        if (type == SET_CODE) {
            builder.authorizationList(members.listOf("authorizationList", TransactionFields::authorization));
        } else {
            emptyOrNone(members, type, "authorizationList");
        }
    }

    private static void sign(ObjectMembers members, TransactionType type, TransactionBuilder builder)
            throws UnprovenException {
        if (type == LEGACY) {
            builder.legacySignature(members.quantity("v"), members.paddedQuantity("r"), members.paddedQuantity("s"));
        } else {
            builder.signature(signature(members));
        }
    }

    /**
     * Reads the signature of a transaction with a type.
     *
     * @throws IllegalArgumentException if a number is out of its range
     */
    static Signature signature(ObjectMembers members) throws UnprovenException {
        BigInteger parity = members.quantity(members.given("yParity") ? "yParity" : "v");
        return new Signature(
                parity.bitLength() > 1 ? -1 : parity.intValue(),
                members.paddedQuantity("r"),
                members.paddedQuantity("s"));
    }

    private static void foreign(ObjectMembers members, TransactionType type, String... names) throws UnprovenException {
        for (String name : names) {
            members.requireNone(name, "in type " + type.number());
        }
    }

    private static void emptyOrNone(ObjectMembers members, TransactionType type, String name) throws UnprovenException {
        if (members.has(name) && !members.list(name).isEmpty()) {
            throw members.difference(name, "none in type " + type.number());
        }
    }

    static AccessListEntry accessListEntry(JsonNode item, String path) throws UnprovenException {
        ObjectMembers members = new ObjectMembers(item, path);
        return new AccessListEntry(members.address("address"), members.listOf("storageKeys", TransactionFields::hash));
    }

    private static Authorization authorization(JsonNode item, String path) throws UnprovenException {
        ObjectMembers members = new ObjectMembers(item, path);
        long parity = members.unsigned(members.has("yParity") ? "yParity" : "v");
        if (members.has("v")) {
            members.requireUnsigned("v", parity);
        }
        return new Authorization(
                members.quantity("chainId"),
                members.address("address"),
                members.unsigned("nonce"),
                parity < 0 || parity > 0xff ? -1 : (int) parity,
                members.paddedQuantity("r"),
                members.paddedQuantity("s"));
    }

    /** Reads an item of a list that is a hash. */
    static Hash32 hash(JsonNode item, String path) throws UnprovenException {
        try {
            if (item.isString()) {
                return Hash32.fromHex(ObjectMembers.lowerCase(item.stringValue()));
            }
        } catch (IllegalArgumentException e) {
            throw new UnprovenException(path, item, String.valueOf(e.getMessage()));
        }
        throw new UnprovenException(path, item, "a hash");
    }

    /**
     * Reads a transaction of a family's own type.
     *
     * @throws UnprovenException if a field is malformed; or if one is missing: some nodes leave out the fields of their own types
     */
    static ChainTransaction.OfFamily read(ObjectMembers members, TransactionLayout layout) throws UnprovenException {
        List<Consumer<RlpWriter>> items = new ArrayList<>();
        for (LayoutField field : layout.fields()) {
            items.add(item(members, field));
        }
        Address to = layout.has("to") ? members.optionalAddress("to") : null;
        String sender = layout.sender();
        Address from = sender == null ? null : members.address(sender);
        if (!layout.signed()) {
            return new ChainTransaction.OfFamily(layout, encoded(layout, items), to, from, null);
        }
        Hash32 hash = encoded(layout, items).keccak();
        Signature signature;
        try {
            signature = signature(members);
        } catch (IllegalArgumentException e) {
            throw members.difference("yParity", String.valueOf(e.getMessage()));
        }
        items.add(writer ->
                writer.unsigned(signature.yParity()).quantity(signature.r()).quantity(signature.s()));
        return new ChainTransaction.OfFamily(
                layout, encoded(layout, items), to, from, new ChainTransaction.Signing(hash, signature));
    }

    /** Reads the quantities behind the usual items of a receipt. Old receipts show the first of them, but do not hash it. */
    static List<BigInteger> receiptItems(ObjectMembers members, TransactionLayout layout) throws UnprovenException {
        List<String> names = layout.receiptItems();
        List<BigInteger> items = new ArrayList<>();
        if (!names.isEmpty() && members.has(names.get(names.size() - 1))) {
            for (String name : names) {
                items.add(members.quantity(name));
            }
        }
        return items;
    }

    /** Returns whether a field is read from a member that may show another value. */
    static boolean lacksFields(ObjectMembers members, TransactionLayout layout) {
        return layout.fields().stream().anyMatch(field -> field.other() != null && !members.has(field.name()));
    }

    private static Bytes encoded(TransactionLayout layout, List<Consumer<RlpWriter>> items) {
        byte[] list = RlpWriter.list(writer -> items.forEach(item -> item.accept(writer)));
        byte[] typed = new byte[list.length + 1];
        typed[0] = (byte) layout.type();
        System.arraycopy(list, 0, typed, 1, list.length);
        return Bytes.wrap(typed);
    }

    private static Consumer<RlpWriter> item(ObjectMembers members, LayoutField field) throws UnprovenException {
        String name = name(members, field);
        return switch (field.kind()) {
            case HASH -> item(members.hash(name), RlpWriter::hash);
            case ADDRESS -> item(members.address(name), RlpWriter::address);
            case OPTIONAL_ADDRESS -> item(members.optionalAddress(name), RlpWriter::address);
            case QUANTITY -> item(members.quantity(name), RlpWriter::quantity);
            case OPTIONAL_QUANTITY ->
                item(members.has(name) ? members.quantity(name) : BigInteger.ZERO, RlpWriter::quantity);
            case UNSIGNED -> item(members.unsigned(name), RlpWriter::unsigned);
            case FLAG -> item(members.flag(name) ? 1L : 0L, RlpWriter::unsigned);
            case BYTES -> item(members.bytes(name), RlpWriter::bytes);
            case ACCESS_LIST ->
                item(members.listOf(name, TransactionFields::accessListEntry), TransactionFields::accessList);
        };
    }

    private static <T extends @Nullable Object> Consumer<RlpWriter> item(T value, BiConsumer<RlpWriter, T> how) {
        return writer -> how.accept(writer, value);
    }

    private static void accessList(RlpWriter writer, List<AccessListEntry> entries) {
        writer.nested(list -> entries.forEach(entry -> list.nested(item ->
                item.address(entry.address()).nested(keys -> entry.storageKeys().forEach(keys::hash)))));
    }

    /** Returns the member that holds a field. */
    private static String name(ObjectMembers members, LayoutField field) throws UnprovenException {
        String other = field.other();
        if (members.has(field.name()) || field.kind().isOptional()) {
            return field.name();
        }
        if (other == null || !members.has(other)) {
            throw members.missing(field.name());
        }
        return other;
    }
}
