package io.weir.wallet.state;

import io.weir.wallet.chain.SnapErrors;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
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
        database.inTransaction(() -> {
            insert(request);
            forgetOldest(request.tenant());
        });
    }

    private void insert(StoredRequest request) {
        database.change("""
                INSERT INTO request (approval, tenant, request_id, method, chain_id, fingerprint, state, result, error_code,
                    error_message, created_millis, changed_millis)
                VALUES (:approval, :tenant, :requestId, :method, :chainId, :fingerprint, :state, :result, :errorCode,
                    :error, :created, :changed)
                ON CONFLICT (approval) DO NOTHING
                """, request);
    }

    private void forgetOldest(String tenant) {
        String unnamed = "tenant = :tenant AND decided_by IS NULL AND request_id IS NULL ORDER BY changed_millis";
        String named = "tenant = :tenant AND decided_by IS NULL AND request_id IS NOT NULL ORDER BY changed_millis";
        forgetOldest(named, tenant, maxNamed);
        forgetOldest(unnamed, tenant, MAX_RECENT);
        forgetOldest("decided_by IS NOT NULL ORDER BY decided_millis", tenant, maxDecisions);
    }

    private void forgetOldest(String ordered, String tenant, int kept) {
        String old = "SELECT number FROM request WHERE " + ordered + " DESC, number DESC LIMIT -1 OFFSET :kept";
        String sql = "DELETE FROM request WHERE number IN (" + old + ") AND " + ENDED;
        database.change(sql, Map.of("tenant", tenant, "kept", kept));
    }

    /** Stores the decision on a request, and the request itself if it is not there. */
    public void decide(StoredRequest request, StoredDecision decision) {
        String refusal = String.valueOf(SnapErrors.userRejected().getMessage());
        Map<String, ?> outcome = decision.approved()
                ? Map.of("state", RequestState.APPROVED, "errorCode", 0, "error", "")
                : Map.of("state", RequestState.REFUSED, "errorCode", SnapErrors.USER_REJECTED, "error", refusal);
        database.inTransaction(() -> {
            insert(request);
            database.change("""
                    UPDATE request SET state = :state, error_code = :errorCode, error_message = :error, changed_millis = :at,
                        decided_millis = :at, decided_by = :by, approved = :approved, network = :network,
                        account = :account, summary = :summary, message = :message, max_fee = :maxFee,
                        content_hash = :contentHash
                    WHERE approval = :approval AND state = 'WAITING'
                    """, outcome, decision, request);
            forgetOldest(request.tenant());
        });
    }

    /** Moves a request on, if it is stored. What a person refused stays so. */
    public void move(String approval, RequestState state, String result, int errorCode, String error) {
        database.change("""
                UPDATE request SET state = ?, result = ?, error_code = ?, error_message = ?, changed_millis = ?
                WHERE approval = ? AND state <> 'REFUSED'
                """, state, result, errorCode, error, clock.instant(), approval);
    }

    /** Returns the newest request that a tenant gave this id, or nothing. */
    public Optional<StoredRequest> find(String tenant, String requestId) {
        String sql = "SELECT * FROM request WHERE tenant = ? AND request_id = ? ORDER BY number DESC LIMIT 1";
        return database.first(StoredRequest.class, sql, tenant, requestId);
    }

    /** Returns the request of an approval if a person decided on it, or nothing. */
    public Optional<StoredRequest> decided(String approval) {
        String sql = "SELECT * FROM request WHERE approval = ? AND decided_by IS NOT NULL";
        return database.first(StoredRequest.class, sql, approval);
    }

    /** Returns when a request of this content was approved last, if that is not before a time. */
    public Optional<Instant> approvedSince(Instant since, String contentHash) {
        String sql = """
                SELECT decided_millis FROM request WHERE content_hash = ? AND approved AND decided_millis >= ?
                ORDER BY decided_millis DESC LIMIT 1
                """;
        return database.first(Instant.class, sql, contentHash, since);
    }

    /**
     * Returns requests on which persons decided, the newest decision first.
     *
     * @param before the approval of the last one of the page before; null for the first page
     */
    public List<StoredRequest> decisions(@Nullable String before, int limit) {
        String decided = "SELECT * FROM request WHERE decided_by IS NOT NULL";
        String older =
                " AND (decided_millis, number) < (SELECT decided_millis, number FROM request WHERE approval = :before)";
        String newest = " ORDER BY decided_millis DESC, number DESC LIMIT :limit";
        return before == null
                ? database.list(StoredRequest.class, decided + newest, Map.of("limit", limit))
                : database.list(
                        StoredRequest.class, decided + older + newest, Map.of("before", before, "limit", limit));
    }

    /** Ends what an earlier process left open: nothing waits any more, and what was not signed never will be. */
    public void endOpen() {
        Map<String, ?> now = Map.of("now", clock.instant());
        database.change("""
                UPDATE request SET state = 'WITHDRAWN', error_code = -32000,
                    error_message = 'withdrawn: the wallet stopped', changed_millis = :now
                WHERE state = 'WAITING'
                """, now);
        database.change("""
                UPDATE request SET state = 'FAILED', error_code = -32000,
                    error_message = 'the proxy stopped before the result was known', changed_millis = :now
                WHERE state = 'APPROVED'
                    AND NOT EXISTS (SELECT 1 FROM account_transaction AS signed WHERE signed.approval = request.approval)
                """, now);
        database.change("UPDATE request SET state = 'SUBMITTING', changed_millis = :now WHERE state = 'APPROVED'", now);
    }

    /** Forgets the requests that ended before. */
    public void forgetEndedBefore(Instant before) {
        database.change("DELETE FROM request WHERE " + ENDED + " AND changed_millis < ?", before);
    }
}
