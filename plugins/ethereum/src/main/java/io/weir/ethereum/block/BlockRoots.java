package io.weir.ethereum.block;

import io.weir.ethereum.Hash32;
import io.weir.ethereum.rlp.RlpWriter;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.trie.TrieRoot;
import java.util.List;

/** The hashes by which a header holds on to the rest of its block. Thread-safe. */
public final class BlockRoots {
    /** The ommers hash of a block without ommers. */
    public static final Hash32 NO_OMMERS = ommers(List.of());

    private BlockRoots() {}

    /** The root in a header that stands for the transactions. */
    public static Hash32 transactions(List<Transaction> transactions) {
        return TrieRoot.ofList(transactions.stream().map(Transaction::encoded).toList());
    }

    /** The root in a header that stands for the receipts. */
    public static Hash32 receipts(List<Receipt> receipts) {
        return TrieRoot.ofList(receipts.stream().map(Receipt::encoded).toList());
    }

    /** The root in a header that stands for the withdrawals. */
    public static Hash32 withdrawals(List<Withdrawal> withdrawals) {
        return TrieRoot.ofList(withdrawals.stream().map(Withdrawal::rlp).toList());
    }

    /** The hash in a header that stands for the ommers, which JSON-RPC calls uncles. */
    public static Hash32 ommers(List<BlockHeader> ommers) {
        return Hash32.keccak(RlpWriter.list(writer -> ommers.forEach(ommer -> writer.encoded(ommer.rlp()))));
    }
}
