package io.weir.l2.transaction;

import io.weir.l2.Felt;
import io.weir.l2.ShortString;
import io.weir.l2.hash.Poseidon;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * The fields of all transactions of version 3: chain, nonce, payment and places of data. Immutable.
 *
 * @param queryOnly whether the hash is of a transaction that may only be estimated, never sent
 */
public record TransactionFields(
        Felt chainId,
        Felt nonce,
        BigInteger tip,
        ResourceBounds resourceBounds,
        List<Felt> paymasterData,
        DataAvailability nonceMode,
        DataAvailability feeMode,
        boolean queryOnly) {
    private static final int TIP_BITS = 64;
    private static final BigInteger VERSION = BigInteger.valueOf(3);
    private static final BigInteger QUERY = BigInteger.ONE.shiftLeft(128);

    public TransactionFields {
        ResourceBound.check("tip", tip, TIP_BITS);
        paymasterData = List.copyOf(paymasterData);
    }

    /** Without tip and paymaster, with data on layer 1, to be sent: what accounts use. */
    public static TransactionFields of(Felt chainId, Felt nonce, ResourceBounds resourceBounds) {
        return new TransactionFields(
                chainId,
                nonce,
                BigInteger.ZERO,
                resourceBounds,
                List.of(),
                DataAvailability.L1,
                DataAvailability.L1,
                false);
    }

    /** The version as it is hashed. */
    Felt version() {
        return Felt.of(queryOnly ? VERSION.add(QUERY) : VERSION);
    }

    /** The hash of the tip and the bounds. */
    Felt feeHash() {
        List<Felt> fields = new ArrayList<>();
        fields.add(Felt.of(tip));
        fields.add(Felt.of(resourceBounds.l1Gas().packed("L1_GAS")));
        fields.add(Felt.of(resourceBounds.l2Gas().packed("L2_GAS")));
        ResourceBound l1DataGas = resourceBounds.l1DataGas();
        if (l1DataGas != null) {
            fields.add(Felt.of(l1DataGas.packed("L1_DATA")));
        }
        return Poseidon.hashMany(fields);
    }

    /** Returns the elements that every type of transaction hashes first. */
    List<Felt> hashed(String prefix, Felt address) {
        return List.of(
                ShortString.encode(prefix),
                version(),
                address,
                feeHash(),
                Poseidon.hashMany(paymasterData),
                chainId,
                nonce,
                Felt.of(((long) nonceMode.code() << 32) + feeMode.code()));
    }
}
