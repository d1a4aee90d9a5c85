package io.weir.verify;

import static io.weir.ethereum.transaction.TransactionType.BLOB;
import static io.weir.ethereum.transaction.TransactionType.LEGACY;
import static io.weir.ethereum.transaction.TransactionType.SET_CODE;

import io.weir.ethereum.Hash32;
import io.weir.ethereum.signature.Signature;
import io.weir.ethereum.transaction.AccessListEntry;
import io.weir.ethereum.transaction.Authorization;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.transaction.TransactionBuilder;
import io.weir.ethereum.transaction.TransactionType;
import java.math.BigInteger;
import tools.jackson.databind.JsonNode;

/** Reader of a transaction's signed fields from JSON into a {@link Transaction}. Stateless. */
final class TransactionFields {

    private TransactionFields() {}

    /**
     * Reads a transaction of one of Ethereum's types.
     *
     * @throws DifferenceException if a field of its type is missing or malformed, or a field of another type is present
     * @throws UnknownPartException if the type is not one of these
     */
    static Transaction read(ObjectMembers members, int number) throws DifferenceException, UnknownPartException {
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
    static int number(ObjectMembers members) throws DifferenceException, UnknownPartException {
        // Nodes from before types leave it out; the block decides whether they may.
        BigInteger number = members.given("type") ? members.quantity("type") : BigInteger.ZERO;
        if (number.bitLength() > Byte.SIZE) {
            throw notKnown(number.toString(16));
        }
        return number.intValue();
    }

    private static TransactionType type(int number) throws UnknownPartException {
        for (TransactionType type : TransactionType.values()) {
            if (type.number() == number) {
                return type;
            }
        }
        throw notKnown(Integer.toHexString(number));
    }

    private static UnknownPartException notKnown(String number) {
        return new UnknownPartException("transaction type 0x" + number + " is not known");
    }

    private static void fees(ObjectMembers members, TransactionType type, TransactionBuilder builder)
            throws DifferenceException {
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
            throws DifferenceException {
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
            throws DifferenceException {
        BigInteger r = members.paddedQuantity("r");
        BigInteger s = members.paddedQuantity("s");
        if (type == LEGACY) {
            builder.legacySignature(members.quantity("v"), r, s);
        } else {
            BigInteger parity = members.quantity(members.given("yParity") ? "yParity" : "v");
            builder.signature(new Signature(parity.bitLength() > 1 ? -1 : parity.intValue(), r, s));
        }
    }

    private static void foreign(ObjectMembers members, TransactionType type, String... names)
            throws DifferenceException {
        for (String name : names) {
            members.requireNone(name, "in type " + type.number());
        }
    }

    private static void emptyOrNone(ObjectMembers members, TransactionType type, String name)
            throws DifferenceException {
        if (members.has(name) && !members.list(name).isEmpty()) {
            throw members.difference(name, "none in type " + type.number());
        }
    }

    static AccessListEntry accessListEntry(JsonNode item, String path) throws DifferenceException {
        ObjectMembers members = new ObjectMembers(item, path);
        return new AccessListEntry(members.address("address"), members.listOf("storageKeys", TransactionFields::hash));
    }

    private static Authorization authorization(JsonNode item, String path) throws DifferenceException {
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
    static Hash32 hash(JsonNode item, String path) throws DifferenceException {
        try {
            if (item.isString()) {
                return Hash32.fromHex(ObjectMembers.lowerCase(item.stringValue()));
            }
        } catch (IllegalArgumentException e) {
            throw new DifferenceException(path, item, String.valueOf(e.getMessage()));
        }
        throw new DifferenceException(path, item, "a hash");
    }
}
