package io.weir.wallet.state;

import io.weir.wallet.state.WalletDatabase.Row;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** The requests that their callers gave an id. Thread-safe; blocks. */
public record RequestTable(WalletDatabase database, InstantSource clock) {
    private static final String COLUMNS = "tenant, request_id, approval, method, chain_id, fingerprint, state, result,"
            + " error_code, error_message, created_millis, changed_millis";
    private static final String INSERT = WalletDatabase.insertion("request", COLUMNS);
    /** The requests that are remembered for one tenant: those of a busy day, in some megabytes. */
    private static final int MAX_PER_TENANT = 10_000;

    private static final String ENDED = "state NOT IN ('WAITING', 'APPROVED')";

    /** Stores a request that begins, in place of an earlier one of the same id. */
    public void begin(StoredRequest request) {
        database.inTransaction(connection -> {
            WalletDatabase.change(
                    connection,
                    INSERT.replaceFirst("INSERT", "INSERT OR REPLACE"),
                    request.tenant(),
                    request.requestId(),
                    request.approval(),
                    request.method(),
                    request.chainId(),
                    request.fingerprint(),
                    request.state(),
                    request.result(),
                    request.errorCode(),
                    request.errorMessage(),
                    request.created(),
                    request.changed());
            WalletDatabase.change(
                    connection,
                    "DELETE FROM request WHERE rowid IN (SELECT rowid FROM request WHERE tenant = ? AND " + ENDED
                            + " ORDER BY changed_millis DESC, rowid DESC LIMIT -1 OFFSET ?)",
                    request.tenant(),
                    MAX_PER_TENANT);
        });
    }

    /** Moves a request on. */
    public void move(String approval, RequestState state, String result, int errorCode, String errorMessage) {
        database.update(
                "UPDATE request SET state = ?, result = ?, error_code = ?, error_message = ?, changed_millis = ?"
                        + " WHERE approval = ?",
                state,
                result,
                errorCode,
                errorMessage,
                clock.millis(),
                approval);
    }

    /** The request of an id, or nothing. */
    public Optional<StoredRequest> find(String tenant, String requestId) {
        String sql = "SELECT " + COLUMNS + " FROM request WHERE tenant = ? AND request_id = ?";
        return database.query(RequestTable::read, sql, tenant, requestId).stream()
                .findFirst();
    }

    /** Ends what an earlier process left open: nothing waits any more, and what was not signed never will be. */
    public void endOpen() {
        database.update(
                "UPDATE request SET state = 'WITHDRAWN', error_code = -32000,"
                        + " error_message = 'withdrawn: the wallet stopped', changed_millis = ?"
                        + " WHERE state = 'WAITING'",
                clock.millis());
        database.update(
                "UPDATE request SET state = 'FAILED', error_code = -32000,"
                        + " error_message = 'the proxy stopped before anything was signed', changed_millis = ?"
                        + " WHERE state = 'APPROVED' AND NOT EXISTS (SELECT 1 FROM account_transaction AS signed"
                        + " WHERE signed.approval = request.approval)",
                clock.millis());
        database.update(
                "UPDATE request SET state = 'SUBMITTING', changed_millis = ? WHERE state = 'APPROVED'", clock.millis());
    }

    /** Forgets the requests that ended before. */
    public void forgetEndedBefore(Instant before) {
        database.update("DELETE FROM request WHERE " + ENDED + " AND changed_millis < ?", before);
    }

    private static StoredRequest read(Row row) throws SQLException {
        return new StoredRequest(
                row.text("tenant"),
                row.text("request_id"),
                row.text("approval"),
                row.text("method"),
                row.felt("chain_id"),
                row.text("fingerprint"),
                RequestState.valueOf(row.text("state")),
                row.text("result"),
                row.integer("error_code"),
                row.text("error_message"),
                row.time("created_millis"),
                row.time("changed_millis"));
    }
}
