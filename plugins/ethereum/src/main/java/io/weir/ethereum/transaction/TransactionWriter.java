package io.weir.ethereum.transaction;

import static java.util.Objects.requireNonNull;

import io.weir.ethereum.rlp.RlpWriter;
import io.weir.ethereum.signature.Signature;

/** Writes transactions, each type with its fields in its order. Thread-safe. */
final class TransactionWriter {
    private TransactionWriter() {}

    /** Returns the form that is sent and hashed. */
    static byte[] signed(Transaction transaction) {
        Signature signature = transaction.requireSignature();
        byte[] fields = RlpWriter.list(writer -> {
            payload(transaction, writer);
            writer.quantity(transaction.v()).quantity(signature.r()).quantity(signature.s());
        });
        return envelope(transaction.type(), fields);
    }

    /** Returns the form that is signed. A legacy transaction of a chain has the chain id in place of the signature (EIP-155). */
    static byte[] unsigned(Transaction transaction) {
        byte[] fields = RlpWriter.list(writer -> {
            payload(transaction, writer);
            if (transaction.type() == TransactionType.LEGACY && transaction.chainId() != null) {
                writer.quantity(transaction.chainId()).unsigned(0).unsigned(0);
            }
        });
        return envelope(transaction.type(), fields);
    }

    private static byte[] envelope(TransactionType type, byte[] fields) {
        if (type == TransactionType.LEGACY) {
            return fields;
        }
        byte[] typed = new byte[fields.length + 1];
        typed[0] = (byte) type.number();
        System.arraycopy(fields, 0, typed, 1, fields.length);
        return typed;
    }

    private static void payload(Transaction transaction, RlpWriter writer) {
        TransactionType type = transaction.type();
        if (type != TransactionType.LEGACY) {
            writer.quantity(requireNonNull(transaction.chainId()));
        }
        writer.unsigned(transaction.nonce());
        if (type.hasDynamicFee()) {
            writer.quantity(requireNonNull(transaction.maxPriorityFeePerGas()))
                    .quantity(requireNonNull(transaction.maxFeePerGas()));
        } else {
            writer.quantity(requireNonNull(transaction.gasPrice()));
        }
        writer.unsigned(transaction.gas())
                .address(transaction.to())
                .quantity(transaction.value())
                .bytes(transaction.input());
        if (type != TransactionType.LEGACY) {
            writer.nested(entries -> transaction.accessList().forEach(entry -> entry.write(entries)));
        }
        if (type == TransactionType.BLOB) {
            writer.quantity(requireNonNull(transaction.maxFeePerBlobGas()))
                    .nested(hashes -> transaction.blobVersionedHashes().forEach(hashes::hash));
        }
        if (type == TransactionType.SET_CODE) {
            writer.nested(entries -> transaction.authorizationList().forEach(entry -> entry.write(entries)));
        }
    }
}
