package io.weir.verify;

import java.util.Set;

/**
 * The members of blocks, transactions and receipts that no hash covers and that follow from nothing proven, so that they pass as
 * sent. Immutable.
 */
public final class UncoveredMembers {

    /** Of blocks and uncles: nodes differ in how they measure a size and whether they know the total difficulty. */
    public static final Set<String> OF_BLOCKS = Set.of("size", "totalDifficulty");

    /** Of transactions: none among those that the specification names. */
    public static final Set<String> OF_TRANSACTIONS = Set.of();

    /** Of receipts: the price of blob gas follows from parameters of the chain's forks, which the proxy does not know. */
    public static final Set<String> OF_RECEIPTS = Set.of("blobGasPrice");

    private UncoveredMembers() {}
}
