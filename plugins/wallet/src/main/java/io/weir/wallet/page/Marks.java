package io.weir.wallet.page;

import io.weir.wallet.approval.ApprovalQueue;
import io.weir.wallet.approval.ApprovalRequest;
import io.weir.wallet.approval.ParkedRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What a person must know of a request beside its content: equal requests, and callers that have gone. Thread-safe. */
final class Marks {

    private final ApprovalQueue queue;

    Marks(ApprovalQueue queue) {
        this.queue = queue;
    }

    /** The marks of a request that waits, one line each. */
    List<String> of(ParkedRequest one, Instant now) {
        List<String> marks = new ArrayList<>();
        if (one.votes().needed() > 1) {
            marks.add("Approved by " + one.votes().shown() + ".");
        }
        if (one.isAbandoned()) {
            marks.add("The caller has gone. The request waits on because it was detached.");
        } else if (one.asker().callers() > 1) {
            marks.add(one.asker().callers() + " callers wait for this one request.");
        }
        ApprovalRequest content = one.request().content();
        long equal = queue.parked().stream()
                .filter(other -> other.request().content().equals(content))
                .count();
        if (equal > 1) {
            marks.add("Equal to " + (equal - 1) + " other waiting request" + (equal > 2 ? "s" : "") + ".");
        }
        Instant before = queue.approvedBefore(one.request());
        if (before != null) {
            marks.add("An equal request was approved " + Times.span(Duration.between(before, now)) + " ago.");
        }
        return marks;
    }
}
