package io.weir.devnet.chain;

import io.weir.devnet.execution.Fork;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.transaction.Transaction;
import java.math.BigInteger;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The price of a unit of gas (EIP-1559), in wei. Thread-safe. */
public final class Fees {
    /** The tip that the devnet suggests. */
    public static final BigInteger SUGGESTED_TIP = BigInteger.valueOf(1_000_000_000);

    private static final BigInteger FIRST_BASE_FEE = BigInteger.valueOf(1_000_000_000);
    private static final BigInteger CHANGE_DENOMINATOR = BigInteger.valueOf(8);
    private static final long ELASTICITY = 2;

    private Fees() {}

    /** The base fee of the block after this one; null before London. */
    public static @Nullable BigInteger nextBaseFee(BlockHeader parent) {
        if (!Fork.at(parent.number() + 1).includes(Fork.LONDON)) {
            return null;
        }
        BigInteger baseFee = parent.baseFeePerGas();
        if (baseFee == null) {
            return FIRST_BASE_FEE;
        }
        long target = parent.gasLimit() / ELASTICITY;
        BigInteger change = baseFee.multiply(BigInteger.valueOf(Math.abs(parent.gasUsed() - target)))
                .divide(BigInteger.valueOf(target))
                .divide(CHANGE_DENOMINATOR);
        if (parent.gasUsed() == target) {
            return baseFee;
        }
        return parent.gasUsed() > target ? baseFee.add(change.max(BigInteger.ONE)) : baseFee.subtract(change);
    }

    /** The most that a transaction pays for a unit. */
    public static BigInteger cap(Transaction transaction) {
        return Objects.requireNonNull(
                transaction.maxFeePerGas() == null ? transaction.gasPrice() : transaction.maxFeePerGas());
    }

    /** The most that it gives beyond the base fee. */
    public static BigInteger tipCap(Transaction transaction) {
        return Objects.requireNonNull(
                transaction.maxPriorityFeePerGas() == null
                        ? transaction.gasPrice()
                        : transaction.maxPriorityFeePerGas());
    }

    /** Returns the price that a transaction pays for a unit under a base fee not above its cap. */
    public static BigInteger price(Transaction transaction, BigInteger baseFee) {
        return cap(transaction).min(baseFee.add(tipCap(transaction)));
    }
}
