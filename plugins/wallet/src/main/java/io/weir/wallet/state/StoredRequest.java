package io.weir.wallet.state;

import static io.weir.wallet.state.RequestState.WAITING;

import io.weir.l2.Felt;
import java.time.Instant;
import org.jdbi.v3.core.mapper.Nested;
import org.jdbi.v3.core.mapper.reflect.ColumnName;
import org.jdbi.v3.core.mapper.reflect.JdbiConstructor;
import org.jspecify.annotations.Nullable;

/**
 * A request that has an id of its caller's, that a person decided on, or that a policy approved. Immutable.
 *
 * @param approval the id of its approval, which its transactions bear
 * @param requestId the id of its caller's; null if it gave none
 * @param fingerprint a hash of its parameters; empty without an id
 * @param result what its callers got, as JSON; empty where they got nothing
 * @param error empty where it has not failed
 * @param decision null until somebody decides on it
 */
public record StoredRequest(
        String approval,
        String tenant,
        @Nullable String requestId,
        String method,
        Felt chainId,
        String fingerprint,
        RequestState state,
        String result,
        int errorCode,
        @ColumnName("error_message") String error,
        @ColumnName("created_millis") Instant created,
        @ColumnName("changed_millis") Instant changed,
        @Nested @Nullable StoredDecision decision) {

    @JdbiConstructor
    public StoredRequest {}

    /** A request that begins. */
    public StoredRequest(
            String approval,
            String tenant,
            @Nullable String requestId,
            String method,
            Felt chainId,
            String fingerprint,
            Instant now) {
        this(approval, tenant, requestId, method, chainId, fingerprint, WAITING, "", 0, "", now, now, null);
    }
}
