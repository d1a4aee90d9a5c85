package io.weir.verify;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.rlp.RlpWriter;
import io.weir.ethereum.signature.Signature;
import io.weir.ethereum.transaction.AccessListEntry;
import io.weir.verify.TransactionLayout.LayoutField;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reader of transactions of a family's own types, and of what their receipts hold besides, from JSON. Stateless. */
final class LayoutReader {

    private LayoutReader() {}

    /**
     * Reads a transaction.
     *
     * @throws DifferenceException if a field is malformed
     * @throws UnknownPartException if a field is missing: some nodes leave out the fields of their own types
     */
    static ChainTransaction.OfFamily read(ObjectMembers members, TransactionLayout layout)
            throws DifferenceException, UnknownPartException {
        List<Consumer<RlpWriter>> fields = new ArrayList<>();
        for (LayoutField field : layout.fields()) {
            fields.add(field(members, field));
        }
        Address to = layout.has("to") ? members.optionalAddress("to") : null;
        String sender = layout.sender();
        Address from = sender == null ? null : members.address(sender);
        if (!layout.signed()) {
            return new ChainTransaction.OfFamily(layout, encoded(layout, fields), to, from, null);
        }
        Hash32 signed = encoded(layout, fields).keccak();
        Signature signature = signature(members);
        fields.add(writer ->
                writer.unsigned(signature.yParity()).quantity(signature.r()).quantity(signature.s()));
        return new ChainTransaction.OfFamily(
                layout, encoded(layout, fields), to, from, new ChainTransaction.Signing(signed, signature));
    }

    /** Reads the quantities behind the usual items of a receipt. Old receipts show the first of them, but do not hash it. */
    static List<BigInteger> receiptItems(ObjectMembers members, TransactionLayout layout) throws DifferenceException {
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

    private static Bytes encoded(TransactionLayout layout, List<Consumer<RlpWriter>> fields) {
        byte[] list = RlpWriter.list(writer -> fields.forEach(field -> field.accept(writer)));
        byte[] typed = new byte[list.length + 1];
        typed[0] = (byte) layout.type();
        System.arraycopy(list, 0, typed, 1, list.length);
        return Bytes.wrap(typed);
    }

    private static Signature signature(ObjectMembers members) throws DifferenceException {
        BigInteger parity = members.quantity(members.given("yParity") ? "yParity" : "v");
        try {
            return new Signature(
                    parity.bitLength() > 1 ? -1 : parity.intValue(),
                    members.paddedQuantity("r"),
                    members.paddedQuantity("s"));
        } catch (IllegalArgumentException e) {
            throw members.difference("yParity", String.valueOf(e.getMessage()));
        }
    }

    private static Consumer<RlpWriter> field(ObjectMembers members, LayoutField field)
            throws DifferenceException, UnknownPartException {
        String name = name(members, field);
        return switch (field.kind()) {
            case HASH -> hash(members.hash(name));
            case ADDRESS -> address(members.address(name));
            case OPTIONAL_ADDRESS -> address(members.optionalAddress(name));
            case QUANTITY -> quantity(members.quantity(name));
            case OPTIONAL_QUANTITY -> quantity(members.has(name) ? members.quantity(name) : BigInteger.ZERO);
            case UNSIGNED -> unsigned(members.unsigned(name));
            case FLAG -> unsigned(members.flag(name) ? 1 : 0);
            case BYTES -> bytes(members.bytes(name));
            case ACCESS_LIST -> accessList(members.listOf(name, TransactionFields::accessListEntry));
        };
    }

    /** Returns the member that holds a field. */
    private static String name(ObjectMembers members, LayoutField field) throws UnknownPartException {
        String other = field.other();
        if (members.has(field.name()) || field.kind().isOptional()) {
            return field.name();
        }
        if (other == null || !members.has(other)) {
            throw members.missing(field.name());
        }
        return other;
    }

    private static Consumer<RlpWriter> hash(Hash32 value) {
        return writer -> writer.hash(value);
    }

    private static Consumer<RlpWriter> address(@Nullable Address value) {
        return writer -> writer.address(value);
    }

    private static Consumer<RlpWriter> quantity(BigInteger value) {
        return writer -> writer.quantity(value);
    }

    private static Consumer<RlpWriter> unsigned(long value) {
        return writer -> writer.unsigned(value);
    }

    private static Consumer<RlpWriter> bytes(Bytes value) {
        return writer -> writer.bytes(value);
    }

    private static Consumer<RlpWriter> accessList(List<AccessListEntry> entries) {
        return writer -> writer.nested(list -> entries.forEach(entry -> list.nested(item ->
                item.address(entry.address()).nested(keys -> entry.storageKeys().forEach(keys::hash)))));
    }
}
