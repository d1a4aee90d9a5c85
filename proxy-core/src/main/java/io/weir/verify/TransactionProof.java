package io.weir.verify;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.signature.Signature;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.transaction.TransactionType;
import java.math.BigInteger;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Proves a transaction by its own hash: its signed fields and its sender. Where it stands (its block, its index, what it paid in
 * the end) only its block proves; a place of which only some members are null is false. Thread-safe.
 */
public final class TransactionProof {

    /** The members that follow from the block. */
    private static final List<String> PLACE = List.of("blockNumber", "transactionIndex", "blockTimestamp");

    private TransactionProof() {}

    /**
     * Holds a transaction against its hash.
     *
     * @param asked the hash that was asked for; null where another thing was asked, and the object's own hash counts
     */
    public static Finding<ProvenTransaction> check(JsonNode object, @Nullable Hash32 asked) {
        try {
            ObjectMembers members = new ObjectMembers(object, "");
            MemberNames.requireNoShadow(object, ObjectForm.TRANSACTION, "");
            return found(members, asked);
        } catch (DifferenceException e) {
            return new Finding.Wrong<>(e.getMessage());
        }
    }

    private static Finding<ProvenTransaction> found(ObjectMembers members, @Nullable Hash32 asked)
            throws DifferenceException {
        if (asked != null) {
            members.require("hash", asked);
        }
        if (!members.has("blockHash")) {
            for (String name : PLACE) {
                members.requireNone(name, "in a transaction without a block");
            }
        }
        try {
            return new Finding.Proven<>(prove(members));
        } catch (UnknownPartException e) {
            return new Finding.Unverifiable<>(e.getMessage());
        } catch (DifferenceException e) {
            String unknown = members.unknown(ObjectForm.TRANSACTION);
            if (unknown == null) {
                throw e;
            }
            return new Finding.Unverifiable<>(e.getMessage() + ", with a member that is not known: " + unknown);
        }
    }

    /** Reads the transaction, recomputes its hash and its sender, and compares what follows from them. */
    static ProvenTransaction prove(ObjectMembers members) throws DifferenceException, UnknownPartException {
        return sender(members, hashed(members));
    }

    /** Reads the transaction and recomputes its hash. */
    static Transaction hashed(ObjectMembers members) throws DifferenceException, UnknownPartException {
        Transaction transaction = TransactionFields.read(members);
        members.require("hash", transaction.hash());
        spelledTwice(members, transaction);
        return transaction;
    }

    /** Finds who signed: the dear part of the proof. */
    static ProvenTransaction sender(ObjectMembers members, Transaction transaction) throws DifferenceException {
        Address sender;
        try {
            sender = transaction.sender();
        } catch (IllegalArgumentException e) {
            throw members.difference("from", String.valueOf(e.getMessage()));
        }
        members.require("from", sender);
        if (members.has("publicKey")
                && !Address.ofHash(members.bytes("publicKey").keccak()).equals(sender)) {
            throw members.difference("publicKey", "the sender's");
        }
        return new ProvenTransaction(transaction, members.hash("hash"), sender);
    }

    /** Believes what a transaction says of who signed it. */
    static ProvenTransaction knownSender(ObjectMembers members, Transaction transaction) throws DifferenceException {
        return new ProvenTransaction(transaction, members.hash("hash"), members.address("from"));
    }

    /** Members that say again what others say. */
    private static void spelledTwice(ObjectMembers members, Transaction transaction)
            throws DifferenceException, UnknownPartException {
        members.expect("v");
        members.require("v", transaction.v());
        Signature signature = transaction.signature();
        if (transaction.type() == TransactionType.SET_CODE) {
            // All nodes that know this type write it; some nodes leave it out in older types.
            members.requireGiven("yParity");
        }
        if (members.has("yParity") && signature != null) {
            members.requireUnsigned("yParity", signature.yParity());
        }
        if (members.has("raw") && !members.bytes("raw").equals(Bytes.wrap(transaction.encoded()))) {
            throw members.difference("raw", "the transaction's bytes");
        }
        if (members.has("data") && !members.bytes("data").equals(transaction.input())) {
            throw members.difference("data", "as input");
        }
        BigInteger chainId = transaction.chainId();
        if (transaction.type() != TransactionType.LEGACY) {
            return;
        }
        if (chainId == null) {
            members.requireNone("chainId", "in a transaction that is bound to no chain");
        } else if (members.given("chainId")) {
            members.require("chainId", chainId);
        }
    }
}
