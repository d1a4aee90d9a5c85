package io.weir.pipeline.send;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.transaction.TransactionBuilder;
import io.weir.ethereum.transaction.TransactionType;
import java.math.BigInteger;
import java.util.List;

/** Transactions of anvil's first account. */
public final class SignedTransactions {

    private static final BigInteger KEY =
            new BigInteger("ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80", 16);
    private static final Address NOBODY = new Address(Bytes.fromHex("0x00000000000000000000000000000000deadbeef"));

    private SignedTransactions() {}

    /** A small payment on anvil's chain. */
    public static Transaction payment(TransactionType type, long nonce) {
        return payment(type, nonce, 31337);
    }

    /** A small payment. */
    public static Transaction payment(TransactionType type, long nonce, long chainId) {
        TransactionBuilder builder = Transaction.builder(type)
                .chainId(chainId)
                .nonce(nonce)
                .gas(60_000)
                .to(NOBODY)
                .value(BigInteger.valueOf(12345))
                .input(Bytes.EMPTY);
        BigInteger price = BigInteger.valueOf(20_000_000_000L);
        if (type.hasDynamicFee()) {
            builder.maxFeePerGas(price).maxPriorityFeePerGas(BigInteger.ONE);
        } else {
            builder.gasPrice(price);
        }
        if (type == TransactionType.BLOB) {
            builder.maxFeePerBlobGas(price).blobVersionedHashes(List.of(Hash32.fromHex("0x01" + "22".repeat(31))));
        }
        return builder.build().sign(KEY);
    }
}
