package io.weir.devnet.execution;

/**
 * The sets of rules in the devnet's history, oldest first. They give it blocks, transactions and receipts of every shape that a
 * real chain has. Immutable.
 */
public enum Fork {
    /** Receipts with a state root; signatures without a chain id. */
    HOMESTEAD(0),
    /** Signatures with a chain id (EIP-155). */
    SPURIOUS_DRAGON(8),
    /** Receipts with a status (EIP-658). */
    BYZANTIUM(16),
    /** Smaller rewards. */
    CONSTANTINOPLE(20),
    /** Cheaper data (EIP-2028). */
    ISTANBUL(24),
    /** Transactions of type 1 (EIP-2930). */
    BERLIN(32),
    /** Base fee and transactions of type 2 (EIP-1559). */
    LONDON(48),
    /** No proof of work, no uncles, no rewards (EIP-3675). */
    PARIS(64),
    /** Withdrawals (EIP-4895). */
    SHANGHAI(80),
    /** Blobs: transactions of type 3 (EIP-4844). */
    CANCUN(96),
    /** Requests (EIP-7685); the rules of all later blocks. */
    PRAGUE(112);

    private final long firstBlock;

    Fork(long firstBlock) {
        this.firstBlock = firstBlock;
    }

    /** The number of the first block under these rules. */
    public long firstBlock() {
        return firstBlock;
    }

    /** The rules of a block. */
    public static Fork at(long blockNumber) {
        Fork latest = HOMESTEAD;
        for (Fork fork : values()) {
            if (fork.firstBlock <= blockNumber) {
                latest = fork;
            }
        }
        return latest;
    }

    /** Whether the rules of another fork hold, too. */
    public boolean includes(Fork other) {
        return other.firstBlock <= firstBlock;
    }
}
