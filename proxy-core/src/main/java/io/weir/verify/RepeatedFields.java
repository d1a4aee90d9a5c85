package io.weir.verify;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.signature.Signature;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.transaction.TransactionType;
import java.io.ByteArrayOutputStream;
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
        static void require(ObjectMembers members) throws DifferenceException {
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
