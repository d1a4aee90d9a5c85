package io.weir.devnet.chain;

import io.weir.ethereum.Address;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.transaction.Transaction;
import java.math.BigInteger;

/** A signed transaction with what is computed from it once: its hash, its sender, its size. Immutable. */
public record SentTransaction(Transaction transaction, Hash32 hash, Address sender, int sizeBytes) {

    /** A transaction whose sender is known. */
    public static SentTransaction of(Transaction transaction, Address sender) {
        byte[] encoded = transaction.encoded();
        return new SentTransaction(transaction, Hash32.keccak(encoded), sender, encoded.length);
    }

    /** The most that it can cost the sender, in wei. */
    public BigInteger cost() {
        BigInteger gas = Fees.cap(transaction).multiply(BigInteger.valueOf(transaction.gas()));
        BigInteger blobs = transaction.maxFeePerBlobGas() == null
                ? BigInteger.ZERO
                : transaction.maxFeePerBlobGas().multiply(BigInteger.valueOf(BlobGas.of(transaction)));
        return gas.add(blobs).add(transaction.value());
    }
}
