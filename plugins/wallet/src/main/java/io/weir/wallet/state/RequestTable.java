package io.weir.wallet.state;

import io.weir.l2.Felt;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** The requests that their callers gave an id. Thread-safe; blocks. */
public final class RequestTable {
    private static final String COLUMNS = "tenant, request_id, approval, method, chain_id, fingerprint, state, result,"
            + " error_code, error_message, created_millis, changed_millis";
    /** The requests that are remembered for one tenant: those of a busy day, in some megabytes. */
    private static final int MAX_PER_TENANT = 10_000;

    private static final String ENDED = "state NOT IN ('WAITING', 'APPROVED')";

    private final WalletDatabase database;
    private final InstantSource clock;

    /** Makes a table. The oldest ended request of a tenant is forgotten first. */
    public RequestTable(WalletDatabase database, InstantSource clock) {
        this.database = database;
        this.clock = clock;
    }

    /** Stores a request that begins, in place of an earlier one of the same id. */
    public void begin(StoredRequest request) {
        database.inTransaction(connection -> {
            try (PreparedStatement statement = TransactionRows.prepared(
                    connection,
                    "INSERT OR REPLACE INTO request (" + COLUMNS + ") VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
                    request.tenant(),
                    request.requestId(),
                    request.approval(),
                    request.method(),
                    request.chainId().toHex(),
                    request.fingerprint(),
                    request.state().name(),
                    request.result(),
                    request.errorCode(),
                    request.errorMessage(),
                    request.created().toEpochMilli(),
                    request.changed().toEpochMilli())) {
                statement.executeUpdate();
            }
            try (PreparedStatement statement = TransactionRows.prepared(
                    connection,
                    "DELETE FROM request WHERE rowid IN (SELECT rowid FROM request WHERE tenant = ? AND " + ENDED
                            + " ORDER BY changed_millis DESC, rowid DESC LIMIT -1 OFFSET ?)",
                    request.tenant(),
                    MAX_PER_TENANT)) {
                statement.executeUpdate();
            }
        });
    }

    /** Moves a request on. */
    public void move(String approval, RequestState state, String result, int errorCode, String errorMessage) {
        change(
                "UPDATE request SET state = ?, result = ?, error_code = ?, error_message = ?, changed_millis = ?"
                        + " WHERE approval = ?",
                state.name(),
                result,
                errorCode,
                errorMessage,
                clock.millis(),
                approval);
    }

    /** The request of an id, or nothing. */
    public Optional<StoredRequest> find(String tenant, String requestId) {
        return database.get(connection -> {
            try (PreparedStatement statement = TransactionRows.prepared(
                            connection,
                            "SELECT " + COLUMNS + " FROM request WHERE tenant = ? AND request_id = ?",
                            tenant,
                            requestId);
                    ResultSet row = statement.executeQuery()) {
                return row.next() ? Optional.of(read(row)) : Optional.empty();
            }
        });
    }

    /** Ends what an earlier process left open: nothing waits any more, and what was not signed never will be. */
    public void endOpen() {
        change(
                "UPDATE request SET state = 'WITHDRAWN', error_message = 'the proxy stopped', changed_millis = ?"
                        + " WHERE state = 'WAITING'",
                clock.millis());
        change(
                "UPDATE request SET state = 'FAILED', error_code = -32000,"
                        + " error_message = 'the proxy stopped before anything was signed', changed_millis = ?"
                        + " WHERE state = 'APPROVED' AND NOT EXISTS (SELECT 1 FROM account_transaction AS signed"
                        + " WHERE signed.approval = request.approval)",
                clock.millis());
        change("UPDATE request SET state = 'SUBMITTING', changed_millis = ? WHERE state = 'APPROVED'", clock.millis());
    }

    /** Forgets the requests that ended before. */
    public void forgetEndedBefore(Instant before) {
        change("DELETE FROM request WHERE " + ENDED + " AND changed_millis < ?", before.toEpochMilli());
    }

    private void change(String sql, Object... values) {
        new TransactionRows(database).update(sql, values);
    }

    private static StoredRequest read(ResultSet row) throws SQLException {
        return new StoredRequest(
                row.getString("tenant"),
                row.getString("request_id"),
                row.getString("approval"),
                row.getString("method"),
                Felt.parseHex(row.getString("chain_id")),
                row.getString("fingerprint"),
                RequestState.valueOf(row.getString("state")),
                row.getString("result"),
                row.getInt("error_code"),
                row.getString("error_message"),
                Instant.ofEpochMilli(row.getLong("created_millis")),
                Instant.ofEpochMilli(row.getLong("changed_millis")));
    }
}
