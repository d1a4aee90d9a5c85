package io.weir.wallet.approval;

import java.time.Instant;

/**
 * A request that waits for a person. Immutable.
 *
 * @param asker its callers, as they are now
 * @param forKey whether the private key is shown once it is approved
 * @param until when it is given up
 * @param votes the persons who approve it
 * @param reason why a person is asked
 */
public record ParkedRequest(
        ApprovalRequest request,
        Asker asker,
        boolean forKey,
        Instant since,
        Instant until,
        Votes votes,
        String reason) {

    ParkedRequest with(Votes more) {
        return new ParkedRequest(request, asker, forKey, since, until, more, reason);
    }

    /** Returns its id, which nobody can guess and which is never used again. */
    public String id() {
        return asker.id();
    }

    /** Whether it waits for callers that have all gone. */
    public boolean isAbandoned() {
        return asker.callers() == 0;
    }
}
