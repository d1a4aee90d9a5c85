package io.weir.verify;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Encoding of a type of transaction that Ethereum does not have: the type byte, then an RLP list of fields. Immutable.
 *
 * @param fields in order
 * @param signed whether the parity, r and s of a signature follow the fields; the signature is over the fields before them
 * @param sender the field that holds the sender; null if none does
 * @param receiptItems quantities that follow the usual items of a receipt, if the receipt has the last of these members
 * @param tested whether recorded transactions have shown the encoding
 * @param receiptTested whether recorded blocks have shown the encoding of receipts
 */
public record TransactionLayout(
        int type,
        List<LayoutField> fields,
        boolean signed,
        @Nullable String sender,
        List<String> receiptItems,
        boolean tested,
        boolean receiptTested) {

    public TransactionLayout {
        fields = List.copyOf(fields);
        receiptItems = List.copyOf(receiptItems);
    }

    /** Returns an unsigned type whose encoding recorded transactions have shown. */
    static TransactionLayout unsigned(int type, @Nullable String sender, List<LayoutField> fields) {
        return new TransactionLayout(type, fields, false, sender, List.of(), true, false);
    }

    /** Returns a signed type whose encoding recorded transactions have shown. */
    static TransactionLayout signed(int type, List<LayoutField> fields) {
        return new TransactionLayout(type, fields, true, null, List.of(), true, false);
    }

    /** Returns this layout as one that was only read in source. */
    TransactionLayout onlyRead() {
        return new TransactionLayout(type, fields, signed, sender, receiptItems, false, false);
    }

    /** Returns this layout with receipts that recorded blocks have shown. */
    TransactionLayout withTestedReceipts() {
        return new TransactionLayout(type, fields, signed, sender, receiptItems, tested, true);
    }

    TransactionLayout withReceiptItems(String... names) {
        return new TransactionLayout(type, fields, signed, sender, List.of(names), tested, receiptTested);
    }

    /** Returns whether the encoding holds a member. */
    public boolean has(String name) {
        return fields.stream().anyMatch(field -> field.name().equals(name));
    }

    /**
     * Field of a transaction's encoding, and the member of JSON that shows it. Immutable.
     *
     * @param name the member
     * @param other a member to read if that one is missing; null if there is none
     */
    public record LayoutField(String name, @Nullable String other, Kind kind) {

        /** Kind of a field's value. */
        public enum Kind {
            /** 32 bytes. */
            HASH,
            /** 20 bytes. */
            ADDRESS,
            /** 20 bytes; an empty string if the member is null or missing. */
            OPTIONAL_ADDRESS,
            /** A number of up to 32 bytes. */
            QUANTITY,
            /** A number of up to 32 bytes; 0 if the member is null or missing. */
            OPTIONAL_QUANTITY,
            /** A number of up to 8 bytes. */
            UNSIGNED,
            /** A boolean; false if the member is missing. */
            FLAG,
            /** Any bytes. */
            BYTES,
            /** A list of addresses, each with storage keys. */
            ACCESS_LIST;

            public boolean isOptional() {
                return this == OPTIONAL_ADDRESS || this == OPTIONAL_QUANTITY || this == FLAG;
            }
        }
    }
}
