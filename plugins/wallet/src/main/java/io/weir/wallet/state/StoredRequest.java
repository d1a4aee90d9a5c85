package io.weir.wallet.state;

import io.weir.l2.Felt;
import java.time.Instant;

/**
 * A request with an id of its caller's. Immutable.
 *
 * @param approval the id of its approval, which its transactions bear
 * @param fingerprint a hash of its parameters
 * @param result what its callers got, as JSON; empty where they got nothing
 * @param errorMessage empty where it has not failed
 */
public record StoredRequest(
        String tenant,
        String requestId,
        String approval,
        String method,
        Felt chainId,
        String fingerprint,
        RequestState state,
        String result,
        int errorCode,
        String errorMessage,
        Instant created,
        Instant changed) {}
