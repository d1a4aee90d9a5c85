package io.weir.wallet.approval;

import java.time.Instant;

/**
 * A request that waits for a person. Immutable.
 *
 * @param id nobody can guess it, and it is never used again
 * @param forKey whether the private key is shown once it is approved
 * @param until when it is given up
 */
public record ParkedRequest(String id, ApprovalRequest request, boolean forKey, Instant since, Instant until) {}
