package io.weir.wallet.approval;

import java.time.Instant;

/**
 * A request that waits for a person. Immutable.
 *
 * @param asker its callers, as they are now
 * @param forKey whether the private key is shown once it is approved
 * @param until when it is given up
 */
public record ParkedRequest(ApprovalRequest request, Asker asker, boolean forKey, Instant since, Instant until) {

    /** Returns its id, which nobody can guess and which is never used again. */
    public String id() {
        return asker.id();
    }

    /** Whether it waits for callers that have all gone. */
    public boolean isAbandoned() {
        return asker.callers() == 0;
    }
}
