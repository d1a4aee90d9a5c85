package io.weir.wallet.state;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** Statements over the table of transactions. Thread-safe; blocks. */
final class TransactionRows {
    /** The condition of transactions of which the network may still say something new. */
    static final String UNSETTLED = "state IN ('PREPARED', 'RECEIVED', 'PENDING')";

    private static final String SELECT = "SELECT " + TransactionRow.COLUMNS + " FROM account_transaction ";

    private final WalletDatabase database;

    TransactionRows(WalletDatabase database) {
        this.database = database;
    }

    /** Changes rows. */
    void update(String sql, Object... values) {
        database.inTransaction(connection -> {
            try (PreparedStatement statement = prepared(connection, sql, values)) {
                statement.executeUpdate();
            }
        });
    }

    static PreparedStatement prepared(Connection connection, String sql, Object... values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int index = 0; index < values.length; index++) {
            statement.setObject(index + 1, values[index]);
        }
        return statement;
    }

    /** Reads the rows of a condition. */
    List<StoredTransaction> select(String condition, Object... values) {
        return database.get(connection -> {
            try (PreparedStatement statement = prepared(connection, SELECT + condition, values)) {
                return TransactionRow.readAll(statement);
            }
        });
    }
}
