package io.weir.ethereum.transaction;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.signature.Secp256k1;
import io.weir.ethereum.signature.Signature;
import io.weir.ethereum.signature.SignatureRule;
import java.math.BigInteger;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A transaction of any type, signed or not yet. Immutable.
 *
 * <p>Fields that a type does not have are null, or empty lists. {@link TransactionBuilder} fills the
 * ones wanted by name. {@code nonce} and {@code gas} are the bits of unsigned longs.
 *
 * @param chainId null only in legacy transactions that are not bound to a chain (before EIP-155)
 * @param gasPrice in wei; types 0 and 1 (what JSON-RPC shows as the gas price of other types is not part of them)
 * @param maxPriorityFeePerGas in wei; types 2 to 4
 * @param maxFeePerGas in wei; types 2 to 4
 * @param to null in a transaction that creates a contract
 * @param value in wei
 * @param maxFeePerBlobGas in wei; type 3
 * @param blobVersionedHashes type 3
 * @param authorizationList type 4
 * @param signature null before signing
 */
public record Transaction(
        TransactionType type,
        @Nullable BigInteger chainId,
        long nonce,
        @Nullable BigInteger gasPrice,
        @Nullable BigInteger maxPriorityFeePerGas,
        @Nullable BigInteger maxFeePerGas,
        long gas,
        @Nullable Address to,
        BigInteger value,
        Bytes input,
        List<AccessListEntry> accessList,
        @Nullable BigInteger maxFeePerBlobGas,
        List<Hash32> blobVersionedHashes,
        List<Authorization> authorizationList,
        @Nullable Signature signature) {

    public Transaction {
        accessList = List.copyOf(accessList);
        blobVersionedHashes = List.copyOf(blobVersionedHashes);
        authorizationList = List.copyOf(authorizationList);
        boolean typed = type != TransactionType.LEGACY;
        boolean dynamic = type.hasDynamicFee();
        boolean blob = type == TransactionType.BLOB;
        boolean setCode = type == TransactionType.SET_CODE;
        TransactionShape shape = new TransactionShape(type);
        shape.amount("chainId", chainId, typed, true);
        shape.amount("gasPrice", gasPrice, !dynamic);
        shape.amount("maxPriorityFeePerGas", maxPriorityFeePerGas, dynamic);
        shape.amount("maxFeePerGas", maxFeePerGas, dynamic);
        shape.presence("to", to != null, blob || setCode, true);
        shape.amount("value", value, true);
        shape.list("accessList", accessList, typed);
        shape.amount("maxFeePerBlobGas", maxFeePerBlobGas, blob);
        shape.list("blobVersionedHashes", blobVersionedHashes, blob);
        shape.list("authorizationList", authorizationList, setCode);
    }

    /** Starts a transaction of a type. */
    public static TransactionBuilder builder(TransactionType type) {
        return new TransactionBuilder(type);
    }

    /** Reads a transaction as it is sent and hashed: type byte and list, or a list alone. */
    public static Transaction decode(byte[] encoded) {
        return TransactionReader.read(encoded);
    }

    /** The transaction as it is sent and hashed; it must be signed. */
    public byte[] encoded() {
        return TransactionWriter.signed(this);
    }

    /** The transaction's hash; it must be signed. */
    public Hash32 hash() {
        return Hash32.keccak(encoded());
    }

    /** The hash that is signed. */
    public Hash32 signingHash() {
        return Hash32.keccak(TransactionWriter.unsigned(this));
    }

    /** The same transaction with the signature of a private key. */
    public Transaction sign(BigInteger privateKey) {
        return new TransactionBuilder(this)
                .signature(Secp256k1.sign(signingHash(), privateKey))
                .build();
    }

    /**
     * Returns the signer. Accepts a high s in a transaction that may be from before Homestead: legacy, with no chain id.
     * Whoever accepts new transactions calls {@link #sender(SignatureRule)} with {@link SignatureRule#LOW_S}.
     */
    public Address sender() {
        return sender(chainId == null ? SignatureRule.ANY_S : SignatureRule.LOW_S);
    }

    /** Returns the signer, under the rule of the block's fork. */
    public Address sender(SignatureRule rule) {
        return Secp256k1.recover(signingHash(), requireSignature(), rule);
    }

    /** The {@code v} of JSON-RPC and RLP: the parity, and in legacy transactions with 27 or the chain id in it. */
    public BigInteger v() {
        int parity = requireSignature().yParity();
        if (type != TransactionType.LEGACY) {
            return BigInteger.valueOf(parity);
        }
        return LegacyV.of(chainId, parity);
    }

    Signature requireSignature() {
        if (signature == null) {
            throw new IllegalStateException("signature: none (expected: a signed transaction)");
        }
        return signature;
    }
}
