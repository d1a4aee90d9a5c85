package io.weir.verify;

import io.weir.ethereum.Bytes;
import io.weir.ethereum.signature.Signature;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.transaction.TransactionType;
import java.math.BigInteger;

/** Comparison of members of a transaction that repeat others. Stateless. */
final class RepeatedFields {

    private RepeatedFields() {}

    /** Requires these members to agree with the fields that are hashed. */
    static void require(ObjectMembers members, ChainTransaction transaction)
            throws DifferenceException, UnknownPartException {
        if (transaction instanceof ChainTransaction.OfEthereum ethereum) {
            requireSigned(members, ethereum.transaction());
        } else if (transaction instanceof ChainTransaction.OfFamily own) {
            requireOfFamily(members, own);
        }
        if (members.has("raw") && !members.bytes("raw").equals(Bytes.wrap(transaction.encoded()))) {
            throw members.difference("raw", "the transaction's bytes");
        }
        if (members.has("data")
                && members.has("input")
                && !members.bytes("data").equals(members.bytes("input"))) {
            throw members.difference("data", "as input");
        }
    }

    private static void requireOfFamily(ObjectMembers members, ChainTransaction.OfFamily own)
            throws DifferenceException {
        ChainTransaction.Signing signing = own.signing();
        if (signing != null) {
            for (String name : new String[] {"v", "yParity"}) {
                if (members.given(name)) {
                    members.requireUnsigned(name, signing.signature().yParity());
                }
            }
        }
        if (own.layout().has("retryData") && members.has("input")) {
            RetryableInput.require(members);
        }
    }

    private static void requireSigned(ObjectMembers members, Transaction transaction)
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
