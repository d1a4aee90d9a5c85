package io.weir.wallet.approval;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A request that waits for a person, and its end. Whoever takes it out of the queue ends it, and nobody else. Thread-safe. */
public final class ParkedRequest {

    private final ApprovalRequest request;
    private final Asker asker;
    private final Approvals.@Nullable KeySource key;
    private final Instant since;
    private final Duration time;
    private final String reason;
    private final CompletableFuture<Decision> end = new CompletableFuture<>();
    private volatile Votes votes;
    private volatile @Nullable Future<?> timer;

    /**
     * @param asker its callers, as they are now
     * @param key the private key that is shown once it is approved; null if it is for something else
     * @param time how long it waits
     * @param persons the number of different persons who must approve it
     * @param reason why a person is asked
     */
    ParkedRequest(
            ApprovalRequest request,
            Asker asker,
            Approvals.@Nullable KeySource key,
            Instant since,
            Duration time,
            int persons,
            String reason) {
        this.request = request;
        this.asker = asker;
        this.key = key;
        this.since = since;
        this.time = time;
        this.votes = Votes.of(persons);
        this.reason = reason;
    }

    /** Returns what it is for. */
    public ApprovalRequest request() {
        return request;
    }

    /** Returns its callers, as they are now. */
    public Asker asker() {
        return asker;
    }

    /** Returns when it began to wait. */
    public Instant since() {
        return since;
    }

    /** Returns when it is given up. */
    public Instant until() {
        return since.plus(time);
    }

    /** Returns the persons who approve it. */
    public Votes votes() {
        return votes;
    }

    /** Returns why a person is asked. */
    public String reason() {
        return reason;
    }

    /** Returns its id, which nobody can guess and which is never used again. */
    public String id() {
        return asker.id();
    }

    /** Whether the private key is shown once it is approved. */
    public boolean forKey() {
        return key != null;
    }

    /** Whether it waits for callers that have all gone. */
    public boolean isAbandoned() {
        return asker.callers() == 0;
    }

    Approvals.@Nullable KeySource key() {
        return key;
    }

    /**
     * Notes a person's approval, unless it is the last that is needed.
     *
     * @param note keeps it before it counts; gets the votes with it
     */
    synchronized ApprovalQueue.Step vote(String approver, Consumer<Votes> note) {
        if (votes.approvers().contains(approver)) {
            return ApprovalQueue.Step.REPEATED;
        }
        if (votes.isLast(approver)) {
            return ApprovalQueue.Step.LAST;
        }
        Votes more = votes.with(approver);
        note.accept(more);
        votes = more;
        return ApprovalQueue.Step.NOTED;
    }

    CompletionStage<Decision> end() {
        return end.minimalCompletionStage();
    }

    void expireBy(Future<?> expiry) {
        timer = expiry;
    }

    void end(Decision decision) {
        cancelTimer();
        end.complete(decision);
    }

    void fail(Throwable failure) {
        cancelTimer();
        end.completeExceptionally(failure);
    }

    private void cancelTimer() {
        Future<?> expiry = timer;
        if (expiry != null) {
            expiry.cancel(false);
        }
    }
}
