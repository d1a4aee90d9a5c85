package io.weir.wallet.state;

import io.weir.l2.Felt;
import io.weir.wallet.chain.BlockRange;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The transactions of accounts as pages, and how far the chain was searched for them. Thread-safe; blocks. */
public record HistoryTable(WalletDatabase database) {
    /** An account of a tenant on a chain. Immutable. */
    public record Owner(String tenant, Felt chainId, Felt account) {}

    /**
     * The transactions that are wanted. Immutable.
     *
     * @param since none that was made before, but for a deployment
     * @param contract the contract that is called, or null for any
     * @param withDeployments whether deployments are among them
     */
    public record Filter(Instant since, @Nullable Felt contract, boolean withDeployments) {}

    private static final String OWNED = "tenant = :tenant AND chain_id = :chainId AND sender = :account AND ";
    private static final String NEWEST = " ORDER BY created_millis DESC, number DESC LIMIT :size";

    /**
     * Returns the newest transactions of an account, the newest first.
     *
     * @param behind the last transaction of the page before, or null for the first page
     */
    public List<StoredTransaction> page(Owner owner, Filter filter, @Nullable Felt behind, int size) {
        String wanted = OWNED + """
                ((type = 'DEPLOY_ACCOUNT' AND :withDeployments) OR (type <> 'DEPLOY_ACCOUNT' AND created_millis >= :since
                    AND (:contract IS NULL
                        OR EXISTS (SELECT 1 FROM json_each(calls) WHERE value ->> 'contract' = :contract))))
                """;
        if (behind == null) {
            return TransactionTable.select(database, wanted + NEWEST, owner, filter, Map.of("size", size));
        }
        String below = """
                AND (created_millis, number) < (SELECT created_millis, number FROM account_transaction
                    WHERE chain_id = :chainId AND hash = :behind)
                """;
        Map<String, ?> values = Map.of("size", size, "behind", behind);
        return TransactionTable.select(database, wanted + below + NEWEST, owner, filter, values);
    }

    /** Whether an account has this transaction. */
    public boolean has(Owner owner, Felt hash) {
        return TransactionTable.has(database, OWNED + "hash = :hash", owner, Map.of("hash", hash));
    }

    /** Returns the newest transactions of an account that are not settled. */
    public List<StoredTransaction> unsettled(Owner owner, int limit) {
        String condition = OWNED + TransactionTable.UNSETTLED + NEWEST;
        return TransactionTable.select(database, condition, owner, Map.of("size", limit));
    }

    /** Whether a transaction is stored, whoever's it is. */
    public boolean isStored(Felt chainId, Felt hash) {
        return TransactionTable.has(database, "chain_id = ? AND hash = ?", chainId, hash);
    }

    /** Stores a transaction that the chain has. */
    public void addFound(StoredTransaction transaction) {
        TransactionTable.insert(database, transaction);
    }

    /** Returns the blocks whose transactions of an account are all stored; nothing where none was searched. */
    public Optional<BlockRange> searched(Felt chainId, Felt account) {
        String sql = "SELECT lowest, highest FROM searched_blocks WHERE chain_id = ? AND account = ?";
        return database.first(BlockRange.class, sql, chainId, account);
    }

    /** Stores which blocks were searched, in place of those before. */
    public void keepSearched(Felt chainId, Felt account, BlockRange blocks) {
        String sql = "INSERT OR REPLACE INTO searched_blocks VALUES (?, ?, ?, ?)";
        database.change(sql, chainId, account, blocks.lowest(), blocks.highest());
    }
}
