package io.weir.ethereum.transaction;

import io.weir.ethereum.rlp.RlpException;
import io.weir.ethereum.rlp.RlpReader;
import io.weir.ethereum.signature.Signature;
import java.math.BigInteger;
import java.util.Arrays;

/** Reads transactions, each type with its fields in its order. Thread-safe. */
final class TransactionReader {
    private TransactionReader() {}

    static Transaction read(byte[] encoded) {
        if (encoded.length == 0) {
            throw new RlpException("transaction: no bytes (expected: a type or a list)");
        }
        int first = encoded[0] & 0xff;
        if (first >= 0xc0) {
            return fields(encoded, TransactionType.LEGACY);
        }
        if (first == 0 || first >= TransactionType.values().length) {
            throw new RlpException("transaction type: " + first + " (expected: 1 to 4, or a list)");
        }
        return fields(Arrays.copyOfRange(encoded, 1, encoded.length), TransactionType.of(first));
    }

    private static Transaction fields(byte[] encoded, TransactionType type) {
        RlpReader outer = RlpReader.of(encoded);
        RlpReader fields = outer.list();
        outer.end();
        if (type == TransactionType.BLOB && fields.nextIsList()) {
            throw new RlpException("blob transaction: with its blobs (expected: as it stands in a block)");
        }
        TransactionBuilder builder = new TransactionBuilder(type);
        payload(fields, type, builder);
        signature(fields, type, builder);
        fields.end();
        return builder.build();
    }

    private static void payload(RlpReader fields, TransactionType type, TransactionBuilder builder) {
        if (type != TransactionType.LEGACY) {
            builder.chainId(fields.quantity());
        }
        builder.nonce(fields.unsigned());
        if (type.hasDynamicFee()) {
            builder.maxPriorityFeePerGas(fields.quantity()).maxFeePerGas(fields.quantity());
        } else {
            builder.gasPrice(fields.quantity());
        }
        builder.gas(fields.unsigned())
                .to(fields.optionalAddress())
                .value(fields.quantity())
                .input(fields.bytes());
        if (type != TransactionType.LEGACY) {
            builder.accessList(fields.listOf(AccessListEntry::read));
        }
        if (type == TransactionType.BLOB) {
            builder.maxFeePerBlobGas(fields.quantity()).blobVersionedHashes(fields.listOf(RlpReader::hash));
        }
        if (type == TransactionType.SET_CODE) {
            builder.authorizationList(fields.listOf(Authorization::read));
        }
    }

    private static void signature(RlpReader fields, TransactionType type, TransactionBuilder builder) {
        BigInteger v = fields.quantity();
        BigInteger r = fields.quantity();
        BigInteger s = fields.quantity();
        if (type == TransactionType.LEGACY) {
            builder.legacySignature(v, r, s);
        } else {
            builder.signature(new Signature(v.bitLength() > 1 ? -1 : v.intValue(), r, s));
        }
    }
}
