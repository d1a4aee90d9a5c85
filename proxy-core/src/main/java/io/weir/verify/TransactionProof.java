package io.weir.verify;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.signature.Secp256k1;
import io.weir.ethereum.signature.Signature;
import io.weir.ethereum.signature.SignatureRule;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.transaction.TransactionType;
import io.weir.verify.ChainFamily.Deviation;
import io.weir.verify.ProvenBlock.ProvenTransaction;
import java.io.ByteArrayOutputStream;
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
            throws UnprovenException {
        if (asked != null) {
            members.require("hash", asked);
        }
        if (!members.has("blockHash")) {
            for (String name : PLACE) {
                members.requireNone(name, "in a transaction without a block");
            }
        }
        if (StateSync.isTransaction(members, family)) {
            throw UnprovenException.withoutRule("the transaction of a state sync is in no root");
        }
        try {
            ProvenTransaction proven = known(members, hashed(members, family, true), family);
            requireSender("", proven, family);
            return proven;
        } catch (UnprovenException e) {
            throw e.orUnknown(members.unknown(ObjectForm.TRANSACTION, family), false);
        }
    }

    /**
     * Reads the transaction and recomputes its hash.
     *
     * @param old whether its block has no base fee, or is not known
     */
    static ChainTransaction hashed(ObjectMembers members, ChainFamily family, boolean old) throws UnprovenException {
        int type = TransactionFields.number(members);
        String gap =
                family.has(Deviation.NO_HASHES) ? "a chain without rules" : family.gap(type, isUnsigned(members), old);
        if (gap != null) {
            throw UnprovenException.withoutRule("transaction type 0x" + Integer.toHexString(type) + ": " + gap);
        }
        TransactionLayout layout = family.layout(type);
        if (family == ChainFamily.ETHEREUM && hasEqualParts(members)) {
            throw new UnprovenException("a transaction of an account without a key, which no hash covers");
        }
        try {
            ChainTransaction transaction = layout == null
                    ? new ChainTransaction.OfEthereum(TransactionFields.read(members, type))
                    : TransactionFields.read(members, layout);
            members.require("hash", transaction.hash());
            RepeatedFields.require(members, transaction);
            return transaction;
        } catch (UnprovenException e) {
            boolean lacking = layout != null && TransactionFields.lacksFields(members, layout);
            throw e.orUnknown(null, lacking || isUntested(layout, family));
        }
    }

    private static boolean isUntested(@Nullable TransactionLayout layout, ChainFamily family) {
        return layout == null ? family.has(Deviation.TRANSACTIONS_UNTESTED) : !layout.tested();
    }

    private static boolean isUnsigned(ObjectMembers members) throws UnprovenException {
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
    private static boolean hasEqualParts(ObjectMembers members) throws UnprovenException {
        return members.has("r")
                && members.has("s")
                && members.paddedQuantity("r").equals(members.paddedQuantity("s"));
    }

    /**
     * Requires the sender as it stands to be the one that signed. Recovering it is the expensive part of the proof.
     *
     * @param path of the transaction in its answer, with the separator
     */
    static void requireSender(String path, ProvenTransaction proven, ChainFamily family) throws UnprovenException {
        ChainTransaction transaction = proven.transaction();
        String signed;
        try {
            Address sender = sender(transaction);
            if (sender == null || sender.equals(proven.sender())) {
                return;
            }
            signed = sender.hex();
        } catch (IllegalArgumentException e) {
            signed = String.valueOf(e.getMessage());
        }
        throw untested(new UnprovenException(path + "from", proven.sender().hex(), signed), transaction, family);
    }

    private static UnprovenException untested(
            UnprovenException difference, ChainTransaction transaction, ChainFamily family) {
        return difference.orUnknown(null, isUntested(family.layout(transaction.type()), family));
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

    /** Takes the sender of a transaction as it stands. A public key beside it must be that sender's. */
    static ProvenTransaction known(ObjectMembers members, ChainTransaction transaction, ChainFamily family)
            throws UnprovenException {
        boolean open =
                transaction instanceof ChainTransaction.OfFamily own && own.signing() == null && own.sender() == null;
        if (open) {
            members.expect("from");
        }
        try {
            Address sender = members.address("from");
            if (!open
                    && members.has("publicKey")
                    && !Address.ofHash(members.bytes("publicKey").keccak()).equals(sender)) {
                throw members.difference("publicKey", "the sender's");
            }
            return new ProvenTransaction(transaction, members.hash("hash"), sender);
        } catch (UnprovenException e) {
            throw untested(e, transaction, family);
        }
    }

    /** Comparison of members of a transaction that repeat others. Stateless. */
    private static final class RepeatedFields {

        private RepeatedFields() {}

        /** Requires these members to agree with the fields that are hashed. */
        static void require(ObjectMembers members, ChainTransaction transaction) throws UnprovenException {
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
                throws UnprovenException {
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

        private static void requireSigned(ObjectMembers members, Transaction transaction) throws UnprovenException {
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

        /**
         * Input of Arbitrum's submission of a retryable, which is not hashed: nodes show the fields of the transaction as a call of a
         * contract. Stateless.
         */
        private static final class RetryableInput {

            private static final int WORD = 32;
            private static final byte[] SELECTOR = {(byte) 0xc9, (byte) 0xf9, 0x5d, 0x32};

            /** Ten fields, and this offset itself. */
            private static final long DATA_OFFSET = 11L * WORD;

            private RetryableInput() {}

            /** Requires the input to repeat the fields. */
            static void require(ObjectMembers members) throws UnprovenException {
                ByteArrayOutputStream input = new ByteArrayOutputStream();
                input.writeBytes(SELECTOR);
                word(input, members.hash("requestId").toArray());
                number(input, members.quantity("l1BaseFee"));
                number(input, members.quantity("depositValue"));
                number(input, members.quantity("retryValue"));
                number(input, members.quantity(members.has("maxFeePerGas") ? "maxFeePerGas" : "gasPrice"));
                number(input, members.quantity("gas"));
                number(input, members.quantity("maxSubmissionFee"));
                word(input, members.address("refundTo").toArray());
                word(input, members.address("beneficiary").toArray());
                Address to = members.optionalAddress("retryTo");
                word(input, (to == null ? Address.ZERO : to).toArray());
                number(input, BigInteger.valueOf(DATA_OFFSET));
                Bytes data = members.bytes("retryData");
                number(input, BigInteger.valueOf(data.size()));
                input.writeBytes(data.toArray());
                input.writeBytes(new byte[(WORD - data.size() % WORD) % WORD]);
                if (!members.bytes("input").equals(Bytes.wrap(input.toByteArray()))) {
                    throw members.difference("input", "the fields as a call");
                }
            }

            private static void number(ByteArrayOutputStream input, BigInteger value) {
                byte[] bytes = value.toByteArray();
                int from = bytes.length > WORD ? 1 : 0;
                word(input, Bytes.copyOf(bytes, from, bytes.length).toArray());
            }

            private static void word(ByteArrayOutputStream input, byte[] value) {
                input.writeBytes(new byte[WORD - value.length]);
                input.writeBytes(value);
            }
        }
    }
}
