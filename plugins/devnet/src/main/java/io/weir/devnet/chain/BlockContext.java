package io.weir.devnet.chain;

import io.weir.devnet.execution.Fork;
import io.weir.ethereum.Address;
import io.weir.ethereum.block.BlockHeader;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * The facts of a block that its transactions need. Immutable.
 *
 * @param baseFee in wei; null before London
 * @param blobPrice in wei; null before Cancun
 */
record BlockContext(
        long number,
        Fork fork,
        Address miner,
        long gasLimit,
        @Nullable BigInteger baseFee,
        @Nullable BigInteger blobPrice) {

    static final long GAS_LIMIT = 30_000_000;

    /** Half as much before London, which doubled the limit and made the old one the target. */
    private static final long GAS_LIMIT_BEFORE_LONDON = GAS_LIMIT / 2;

    static BlockContext after(BlockHeader parent, Address miner) {
        long number = parent.number() + 1;
        Fork fork = Fork.at(number);
        return new BlockContext(
                number, fork, miner, gasLimit(fork), Fees.nextBaseFee(parent), BlobGas.nextPrice(parent));
    }

    static long gasLimit(Fork fork) {
        return fork.includes(Fork.LONDON) ? GAS_LIMIT : GAS_LIMIT_BEFORE_LONDON;
    }

    /** The base fee, nothing before London. */
    BigInteger burnt() {
        return baseFee == null ? BigInteger.ZERO : baseFee;
    }
}
