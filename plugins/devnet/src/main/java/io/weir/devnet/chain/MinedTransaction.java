package io.weir.devnet.chain;

import io.weir.ethereum.Address;
import io.weir.ethereum.block.Receipt;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * A transaction in a block and what came of it. Immutable.
 *
 * @param index in the block
 * @param firstLogIndex the index in the block of its first log
 * @param price what it paid for a unit of gas, in wei
 * @param created the address of the contract that it created, also where that failed
 */
public record MinedTransaction(
        SentTransaction sent,
        int index,
        int firstLogIndex,
        Receipt receipt,
        long gasUsed,
        BigInteger price,
        @Nullable Address created) {}
