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
 * Proof of a transaction's signed fields and its sender by its own hash. Only its block proves its block, its index and the price
 * that it paid. A position of which only some members are null is wrong. Thread-safe.
 */
public final class TransactionProof {

    /** The members that follow from the block. */
    private static final List<String> PLACE = List.of("blockNumber", "transactionIndex", "blockTimestamp");

    private TransactionProof() {}

    /**
     * Verifies a transaction by its hash.
     *
     * @param asked the requested hash; null if the call names no transaction hash, and the object's own hash counts
     */
    public static Verification<ProvenTransaction> check(JsonNode object, @Nullable Hash32 asked) {
        try {
            ObjectMembers members = new ObjectMembers(object, "");
            MemberNames.requireNoShadow(object, ObjectForm.TRANSACTION, "");
            return found(members, asked);
        } catch (DifferenceException e) {
            return new Verification.Wrong<>(e.getMessage());
        }
    }

    private static Verification<ProvenTransaction> found(ObjectMembers members, @Nullable Hash32 asked)
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
            return new Verification.Proven<>(prove(members));
        } catch (UnknownPartException e) {
            return new Verification.Unverifiable<>(e.getMessage());
        } catch (DifferenceException e) {
            String unknown = members.unknown(ObjectForm.TRANSACTION);
            if (unknown == null) {
                throw e;
            }
            return new Verification.Unverifiable<>(e.getMessage() + ", with a member that is not known: " + unknown);
        }
    }

    /** Reads the transaction, recomputes its hash and its sender, and compares the members that follow. */
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

    /** Recovers the sender, which is the expensive part of the proof. */
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

    /** Takes the sender from the transaction, without a proof. */
    static ProvenTransaction knownSender(ObjectMembers members, Transaction transaction) throws DifferenceException {
        return new ProvenTransaction(transaction, members.hash("hash"), members.address("from"));
    }

    /** Compares members that repeat others. */
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
