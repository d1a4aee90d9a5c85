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
 * @param unrooted number of listed transactions behind these that are in no root
 * @param hasWithdrawals whether it has withdrawals, which are proven
 * @param unclesProven whether the list of uncles is proven: it is empty, and the header says so too
 */
public record ProvenBlock(
        BlockHeader header,
        Hash32 hash,
        @Nullable List<ProvenTransaction> transactions,
        int unrooted,
        boolean hasWithdrawals,
        boolean unclesProven) {

    public ProvenBlock {
        transactions = transactions == null ? null : List.copyOf(transactions);
    }

    /** Returns the number of proven transactions. */
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

    /** Returns whether everything that hashes cover is proven. */
    public boolean whole() {
        return transactions != null && unclesProven;
    }

    /** Transaction whose hash follows from its fields, with its sender. Immutable. */
    public record ProvenTransaction(ChainTransaction transaction, Hash32 hash, Address sender) {}
}
