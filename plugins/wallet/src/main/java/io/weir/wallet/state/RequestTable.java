package io.weir.wallet.state;

import io.weir.wallet.chain.SnapErrors;
import io.weir.wallet.state.WalletDatabase.Row;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The requests that have an id of their callers', and those that a person decided on or a policy approved. The audit log is what proves
 * decisions. Thread-safe; blocks.
 *
 * @param maxDecisions the decisions of persons that are stored; the oldest are forgotten first
 * @param maxNamed the other requests with an id that are stored for one tenant
 */
public record RequestTable(WalletDatabase database, InstantSource clock, int maxDecisions, int maxNamed) {

    /** The decisions of persons on 200 pages of the history. The audit log holds all. */
    private static final int MAX_DECISIONS = 10_000;

    private static final String REQUEST = "approval, tenant, request_id, method, chain_id, fingerprint, state, result,"
            + " error_code, error_message, created_millis, changed_millis";
    private static final String DECISION =
            "decided_millis, decided_by, approved, network, account, summary, message, max_fee, content_hash";
    private static final String SELECT = "SELECT " + REQUEST + ", " + DECISION + " FROM request ";
    /** The requests without a person's decision that are remembered for one tenant: those of a busy day, in some megabytes. */
    private static final int MAX_PER_TENANT = 10_000;

    /** The requests without an id that a policy approved, and that are remembered for equal ones of the next minutes. */
    private static final int MAX_RECENT = 200;

    private static final String ENDED = "state NOT IN ('WAITING', 'APPROVED')";

    public RequestTable(WalletDatabase database, InstantSource clock) {
        this(database, clock, MAX_DECISIONS, MAX_PER_TENANT);
    }

    /** Stores a request that begins. From now on its id names this one. */
    public void begin(StoredRequest request) {
        database.inTransaction(connection -> {
            insert(connection, request);
            forgetOldest(connection, request.tenant());
        });
    }

    private void forgetOldest(Connection connection, String tenant) throws SQLException {
        WalletDatabase.change(
                connection,
                "DELETE FROM request WHERE number IN (SELECT number FROM request WHERE tenant = ? AND decided_by IS NULL"
                        + " AND request_id IS NOT NULL ORDER BY changed_millis DESC, number DESC LIMIT -1 OFFSET ?) AND "
                        + ENDED,
                tenant,
                maxNamed);
        WalletDatabase.change(
                connection,
                "DELETE FROM request WHERE number IN (SELECT number FROM request WHERE tenant = ? AND decided_by IS NULL"
                        + " AND request_id IS NULL ORDER BY changed_millis DESC, number DESC LIMIT -1 OFFSET ?) AND "
                        + ENDED,
                tenant,
                MAX_RECENT);
        WalletDatabase.change(
                connection,
                "DELETE FROM request WHERE number IN (SELECT number FROM request WHERE decided_by IS NOT NULL"
                        + " ORDER BY decided_millis DESC, number DESC LIMIT -1 OFFSET ?) AND " + ENDED,
                maxDecisions);
    }

    private static void insert(Connection connection, StoredRequest request) throws SQLException {
        WalletDatabase.change(
                connection,
                WalletDatabase.insertion("request", REQUEST) + " ON CONFLICT (approval) DO NOTHING",
                request.approval(),
                request.tenant(),
                request.requestId(),
                request.method(),
                request.chainId(),
                request.fingerprint(),
                request.state(),
                request.result(),
                request.errorCode(),
                request.error(),
                request.created(),
                request.changed());
    }

    /** Stores the decision on a request, and the request itself if it is not there. */
    public void decide(StoredRequest request, StoredDecision decision) {
        database.inTransaction(connection -> {
            insert(connection, request);
            WalletDatabase.change(
                    connection,
                    "UPDATE request SET state = ?, error_code = ?, error_message = ?, changed_millis = ?, (" + DECISION
                            + ") = (?, ?, ?, ?, ?, ?, ?, ?, ?)" + " WHERE approval = ? AND state = 'WAITING'",
                    decision.approved() ? RequestState.APPROVED : RequestState.REFUSED,
                    decision.approved() ? 0 : SnapErrors.USER_REJECTED,
                    decision.approved()
                            ? ""
                            : String.valueOf(SnapErrors.userRejected().getMessage()),
                    decision.at(),
                    decision.at(),
                    decision.by(),
                    decision.approved(),
                    decision.network(),
                    decision.account(),
                    decision.summary(),
                    decision.message(),
                    text(decision.maxFee()),
                    decision.contentHash(),
                    request.approval());
            forgetOldest(connection, request.tenant());
        });
    }

    /** Moves a request on, if it is stored. What a person refused stays so. */
    public void move(String approval, RequestState state, String result, int errorCode, String error) {
        database.update(
                "UPDATE request SET state = ?, result = ?, error_code = ?, error_message = ?, changed_millis = ?"
                        + " WHERE approval = ? AND state <> 'REFUSED'",
                state,
                result,
                errorCode,
                error,
                clock.millis(),
                approval);
    }

    /** Returns the newest request that a tenant gave this id, or nothing. */
    public Optional<StoredRequest> find(String tenant, String requestId) {
        return first("WHERE tenant = ? AND request_id = ? ORDER BY number DESC LIMIT 1", tenant, requestId);
    }

    /** Returns the request of an approval if a person decided on it, or nothing. */
    public Optional<StoredRequest> decided(String approval) {
        return first("WHERE approval = ? AND decided_by IS NOT NULL", approval);
    }

    /** Returns when a request of this content was approved last, if that is not before a time. */
    public Optional<Instant> approvedSince(Instant since, String contentHash) {
        return first(
                        "WHERE content_hash = ? AND approved AND decided_millis >= ? ORDER BY decided_millis DESC LIMIT 1",
                        contentHash,
                        since)
                .map(StoredRequest::decision)
                .map(StoredDecision::at);
    }

    /**
     * Returns requests on which persons decided, the newest decision first.
     *
     * @param before the approval of the last one of the page before; null for the first page
     */
    public List<StoredRequest> decisions(@Nullable String before, int limit) {
        String condition = before == null
                ? ""
                : "AND (decided_millis, number) < (SELECT decided_millis, number FROM request WHERE approval = ?) ";
        String sql = SELECT + "WHERE decided_by IS NOT NULL " + condition
                + "ORDER BY decided_millis DESC, number DESC LIMIT " + limit;
        return before == null
                ? database.query(RequestTable::read, sql)
                : database.query(RequestTable::read, sql, before);
    }

    private Optional<StoredRequest> first(String condition, Object... values) {
        return database.first(RequestTable::read, SELECT + condition, values);
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
                        + " error_message = 'the proxy stopped before the result was known', changed_millis = ?"
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
                row.text("approval"),
                row.text("tenant"),
                row.text("request_id"),
                row.text("method"),
                row.felt("chain_id"),
                row.text("fingerprint"),
                RequestState.valueOf(row.text("state")),
                row.text("result"),
                row.integer("error_code"),
                row.text("error_message"),
                row.time("created_millis"),
                row.time("changed_millis"),
                row.text("account") == null ? null : decision(row));
    }

    private static @Nullable String text(@Nullable BigInteger fee) {
        return fee == null ? null : fee.toString();
    }

    private static @Nullable BigInteger fee(@Nullable String text) {
        return text == null ? null : new BigInteger(text);
    }

    private static StoredDecision decision(Row row) throws SQLException {
        return new StoredDecision(
                row.flag("approved"),
                row.text("decided_by"),
                row.time("decided_millis"),
                row.text("network"),
                row.felt("account"),
                row.text("summary"),
                row.text("message"),
                fee(row.text("max_fee")),
                row.text("content_hash"));
    }
}
