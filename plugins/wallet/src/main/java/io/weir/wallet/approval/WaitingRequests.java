package io.weir.wallet.approval;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The requests that wait, in the order of their arrival, within bounds. Whoever takes one out has it alone. Thread-safe. */
final class WaitingRequests {

    /** The requests of all tenants: as many as fit on a page that a person reads. */
    static final int MAX = 100;

    /** The requests of one tenant, so that ten keys can wait beside each other and none displaces others. */
    static final int MAX_PER_TENANT = 10;

    /** The result of adding a request. */
    enum Added {
        ADDED,
        /** The requests of all tenants reach their bound. */
        FULL,
        /** The requests of this tenant reach theirs. */
        TENANT_FULL,
        STOPPED
    }

    private final Map<String, Waiting> byId = new LinkedHashMap<>();
    private boolean stopped;

    synchronized Added add(Waiting one) {
        if (stopped) {
            return Added.STOPPED;
        }
        String tenant = one.parked().request().tenant();
        long ofTenant = byId.values().stream()
                .filter(other -> other.parked().request().tenant().equals(tenant))
                .count();
        if (ofTenant >= MAX_PER_TENANT) {
            return Added.TENANT_FULL;
        }
        if (byId.size() >= MAX) {
            return Added.FULL;
        }
        byId.put(one.parked().id(), one);
        return Added.ADDED;
    }

    synchronized @Nullable Waiting take(String id) {
        return byId.remove(id);
    }

    synchronized @Nullable Waiting waiting(String id) {
        return byId.get(id);
    }

    synchronized @Nullable ParkedRequest find(String id) {
        Waiting one = byId.get(id);
        return one == null ? null : one.parked();
    }

    synchronized List<ParkedRequest> all() {
        return byId.values().stream().map(Waiting::parked).toList();
    }

    synchronized int size() {
        return byId.size();
    }

    /** Takes all out, and lets none in any more. */
    synchronized List<Waiting> stop() {
        stopped = true;
        List<Waiting> all = List.copyOf(byId.values());
        byId.clear();
        return all;
    }

    /** A parked request and its end. Thread-safe. */
    static final class Waiting {

        private volatile ParkedRequest parked;
        private final Approvals.@Nullable KeySource key;
        private final CompletableFuture<Decision> end = new CompletableFuture<>();
        private volatile @Nullable Future<?> timer;

        Waiting(ParkedRequest parked, Approvals.@Nullable KeySource key) {
            this.parked = parked;
            this.key = key;
        }

        ParkedRequest parked() {
            return parked;
        }

        Approvals.@Nullable KeySource key() {
            return key;
        }

        CompletionStage<Decision> end() {
            return end.minimalCompletionStage();
        }

        /**
         * Notes a person's approval, unless it is the last that is needed.
         *
         * @param note keeps it before it counts; gets the votes with it
         */
        synchronized ApprovalQueue.Step vote(String approver, Consumer<Votes> note) {
            ParkedRequest before = parked;
            if (before.votes().approvers().contains(approver)) {
                return ApprovalQueue.Step.REPEATED;
            }
            if (before.votes().isLast(approver)) {
                return ApprovalQueue.Step.LAST;
            }
            Votes votes = before.votes().with(approver);
            note.accept(votes);
            parked = before.with(votes);
            return ApprovalQueue.Step.NOTED;
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
}
