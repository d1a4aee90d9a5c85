package io.weir.answer;

import io.weir.ethereum.Hash32;
import io.weir.ethereum.block.BlockHeader;
import io.weir.method.params.BlockSelector;
import org.jspecify.annotations.Nullable;

/** Facts about a chain, known when an answer arrives. Thread-safe. */
public abstract class ChainFacts {

    /** The facts about a chain of which nothing is known, so that a result is judged by its question alone. */
    public static final ChainFacts NONE = new ChainFacts() {};

    private final @Nullable ChainFacts others;

    /** Makes facts that tell nothing but what a subclass does. */
    protected ChainFacts() {
        this(null);
    }

    /** @param others tell what these facts do not; null if there are none */
    protected ChainFacts(@Nullable ChainFacts others) {
        this.others = others;
    }

    /** Returns the number of the head to which calls are held; -1 if none is known. */
    public long top() {
        return others == null ? -1 : others.top();
    }

    /** Returns the lowest number of the newest blocks, whose headers may be unknown; the largest number if headers judge no logs. */
    public long newFrom() {
        return others == null ? Long.MAX_VALUE : others.newFrom();
    }

    /** Returns the hash of the block at a height, as far as nodes named one before; null if none is known. It may be replaced by now. */
    public @Nullable String hash(long number) {
        return others == null ? null : others.hash(number);
    }

    /** Returns the hash of the canonical block at a height, by the word of several nodes; null if that is not known at present. */
    public @Nullable String agreedHash(long number) {
        return others == null ? null : others.agreedHash(number);
    }

    /** Returns whether the block with this hash is canonical. */
    public boolean isCanonical(String hash) {
        return others != null && others.isCanonical(hash);
    }

    /** Returns the header with this hash, which proves it; null if it is not known. */
    public @Nullable BlockHeader header(String hash) {
        return others == null ? null : others.header(hash);
    }

    /** Returns how many transactions the block with this hash has; -1 if that is not known. */
    public int transactions(String hash) {
        return others == null ? -1 : others.transactions(hash);
    }

    /** Returns whether a block with an empty root of transactions was read a short time ago. It may be replaced by now. */
    public boolean isEmpty(BlockSelector block) {
        return others != null && others.isEmpty(block);
    }

    /** Returns whether the chain's blooms hold the addresses and topics of all logs, and its receipts sum up the gas. */
    public boolean hasBlooms() {
        return others != null && others.hasBlooms();
    }

    /** Returns whether the state root of a block is that of Ethereum's trie, so that it proves accounts and their storage. */
    public boolean hasStateRoots() {
        return others != null && others.hasStateRoots();
    }

    /** Returns the state root of the block with this hash, by its proven header; null if it is not known, or proves nothing. */
    public @Nullable Hash32 stateRoot(String hash) {
        BlockHeader known = hasStateRoots() ? header(hash) : null;
        return known != null ? known.stateRoot() : others == null ? null : others.stateRoot(hash);
    }

    /** Returns whether the chain hashes the bytes of a transaction of Ethereum's types as Ethereum does. */
    public boolean hashesTransactions() {
        return others != null && others.hashesTransactions();
    }
}
