package io.weir.wallet.state;

import io.weir.l2.Felt;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A row of the transactions as columns. Thread-safe. */
final class TransactionRow {
    static final String COLUMNS = "tenant, chain_id, hash, type, sender, nonce, calls, max_fee,"
            + " body, state, failure_reason, created_millis, approval, part";
    private static final String INSERT = "INSERT INTO account_transaction (" + COLUMNS
            + ", sent_millis, changed_millis) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,0,?)";

    private TransactionRow() {}

    /** The same transaction may come again after the network refused it, when there is money for it, say. */
    static void insert(Connection connection, StoredTransaction transaction) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "DELETE FROM account_transaction WHERE chain_id = ? AND hash = ? AND state = 'REJECTED'")) {
            statement.setString(1, transaction.chainId().toHex());
            statement.setString(2, transaction.hash().toHex());
            statement.executeUpdate();
        }
        try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
            statement.setString(1, transaction.tenant());
            statement.setString(2, transaction.chainId().toHex());
            statement.setString(3, transaction.hash().toHex());
            statement.setString(4, transaction.type().name());
            statement.setString(5, transaction.sender().toHex());
            statement.setLong(6, transaction.nonce());
            statement.setString(7, CallsColumn.write(transaction.calls()));
            statement.setString(8, transaction.maxFee().toString());
            statement.setString(9, transaction.body());
            statement.setString(10, transaction.state().name());
            statement.setString(11, transaction.failureReason());
            statement.setLong(12, transaction.created().toEpochMilli());
            statement.setString(13, transaction.approval().id());
            statement.setInt(14, transaction.approval().part());
            statement.setLong(15, transaction.created().toEpochMilli());
            statement.executeUpdate();
        }
    }

    static List<StoredTransaction> readAll(PreparedStatement statement) throws SQLException {
        List<StoredTransaction> transactions = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                transactions.add(read(rows));
            }
        }
        return transactions;
    }

    private static StoredTransaction read(ResultSet row) throws SQLException {
        return new StoredTransaction(
                row.getString("tenant"),
                Felt.parseHex(row.getString("chain_id")),
                Felt.parseHex(row.getString("hash")),
                TransactionType.valueOf(row.getString("type")),
                Felt.parseHex(row.getString("sender")),
                row.getLong("nonce"),
                CallsColumn.read(row.getString("calls")),
                new BigInteger(row.getString("max_fee")),
                row.getString("body"),
                TransactionState.valueOf(row.getString("state")),
                row.getString("failure_reason"),
                Instant.ofEpochMilli(row.getLong("created_millis")),
                new StoredTransaction.Approval(row.getString("approval"), row.getInt("part")));
    }
}
