package io.weir.wallet.state;

import io.weir.l2.Felt;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The decisions of persons, for the page that shows them. The audit log is what proves them. Thread-safe; blocks. */
public final class DecisionTable {
    static final List<String> CREATE = List.of("""
        CREATE TABLE decision (
          number INTEGER PRIMARY KEY,
          approval TEXT NOT NULL UNIQUE,
          tenant TEXT NOT NULL,
          method TEXT NOT NULL,
          network TEXT NOT NULL,
          chain TEXT NOT NULL,
          account TEXT NOT NULL,
          summary TEXT NOT NULL,
          max_fee TEXT NOT NULL,
          approved INTEGER NOT NULL,
          decided_by TEXT NOT NULL,
          decided_millis INTEGER NOT NULL,
          outcome TEXT NOT NULL,
          error TEXT NOT NULL
        ) STRICT
        """);

    private static final String COLUMNS = "approval, tenant, method, network, chain, account, summary, max_fee,"
            + " approved, decided_by, decided_millis, outcome, error";

    private final WalletDatabase database;
    private final int max;

    /**
     * Makes a table.
     *
     * @param max number of decisions that are stored; the oldest is forgotten first
     */
    public DecisionTable(WalletDatabase database, int max) {
        this.database = database;
        this.max = max;
    }

    /** Stores a decision; its number is ignored. */
    public void add(StoredDecision decision) {
        database.inTransaction(connection -> {
            try (PreparedStatement statement = TransactionRows.prepared(
                    connection,
                    "INSERT INTO decision (" + COLUMNS + ") VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
                    decision.approval(),
                    decision.tenant(),
                    decision.method(),
                    decision.network(),
                    decision.chain(),
                    decision.account().toHex(),
                    decision.summary(),
                    decision.maxFee(),
                    decision.approved() ? 1 : 0,
                    decision.by(),
                    decision.decided().toEpochMilli(),
                    decision.outcome().name(),
                    decision.error())) {
                statement.executeUpdate();
            }
            try (PreparedStatement statement = TransactionRows.prepared(
                    connection, "DELETE FROM decision WHERE number <= (SELECT MAX(number) FROM decision) - ?", max)) {
                statement.executeUpdate();
            }
        });
    }

    /** Notes what an approved request came to. Does nothing if no person decided on it. */
    public void end(String approval, RequestState outcome, String error) {
        change(
                "UPDATE decision SET outcome = ?, error = ? WHERE approval = ? AND outcome = 'APPROVED'",
                outcome.name(),
                error,
                approval);
    }

    /** Ends the decisions that an earlier process left open. Their transactions, if there are any, tell more. */
    public void endOpen() {
        change("UPDATE decision SET outcome = 'FAILED', error = 'the proxy stopped before the result was known'"
                + " WHERE outcome = 'APPROVED'");
    }

    /** Forgets decisions that were made before. */
    public void forgetBefore(Instant before) {
        change("DELETE FROM decision WHERE decided_millis < ?", before.toEpochMilli());
    }

    private void change(String sql, Object... values) {
        new TransactionRows(database).update(sql, values);
    }

    /** The decision on a request, or nothing. */
    public Optional<StoredDecision> find(String approval) {
        return select("WHERE approval = ?", approval).stream().findFirst();
    }

    /**
     * Returns decisions, the newest first.
     *
     * @param before none with this number or a higher one
     */
    public List<StoredDecision> page(long before, int limit) {
        return select("WHERE number < ? ORDER BY number DESC LIMIT ?", before, limit);
    }

    private List<StoredDecision> select(String condition, Object... values) {
        return database.get(connection -> {
            String sql = "SELECT number, " + COLUMNS + " FROM decision " + condition;
            List<StoredDecision> found = new ArrayList<>();
            try (PreparedStatement statement = TransactionRows.prepared(connection, sql, values);
                    ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.add(read(rows));
                }
            }
            return found;
        });
    }

    private static StoredDecision read(ResultSet row) throws SQLException {
        return new StoredDecision(
                row.getLong("number"),
                row.getString("approval"),
                row.getString("tenant"),
                row.getString("method"),
                row.getString("network"),
                row.getString("chain"),
                Felt.parseHex(row.getString("account")),
                row.getString("summary"),
                row.getString("max_fee"),
                row.getBoolean("approved"),
                row.getString("decided_by"),
                Instant.ofEpochMilli(row.getLong("decided_millis")),
                RequestState.valueOf(row.getString("outcome")),
                row.getString("error"));
    }
}
