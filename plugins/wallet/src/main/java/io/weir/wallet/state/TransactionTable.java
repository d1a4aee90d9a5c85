package io.weir.wallet.state;

import io.weir.l2.Felt;
import io.weir.wallet.state.WalletDatabase.Row;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** The transactions, and the rows in which all tables of them are stored. Thread-safe; blocks. */
public record TransactionTable(WalletDatabase database, InstantSource clock) {
    /** The condition of transactions of which the network may still say something new. */
    static final String UNSETTLED = "state IN ('PREPARED', 'RECEIVED', 'PENDING')";

    private static final String COLUMNS = "tenant, chain_id, hash, type, sender, nonce, calls, max_fee,"
            + " body, state, failure_reason, created_millis, approval, part";
    private static final String INSERT =
            WalletDatabase.insertion("account_transaction", COLUMNS + ", sent_millis, changed_millis");

    /** Stores a transaction that is about to be sent. */
    public void prepare(StoredTransaction transaction) {
        database.inTransaction(connection -> insert(connection, transaction));
    }

    /** Stores the transaction that deploys an account, and the account with it. */
    public void prepareDeployment(StoredTransaction transaction, StoredAccount account) {
        database.inTransaction(connection -> {
            insert(connection, transaction);
            AccountTable.put(connection, account);
        });
    }

    /** Notes that a transaction was given to a node just now. */
    public void markSent(StoredTransaction transaction) {
        setTime(database, "sent_millis", clock.millis(), transaction);
    }

    /**
     * Moves a transaction on. One in a block stays there, and what the network refused is moved only where the network has it
     * after all.
     */
    public void move(StoredTransaction transaction, TransactionState state, String failureReason) {
        boolean known = state != TransactionState.PREPARED && state != TransactionState.REJECTED;
        database.update(
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
        return select(database, "WHERE tenant = ? AND chain_id = ? AND hash = ?", tenant, chainId, hash).stream()
                .findFirst();
    }

    /** The transaction that was signed for a part of an approval, or nothing. */
    public Optional<StoredTransaction> ofApproval(String approval, int part) {
        return select(database, "WHERE approval = ? AND part = ?", approval, part).stream()
                .findFirst();
    }

    /** The transactions that were signed for an approval, the deployment first. */
    public List<StoredTransaction> ofApproval(String approval) {
        return select(database, "WHERE approval = ? ORDER BY part", approval);
    }

    /** Transactions of a sender of which it is not known whether a node has them, by nonce, but for replaced ones. */
    public List<StoredTransaction> prepared(Felt chainId, Felt sender) {
        return select(
                database,
                "WHERE chain_id = ? AND sender = ? AND state = 'PREPARED' AND replaced_by = ''"
                        + " ORDER BY nonce, number",
                chainId,
                sender);
    }

    /** Transactions that are not settled, those looked at longest ago first. */
    public List<StoredTransaction> unsettled(int limit) {
        return select(database, "WHERE " + UNSETTLED + " ORDER BY changed_millis, number LIMIT ?", limit);
    }

    /** How many are not settled. */
    public long countUnsettled() {
        String sql = "SELECT COUNT(*) AS found FROM account_transaction WHERE " + UNSETTLED;
        return database.query(row -> row.number("found"), sql).get(0);
    }

    /** Notes that the network was asked for a transaction and said nothing new. */
    public void touch(StoredTransaction transaction) {
        setTime(database, "changed_millis", clock.millis(), transaction);
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
        return has(
                database,
                "WHERE chain_id = ? AND hash = ? AND " + column + " > ?",
                transaction.chainId(),
                transaction.hash(),
                clock.millis() - time.toMillis());
    }

    /** Forgets what is settled and was made before. */
    public void forgetSettledBefore(Instant before) {
        database.update("DELETE FROM account_transaction WHERE NOT " + UNSETTLED + " AND created_millis < ?", before);
    }

    /** Sets one of the times of a transaction. */
    static void setTime(WalletDatabase database, String column, long millis, StoredTransaction transaction) {
        database.update(
                "UPDATE account_transaction SET " + column + " = ? WHERE chain_id = ? AND hash = ?",
                millis,
                transaction.chainId(),
                transaction.hash());
    }

    /** Reads the rows of a condition. */
    static List<StoredTransaction> select(WalletDatabase database, String condition, Object... values) {
        String sql = "SELECT " + COLUMNS + " FROM account_transaction " + condition;
        return database.query(TransactionTable::read, sql, values);
    }

    /** Returns whether any row meets a condition. */
    static boolean has(WalletDatabase database, String condition, Object... values) {
        String sql = "SELECT 1 FROM account_transaction " + condition + " LIMIT 1";
        return !database.query(row -> true, sql, values).isEmpty();
    }

    /** The same transaction may come again after the network refused it, when there is money for it, say. */
    static void insert(Connection connection, StoredTransaction transaction) throws SQLException {
        WalletDatabase.change(
                connection,
                "DELETE FROM account_transaction WHERE chain_id = ? AND hash = ? AND state = 'REJECTED'",
                transaction.chainId(),
                transaction.hash());
        WalletDatabase.change(
                connection,
                INSERT,
                transaction.tenant(),
                transaction.chainId(),
                transaction.hash(),
                transaction.type(),
                transaction.sender(),
                transaction.nonce(),
                NamedCall.write(transaction.calls()),
                transaction.maxFee().toString(),
                transaction.body(),
                transaction.state(),
                transaction.failureReason(),
                transaction.created(),
                transaction.approval().id(),
                transaction.approval().part(),
                0,
                transaction.created());
    }

    private static StoredTransaction read(Row row) throws SQLException {
        return new StoredTransaction(
                row.text("tenant"),
                row.felt("chain_id"),
                row.felt("hash"),
                TransactionType.valueOf(row.text("type")),
                row.felt("sender"),
                row.number("nonce"),
                NamedCall.read(row.text("calls")),
                new BigInteger(row.text("max_fee")),
                row.text("body"),
                TransactionState.valueOf(row.text("state")),
                row.text("failure_reason"),
                row.time("created_millis"),
                new StoredTransaction.Approval(row.text("approval"), row.integer("part")));
    }
}
