package io.weir.verify;

import io.weir.ethereum.Address;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.signature.Secp256k1;
import io.weir.ethereum.signature.SignatureRule;
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

    private static final List<String> SIGNATURE = List.of("r", "s");

    private TransactionProof() {}

    /**
     * Verifies a transaction by its hash.
     *
     * @param asked the requested hash; null if the call names no transaction hash, and the object's own hash counts
     */
    public static Verification<ProvenTransaction> check(JsonNode object, @Nullable Hash32 asked, ChainFamily family) {
        return Proof.verify(() -> {
            ObjectMembers members = new ObjectMembers(object, "");
            MemberNames.requireNoShadow(object, ObjectForm.TRANSACTION, "");
            return found(members, asked, family);
        });
    }

    private static ProvenTransaction found(ObjectMembers members, @Nullable Hash32 asked, ChainFamily family)
            throws DifferenceException, UnknownPartException {
        if (asked != null) {
            members.require("hash", asked);
        }
        if (!members.has("blockHash")) {
            for (String name : PLACE) {
                members.requireNone(name, "in a transaction without a block");
            }
        }
        if (StateSync.isTransaction(members, family)) {
            throw UnknownPartException.withoutRule("the transaction of a state sync is in no root");
        }
        try {
            return sender(members, hashed(members, family, true), family);
        } catch (DifferenceException e) {
            throw UnknownPartException.insteadOf(e, members.unknown(ObjectForm.TRANSACTION, family), false);
        }
    }

    /**
     * Reads the transaction and recomputes its hash.
     *
     * @param old whether its block has no base fee, or is not known
     */
    static ChainTransaction hashed(ObjectMembers members, ChainFamily family, boolean old)
            throws DifferenceException, UnknownPartException {
        int type = TransactionFields.number(members);
        String gap =
                family.has(Deviation.NO_HASHES) ? "a chain without rules" : family.gap(type, isUnsigned(members), old);
        if (gap != null) {
            throw UnknownPartException.withoutRule("transaction type 0x" + Integer.toHexString(type) + ": " + gap);
        }
        TransactionLayout layout = family.layout(type);
        if (family == ChainFamily.ETHEREUM && hasEqualParts(members)) {
            throw new UnknownPartException("a transaction of an account without a key, which no hash covers");
        }
        try {
            ChainTransaction transaction = layout == null
                    ? new ChainTransaction.OfEthereum(TransactionFields.read(members, type))
                    : LayoutReader.read(members, layout);
            members.require("hash", transaction.hash());
            RepeatedFields.require(members, transaction);
            return transaction;
        } catch (DifferenceException e) {
            boolean lacking = layout != null && LayoutReader.lacksFields(members, layout);
            throw UnknownPartException.insteadOf(e, null, lacking || isUntested(layout, family));
        }
    }

    private static boolean isUntested(@Nullable TransactionLayout layout, ChainFamily family) {
        return layout == null ? family.has(Deviation.TRANSACTIONS_UNTESTED) : !layout.tested();
    }

    private static boolean isUnsigned(ObjectMembers members) throws DifferenceException {
        for (String name : SIGNATURE) {
            if (members.has(name) && members.paddedQuantity(name).signum() != 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns whether both parts of a signature are one number, as no key signs. Developers' nodes write so where they let an account
     * without a key send a transaction, on forks of other chains too.
     */
    private static boolean hasEqualParts(ObjectMembers members) throws DifferenceException {
        return members.has("r")
                && members.has("s")
                && members.paddedQuantity("r").equals(members.paddedQuantity("s"));
    }

    /** Finds the sender. Recovering it from a signature is the expensive part of the proof. */
    static ProvenTransaction sender(ObjectMembers members, ChainTransaction transaction, ChainFamily family)
            throws DifferenceException, UnknownPartException {
        try {
            return sender(members, transaction);
        } catch (DifferenceException e) {
            throw UnknownPartException.insteadOf(e, null, isUntested(family.layout(transaction.type()), family));
        }
    }

    private static ProvenTransaction sender(ObjectMembers members, ChainTransaction transaction)
            throws DifferenceException, UnknownPartException {
        Address sender;
        try {
            sender = sender(transaction);
        } catch (IllegalArgumentException e) {
            throw members.difference("from", String.valueOf(e.getMessage()));
        }
        if (sender == null) {
            members.expect("from");
            return knownSender(members, transaction);
        }
        members.require("from", sender);
        if (members.has("publicKey")
                && !Address.ofHash(members.bytes("publicKey").keccak()).equals(sender)) {
            throw members.difference("publicKey", "the sender's");
        }
        return new ProvenTransaction(transaction, members.hash("hash"), sender);
    }

    /** Returns the sender; null if neither a field nor a signature names it. */
    private static @Nullable Address sender(ChainTransaction transaction) {
        if (transaction instanceof ChainTransaction.OfFamily own) {
            ChainTransaction.Signing signing = own.signing();
            return signing == null
                    ? own.sender()
                    : Secp256k1.recover(signing.hash(), signing.signature(), SignatureRule.LOW_S);
        }
        return ((ChainTransaction.OfEthereum) transaction).transaction().sender();
    }

    /** Takes the sender from the transaction, without a proof. */
    static ProvenTransaction knownSender(ObjectMembers members, ChainTransaction transaction)
            throws DifferenceException {
        return new ProvenTransaction(transaction, members.hash("hash"), members.address("from"));
    }
}
