package io.weir.verify;

import io.weir.ethereum.Address;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.block.BlockHeader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Block whose hash follows from its fields. Immutable.
 *
 * @param transactions in order; null if the answer had only their hashes, which nothing proves
 * @param uncles the listed hashes that are not proven. The header proves that there are none; else only the uncles' own headers do
 */
public record ProvenBlock(
        BlockHeader header, Hash32 hash, @Nullable List<ProvenTransaction> transactions, List<Hash32> uncles) {

    public ProvenBlock {
        transactions = transactions == null ? null : List.copyOf(transactions);
        uncles = List.copyOf(uncles);
    }

    ProvenBlock withProvenUncles() {
        return new ProvenBlock(header, hash, transactions, List.of());
    }

    public int size() {
        return transactions == null ? 0 : transactions.size();
    }

    /** Returns a transaction by its index, which is less than {@link #size}. */
    public ProvenTransaction transaction(int index) {
        if (transactions == null) {
            throw new IllegalStateException("transactions: none (expected: a block that holds them)");
        }
        return transactions.get(index);
    }

    public boolean unclesProven() {
        return uncles.isEmpty();
    }

    /** Returns whether its own hashes cover all of it. */
    public boolean whole() {
        return transactions != null && unclesProven();
    }

    /** Transaction whose hash follows from its fields, with its sender. Immutable. */
    public record ProvenTransaction(ChainTransaction transaction, Hash32 hash, Address sender) {}
}
