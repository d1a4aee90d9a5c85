package io.weir.devnet.chain;

import io.weir.devnet.execution.Fork;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.block.HeaderField;
import io.weir.ethereum.transaction.Transaction;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** The gas and the price of blobs (EIP-4844, EIP-7691). Thread-safe. */
public final class BlobGas {
    private static final long PER_BLOB = 131_072;
    private static final BigInteger CANCUN_FRACTION = BigInteger.valueOf(3_338_477);
    private static final BigInteger PRAGUE_FRACTION = BigInteger.valueOf(5_007_716);

    private BlobGas() {}

    /** Returns the gas that a transaction's blobs use. */
    public static long of(Transaction transaction) {
        return PER_BLOB * transaction.blobVersionedHashes().size();
    }

    /** The most that a block's blobs may use. */
    public static long limit(Fork fork) {
        return PER_BLOB * (fork.includes(Fork.PRAGUE) ? 9 : 6);
    }

    /** Returns the blob gas above the target that the next block carries on. */
    static long nextExcess(BlockHeader parent) {
        long target = PER_BLOB * (Fork.at(parent.number() + 1).includes(Fork.PRAGUE) ? 6 : 3);
        return Math.max(0, number(parent, HeaderField.EXCESS_BLOB_GAS) + used(parent) - target);
    }

    /** Returns the gas that a block's blobs used. */
    public static long used(BlockHeader header) {
        return number(header, HeaderField.BLOB_GAS_USED);
    }

    /** The wei that a unit costs in the block after this one; null before Cancun. */
    public static @Nullable BigInteger nextPrice(BlockHeader parent) {
        Fork fork = Fork.at(parent.number() + 1);
        return fork.includes(Fork.CANCUN) ? price(fork, nextExcess(parent)) : null;
    }

    /** The wei that a unit costs in a block; null before Cancun. */
    public static @Nullable BigInteger price(BlockHeader header) {
        Fork fork = Fork.at(header.number());
        return fork.includes(Fork.CANCUN) ? price(fork, number(header, HeaderField.EXCESS_BLOB_GAS)) : null;
    }

    /** e to the power of excess by fraction, as a sum of whole numbers. */
    private static BigInteger price(Fork fork, long excess) {
        BigInteger fraction = fork.includes(Fork.PRAGUE) ? PRAGUE_FRACTION : CANCUN_FRACTION;
        BigInteger sum = BigInteger.ZERO;
        BigInteger term = fraction;
        for (long i = 1; term.signum() > 0; i++) {
            sum = sum.add(term);
            term = term.multiply(BigInteger.valueOf(excess)).divide(fraction.multiply(BigInteger.valueOf(i)));
        }
        return sum.divide(fraction);
    }

    private static long number(BlockHeader header, HeaderField field) {
        var value = header.get(field);
        return value == null ? 0 : new BigInteger(1, value.toArray()).longValueExact();
    }
}
