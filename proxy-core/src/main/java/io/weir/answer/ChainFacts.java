package io.weir.answer;

import io.weir.ethereum.block.BlockHeader;
import io.weir.method.params.BlockSelector;
import org.jspecify.annotations.Nullable;

/** Facts about a chain, known when an answer arrives. Thread-safe. */
public interface ChainFacts {

    /** Returns the number of the head to which calls are held; -1 if none is known. */
    long top();

    /** Returns the lowest number of the newest blocks, whose headers may be unknown; the largest number if headers judge no logs. */
    long newFrom();

    /** Returns the hash of the block at a height, as far as nodes named one before; null if none is known. It may be replaced by now. */
    @Nullable
    String hash(long number);

    /** Returns the hash of the canonical block at a height, by the word of several nodes; null if that is not known at present. */
    @Nullable
    String agreedHash(long number);

    /** Returns whether the block with this hash is canonical. */
    boolean isCanonical(String hash);

    /** Returns the header with this hash, which proves it; null if it is not known. */
    @Nullable
    BlockHeader header(String hash);

    /** Returns how many transactions the block with this hash has; -1 if that is not known. */
    int transactions(String hash);

    /** Returns whether a block with an empty root of transactions was read a short time ago. It may be replaced by now. */
    boolean isEmpty(BlockSelector block);

    /** Returns whether the chain's blooms hold the addresses and topics of all logs, and its receipts sum up the gas. */
    boolean hasBlooms();
}
