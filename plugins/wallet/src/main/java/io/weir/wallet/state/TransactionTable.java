package io.weir.wallet.state;

import io.weir.l2.Felt;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** The transactions. Thread-safe; blocks. */
public final class TransactionTable {
    private final WalletDatabase database;
    private final InstantSource clock;
    private final TransactionRows rows;

    public TransactionTable(WalletDatabase database, InstantSource clock) {
        this.database = database;
        this.clock = clock;
        this.rows = new TransactionRows(database);
    }

    /** Stores a transaction that is about to be sent. */
    public void prepare(StoredTransaction transaction) {
        database.inTransaction(connection -> TransactionRows.insert(connection, transaction));
    }

    /** Stores the transaction that deploys an account, and the account with it. */
    public void prepareDeployment(StoredTransaction transaction, StoredAccount account) {
        database.inTransaction(connection -> {
            TransactionRows.insert(connection, transaction);
            AccountTable.put(connection, account);
        });
    }

    /** Notes that a transaction was given to a node just now. */
    public void markSent(StoredTransaction transaction) {
        rows.update(
                "UPDATE account_transaction SET sent_millis = ? WHERE chain_id = ? AND hash = ?",
                clock.millis(),
                transaction.chainId(),
                transaction.hash());
    }

    /**
     * Moves a transaction on. One in a block stays there, and what the network refused is moved only where the network has it
     * after all.
     */
    public void move(StoredTransaction transaction, TransactionState state, String failureReason) {
        boolean known = state != TransactionState.PREPARED && state != TransactionState.REJECTED;
        rows.update(
                "UPDATE account_transaction SET state = ?, failure_reason = ?, changed_millis = ?"
                        + " WHERE chain_id = ? AND hash = ? AND state NOT IN "
                        + (known ? "('ACCEPTED_ON_L2')" : "('ACCEPTED_ON_L2', 'REJECTED', 'REPLACED')"),
                state,
                failureReason,
                clock.millis(),
                transaction.chainId(),
                transaction.hash());
    }

    /** One transaction of a tenant. */
    public Optional<StoredTransaction> find(String tenant, Felt chainId, Felt hash) {
        return rows.select("WHERE tenant = ? AND chain_id = ? AND hash = ?", tenant, chainId, hash).stream()
                .findFirst();
    }

    /** The transaction that was signed for a part of an approval, or nothing. */
    public Optional<StoredTransaction> ofApproval(String approval, int part) {
        return rows.select("WHERE approval = ? AND part = ?", approval, part).stream()
                .findFirst();
    }

    /** The transactions that were signed for an approval, the deployment first. */
    public List<StoredTransaction> ofApproval(String approval) {
        return rows.select("WHERE approval = ? ORDER BY part", approval);
    }

    /** Transactions of a sender of which it is not known whether a node has them, by nonce, but for replaced ones. */
    public List<StoredTransaction> prepared(Felt chainId, Felt sender) {
        return rows.select(
                "WHERE chain_id = ? AND sender = ? AND state = 'PREPARED' AND replaced_by = ''"
                        + " ORDER BY nonce, number",
                chainId,
                sender);
    }

    /** Transactions that are not settled, those looked at longest ago first. */
    public List<StoredTransaction> unsettled(int limit) {
        return rows.select("WHERE " + TransactionRows.UNSETTLED + " ORDER BY changed_millis, number LIMIT ?", limit);
    }

    /** How many are not settled. */
    public long countUnsettled() {
        String sql = "SELECT COUNT(*) AS found FROM account_transaction WHERE " + TransactionRows.UNSETTLED;
        return database.query(row -> row.number("found"), sql).get(0);
    }

    /** Notes that the network was asked for a transaction and said nothing new. */
    public void touch(StoredTransaction transaction) {
        rows.update(
                "UPDATE account_transaction SET changed_millis = ? WHERE chain_id = ? AND hash = ?",
                clock.millis(),
                transaction.chainId(),
                transaction.hash());
    }

    /** Whether a transaction was given to a node within this time. */
    public boolean wasSentWithin(StoredTransaction transaction, Duration time) {
        return isWithin("sent_millis", transaction, time);
    }

    /** Whether the network was asked for a transaction, or told something of it, within this time. */
    public boolean wasLookedAtWithin(StoredTransaction transaction, Duration time) {
        return isWithin("changed_millis", transaction, time);
    }

    private boolean isWithin(String column, StoredTransaction transaction, Duration time) {
        return rows.has(
                "WHERE chain_id = ? AND hash = ? AND " + column + " > ?",
                transaction.chainId(),
                transaction.hash(),
                clock.millis() - time.toMillis());
    }

    /** Forgets what is settled and was made before. */
    public void forgetSettledBefore(Instant before) {
        rows.update(
                "DELETE FROM account_transaction WHERE NOT " + TransactionRows.UNSETTLED + " AND created_millis < ?",
                before);
    }
}
