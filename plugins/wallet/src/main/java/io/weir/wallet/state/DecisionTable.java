package io.weir.wallet.state;

import io.weir.wallet.state.WalletDatabase.Row;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The decisions of persons, for the page that shows them. The audit log is what proves them. Thread-safe; blocks.
 *
 * @param max number of decisions that are stored; the oldest is forgotten first
 */
public record DecisionTable(WalletDatabase database, int max) {
    private static final String COLUMNS =
            "approval, tenant, method, network, chain, account, summary, message, max_fee,"
                    + " approved, decided_by, decided_millis, outcome, error";

    /** Stores a decision; its number is ignored. */
    public void add(StoredDecision decision) {
        database.inTransaction(connection -> {
            WalletDatabase.change(
                    connection,
                    WalletDatabase.insertion("decision", COLUMNS),
                    decision.approval(),
                    decision.tenant(),
                    decision.method(),
                    decision.network(),
                    decision.chain(),
                    decision.account(),
                    decision.summary(),
                    decision.message(),
                    decision.maxFee(),
                    decision.approved(),
                    decision.by(),
                    decision.decided(),
                    decision.outcome(),
                    decision.error());
            WalletDatabase.change(
                    connection, "DELETE FROM decision WHERE number <= (SELECT MAX(number) FROM decision) - ?", max);
        });
    }

    /** Notes what an approved request came to. Does nothing if no person decided on it. */
    public void end(String approval, RequestState outcome, String error) {
        database.update(
                "UPDATE decision SET outcome = ?, error = ? WHERE approval = ? AND outcome = 'APPROVED'",
                outcome,
                error,
                approval);
    }

    /** Ends the decisions that an earlier process left open. Their transactions, if there are any, tell more. */
    public void endOpen() {
        database.update(
                "UPDATE decision SET outcome = 'FAILED', error = 'the proxy stopped before the result was known'"
                        + " WHERE outcome = 'APPROVED'");
    }

    /** Forgets decisions that were made before. */
    public void forgetBefore(Instant before) {
        database.update("DELETE FROM decision WHERE decided_millis < ?", before);
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
        String sql = "SELECT number, " + COLUMNS + " FROM decision " + condition;
        return database.query(DecisionTable::read, sql, values);
    }

    private static StoredDecision read(Row row) throws SQLException {
        return new StoredDecision(
                row.number("number"),
                row.text("approval"),
                row.text("tenant"),
                row.text("method"),
                row.text("network"),
                row.text("chain"),
                row.felt("account"),
                row.text("summary"),
                row.text("message"),
                row.text("max_fee"),
                row.flag("approved"),
                row.text("decided_by"),
                row.time("decided_millis"),
                RequestState.valueOf(row.text("outcome")),
                row.text("error"));
    }
}
