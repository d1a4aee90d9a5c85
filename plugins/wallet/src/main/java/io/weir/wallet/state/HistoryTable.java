package io.weir.wallet.state;

import io.weir.l2.Felt;
import io.weir.wallet.chain.BlockRange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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

    /**
     * Returns the newest transactions of an account, the newest first.
     *
     * @param behind the last transaction of the page before, or null for the first page
     */
    public List<StoredTransaction> page(Owner owner, Filter filter, @Nullable Felt behind, int size) {
        StringBuilder condition = new StringBuilder("WHERE tenant = ? AND chain_id = ? AND sender = ?");
        List<Object> values = new ArrayList<>(List.of(owner.tenant(), owner.chainId(), owner.account()));
        condition.append(" AND ((type = 'DEPLOY_ACCOUNT' AND ?) OR (type <> 'DEPLOY_ACCOUNT' AND created_millis >= ?");
        values.add(filter.withDeployments());
        values.add(filter.since());
        Felt contract = filter.contract();
        if (contract != null) {
            condition.append(" AND EXISTS (SELECT 1 FROM json_each(calls) WHERE value ->> 'contract' = ?)");
            values.add(contract);
        }
        condition.append("))");
        if (behind != null) {
            condition.append(" AND (created_millis, number) <"
                    + " (SELECT created_millis, number FROM account_transaction WHERE chain_id = ? AND hash = ?)");
            values.add(owner.chainId());
            values.add(behind);
        }
        condition.append(" ORDER BY created_millis DESC, number DESC LIMIT ?");
        values.add(size);
        return TransactionTable.select(database, condition.toString(), values.toArray());
    }

    /** Whether an account has this transaction. */
    public boolean has(Owner owner, Felt hash) {
        return TransactionTable.has(
                database,
                "WHERE tenant = ? AND chain_id = ? AND sender = ? AND hash = ?",
                owner.tenant(),
                owner.chainId(),
                owner.account(),
                hash);
    }

    /** Returns the newest transactions of an account that are not settled. */
    public List<StoredTransaction> unsettled(Owner owner, int limit) {
        return TransactionTable.select(
                database,
                "WHERE tenant = ? AND chain_id = ? AND sender = ? AND " + TransactionTable.UNSETTLED
                        + " ORDER BY created_millis DESC, number DESC LIMIT ?",
                owner.tenant(),
                owner.chainId(),
                owner.account(),
                limit);
    }

    /** Whether a transaction is stored, whoever's it is. */
    public boolean isStored(Felt chainId, Felt hash) {
        return TransactionTable.has(database, "WHERE chain_id = ? AND hash = ?", chainId, hash);
    }

    /** Stores a transaction that the chain has. */
    public void addFound(StoredTransaction transaction) {
        database.inTransaction(connection -> TransactionTable.insert(connection, transaction));
    }

    /** Returns the blocks whose transactions of an account are all stored; nothing where none was searched. */
    public Optional<BlockRange> searched(Felt chainId, Felt account) {
        return database.first(
                row -> new BlockRange(row.number("lowest"), row.number("highest")),
                "SELECT lowest, highest FROM searched_blocks WHERE chain_id = ? AND account = ?",
                chainId,
                account);
    }

    /** Stores which blocks were searched, in place of those before. */
    public void keepSearched(Felt chainId, Felt account, BlockRange blocks) {
        database.update(
                "INSERT OR REPLACE INTO searched_blocks VALUES (?, ?, ?, ?)",
                chainId,
                account,
                blocks.lowest(),
                blocks.highest());
    }
}
