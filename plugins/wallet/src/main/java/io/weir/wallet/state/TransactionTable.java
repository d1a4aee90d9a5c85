package io.weir.wallet.state;

import io.weir.l2.Felt;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The transactions. Thread-safe; blocks. */
public final class TransactionTable {
    private static final String SELECT = "SELECT " + TransactionRow.COLUMNS + " FROM account_transaction ";

    private static final int MAX_SHOWN = 1000;

    private final WalletDatabase database;
    private final InstantSource clock;

    public TransactionTable(WalletDatabase database, InstantSource clock) {
        this.database = database;
        this.clock = clock;
    }

    /** Stores a transaction that is about to be sent. */
    public void prepare(StoredTransaction transaction) {
        database.inTransaction(connection -> TransactionRow.insert(connection, transaction));
    }

    /** Stores the transaction that deploys an account, and the account with it. */
    public void prepareDeployment(StoredTransaction transaction, StoredAccount account) {
        database.inTransaction(connection -> {
            TransactionRow.insert(connection, transaction);
            AccountTable.put(connection, account);
        });
    }

    /** Notes that a transaction was given to a node just now. */
    public void markSent(StoredTransaction transaction) {
        update(
                "UPDATE account_transaction SET sent_millis = ? WHERE chain_id = ? AND hash = ?",
                clock.millis(),
                transaction.chainId().toHex(),
                transaction.hash().toHex());
    }

    /** Moves a transaction on, from any state that is not settled. */
    public void move(StoredTransaction transaction, TransactionState state, String failureReason) {
        update(
                "UPDATE account_transaction SET state = ?, failure_reason = ?, changed_millis = ?"
                        + " WHERE chain_id = ? AND hash = ? AND state NOT IN ('ACCEPTED_ON_L2', 'REJECTED')",
                state.name(),
                failureReason,
                clock.millis(),
                transaction.chainId().toHex(),
                transaction.hash().toHex());
    }

    private void update(String sql, Object... values) {
        database.inTransaction(connection -> {
            try (PreparedStatement statement = prepared(connection, sql, values)) {
                statement.executeUpdate();
            }
        });
    }

    private static PreparedStatement prepared(Connection connection, String sql, Object... values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int index = 0; index < values.length; index++) {
            statement.setObject(index + 1, values[index]);
        }
        return statement;
    }

    private List<StoredTransaction> select(String condition, Object... values) {
        return database.get(connection -> {
            try (PreparedStatement statement = prepared(connection, SELECT + condition, values)) {
                return TransactionRow.readAll(statement);
            }
        });
    }

    /** One transaction of a tenant. */
    public Optional<StoredTransaction> find(String tenant, Felt chainId, Felt hash) {
        return select("WHERE tenant = ? AND chain_id = ? AND hash = ?", tenant, chainId.toHex(), hash.toHex()).stream()
                .findFirst();
    }

    /**
     * Returns the newest transactions of an account, at most a thousand, the newest first. Leaves out those that a node may or
     * may not have.
     *
     * @param since none that was made before
     */
    public List<StoredTransaction> shown(String tenant, Felt chainId, Felt sender, Instant since) {
        return select(
                "WHERE tenant = ? AND chain_id = ? AND sender = ? AND state <> 'PREPARED' AND created_millis >= ?"
                        + " ORDER BY created_millis DESC, number DESC LIMIT " + MAX_SHOWN,
                tenant,
                chainId.toHex(),
                sender.toHex(),
                since.toEpochMilli());
    }

    /** Transactions of a sender of which it is not known whether a node has them, by nonce. */
    public List<StoredTransaction> prepared(Felt chainId, Felt sender) {
        return select(
                "WHERE chain_id = ? AND sender = ? AND state = 'PREPARED' ORDER BY nonce, number",
                chainId.toHex(),
                sender.toHex());
    }

    /** Transactions that are not settled, those looked at longest ago first. */
    public List<StoredTransaction> unsettled(int limit) {
        return select(
                "WHERE state IN ('PREPARED', 'RECEIVED', 'PENDING') ORDER BY changed_millis, number LIMIT ?", limit);
    }

    /** How many are not settled. */
    public long countUnsettled() {
        return database.get(connection -> {
            try (PreparedStatement statement = connection.prepareStatement("SELECT COUNT(*) FROM account_transaction"
                            + " WHERE state IN ('PREPARED', 'RECEIVED', 'PENDING')");
                    var row = statement.executeQuery()) {
                return row.next() ? row.getLong(1) : 0L;
            }
        });
    }

    /** Notes that the network was asked for a transaction and said nothing new. */
    public void touch(StoredTransaction transaction) {
        update(
                "UPDATE account_transaction SET changed_millis = ? WHERE chain_id = ? AND hash = ?",
                clock.millis(),
                transaction.chainId().toHex(),
                transaction.hash().toHex());
    }

    /** Whether a transaction was given to a node within this time. */
    public boolean wasSentWithin(StoredTransaction transaction, Duration time) {
        return database.get(connection -> {
            String sql = "SELECT 1 FROM account_transaction WHERE chain_id = ? AND hash = ? AND sent_millis > ?";
            long since = clock.millis() - time.toMillis();
            try (PreparedStatement statement = prepared(
                            connection,
                            sql,
                            transaction.chainId().toHex(),
                            transaction.hash().toHex(),
                            since);
                    var row = statement.executeQuery()) {
                return row.next();
            }
        });
    }

    /**
     * Returns the highest nonce that a sender used here, in pending transactions and in those of recent blocks. A node that lags
     * behind does not know the recent ones yet.
     */
    public OptionalLong highestNonce(Felt chainId, Felt sender, Duration lag) {
        return database.get(connection -> {
            String sql = "SELECT MAX(nonce) FROM account_transaction WHERE chain_id = ? AND sender = ?"
                    + " AND (state IN ('PREPARED', 'RECEIVED', 'PENDING')"
                    + " OR (state = 'ACCEPTED_ON_L2' AND changed_millis > ?))";
            long since = clock.millis() - lag.toMillis();
            try (PreparedStatement statement = prepared(connection, sql, chainId.toHex(), sender.toHex(), since);
                    var row = statement.executeQuery()) {
                long nonce = row.next() ? row.getLong(1) : 0;
                return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(nonce);
            }
        });
    }

    /** Forgets what is settled and was made before. */
    public void forgetSettledBefore(Instant before) {
        update(
                "DELETE FROM account_transaction WHERE state IN ('ACCEPTED_ON_L2', 'REJECTED') AND created_millis < ?",
                before.toEpochMilli());
    }
}
