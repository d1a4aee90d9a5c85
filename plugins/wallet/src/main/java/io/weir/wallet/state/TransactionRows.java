package io.weir.wallet.state;

import io.weir.wallet.state.WalletDatabase.Row;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** The rows of the table of transactions. Thread-safe; blocks. */
record TransactionRows(WalletDatabase database) {
    /** The condition of transactions of which the network may still say something new. */
    static final String UNSETTLED = "state IN ('PREPARED', 'RECEIVED', 'PENDING')";

    private static final String COLUMNS = "tenant, chain_id, hash, type, sender, nonce, calls, max_fee,"
            + " body, state, failure_reason, created_millis, approval, part";
    private static final String INSERT =
            WalletDatabase.insertion("account_transaction", COLUMNS + ", sent_millis, changed_millis");

    /** Changes rows. */
    void update(String sql, Object... values) {
        database.update(sql, values);
    }

    /** Reads the rows of a condition. */
    List<StoredTransaction> select(String condition, Object... values) {
        String sql = "SELECT " + COLUMNS + " FROM account_transaction " + condition;
        return database.query(TransactionRows::read, sql, values);
    }

    /** Returns whether any row meets a condition. */
    boolean has(String condition, Object... values) {
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
