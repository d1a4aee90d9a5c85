package io.weir.answer;

import io.weir.ethereum.block.BlockHeader;
import io.weir.method.params.BlockSelector;
import org.jspecify.annotations.Nullable;

/** Facts about a chain, known when an answer arrives. Thread-safe. */
public interface ChainFacts {

    /** The facts about a chain of which nothing is known, so that a result is judged by its question alone. */
    ChainFacts NONE = new ChainFacts() {};

    /** Returns the number of the head to which calls are held; -1 if none is known. */
    default long top() {
        return -1;
    }

    /** Returns the lowest number of the newest blocks, whose headers may be unknown; the largest number if headers judge no logs. */
    default long newFrom() {
        return Long.MAX_VALUE;
    }

    /** Returns the hash of the block at a height, as far as nodes named one before; null if none is known. It may be replaced by now. */
    default @Nullable String hash(long number) {
        return null;
    }

    /** Returns the hash of the canonical block at a height, by the word of several nodes; null if that is not known at present. */
    default @Nullable String agreedHash(long number) {
        return null;
    }

    /** Returns whether the block with this hash is canonical. */
    default boolean isCanonical(String hash) {
        return false;
    }

    /** Returns the header with this hash, which proves it; null if it is not known. */
    default @Nullable BlockHeader header(String hash) {
        return null;
    }

    /** Returns how many transactions the block with this hash has; -1 if that is not known. */
    default int transactions(String hash) {
        return -1;
    }

    /** Returns whether a block with an empty root of transactions was read a short time ago. It may be replaced by now. */
    default boolean isEmpty(BlockSelector block) {
        return false;
    }

    /** Returns whether the chain's blooms hold the addresses and topics of all logs, and its receipts sum up the gas. */
    default boolean hasBlooms() {
        return false;
    }

    /** Returns whether the chain hashes the bytes of a transaction of Ethereum's types as Ethereum does. */
    default boolean hashesTransactions() {
        return false;
    }
}
