package io.weir.wallet.approval;

import io.weir.api.MethodCall;
import io.weir.wallet.state.RequestState;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A request on its way, from the call that brought it to its result: what it asks for, who waits for it, and who decides. Whoever takes
 * it out of the queue decides on it, and nobody else. Thread-safe.
 */
public final class Request {
    private final String id;
    private final String tenant;
    private final @Nullable String requestId;
    private final String fingerprint;
    private final CompletableFuture<Decision> decision = new CompletableFuture<>();
    private final CompletableFuture<JsonNode> result = new CompletableFuture<>();

    /** Held while a vote is written to the disk, for which no caller waits. */
    private final Object voting = new Object();

    private final List<MethodCall> hosts = new ArrayList<>(1);
    private RequestState state = RequestState.WAITING;
    private int callers;
    private @Nullable String address;
    private boolean detached;
    private @Nullable Request leader;

    private volatile @Nullable Content content;
    private volatile @Nullable Question question;
    private volatile Votes votes = Votes.of(1);
    private volatile @Nullable Future<?> timer;

    /**
     * What a person is asked. Immutable.
     *
     * @param key the private key that is shown once it is approved; null if it is for something else
     * @param time how long it waits
     * @param reason why a person is asked
     * @param hash of the content
     */
    private record Question(
            Approvals.@Nullable KeySource key, Instant since, Duration time, String reason, String hash) {}

    /**
     * A request that nobody waits for yet.
     *
     * @param id that of its approval, which nobody can guess and which is never used again
     * @param requestId the id that the caller gave it, or null
     * @param fingerprint equal for equal requests of a tenant
     */
    public Request(String id, String tenant, @Nullable String requestId, String fingerprint) {
        this.id = id;
        this.tenant = tenant;
        this.requestId = requestId;
        this.fingerprint = fingerprint;
    }

    public String id() {
        return id;
    }

    /** Returns the owner of the account: the name of the caller's API key. */
    public String tenant() {
        return tenant;
    }

    public @Nullable String requestId() {
        return requestId;
    }

    public String fingerprint() {
        return fingerprint;
    }

    /** Returns the address of the first caller, or null if it is unknown. */
    public synchronized @Nullable String address() {
        return address;
    }

    /** Returns the number of callers that wait for the result. */
    public synchronized int callers() {
        return callers;
    }

    /** Returns how far it has come; ended states say how. */
    public synchronized RequestState state() {
        return state;
    }

    /** Moves it on; an ended one stays as it is. Returns whether it moved. */
    public synchronized boolean move(RequestState next) {
        if (state.isEnded()) {
            return false;
        }
        state = next;
        return true;
    }

    /** Makes a call wait for it. */
    public synchronized void join(MethodCall host, boolean detaches) {
        if (hosts.isEmpty()) {
            address = host.callerAddress().map(InetAddress::getHostAddress).orElse(null);
        }
        hosts.add(host);
        callers++;
        detached |= detaches;
    }

    /** Notes that a caller has gone. Returns the request to withdraw, because nobody waits for it; else null. */
    public @Nullable Request leave() {
        Request followed;
        synchronized (this) {
            callers--;
            followed = leader;
            if (followed == null) {
                boolean unwanted = callers == 0 && !detached && state == RequestState.WAITING;
                if (unwanted) {
                    state = RequestState.WITHDRAWN;
                }
                return unwanted ? this : null;
            }
        }
        return followed.leave();
    }

    /** Makes the callers of another request wait for this one. */
    public void adopt(Request other) {
        List<MethodCall> joining;
        synchronized (other) {
            other.leader = this;
            joining = List.copyOf(other.hosts);
            synchronized (this) {
                callers += other.callers;
                hosts.addAll(joining);
            }
        }
    }

    /** Returns the calls that wait for it, the first one first. */
    public synchronized List<MethodCall> hosts() {
        return List.copyOf(hosts);
    }

    /** Returns its result, which all its callers get. */
    public CompletableFuture<JsonNode> result() {
        return result;
    }

    /** Returns what it asks for, once that is known: when the policy is asked. */
    public Content content() {
        return Objects.requireNonNull(content, "content");
    }

    void setContent(Content wanted) {
        content = wanted;
    }

    /** Begins to wait for persons, this number of different ones. What says so may be asked for from now on. */
    void beginWaiting(Approvals.@Nullable KeySource key, Instant since, Duration time, int persons, String reason) {
        votes = Votes.of(persons);
        question = new Question(key, since, time, reason, content().hash());
    }

    private Question question() {
        return Objects.requireNonNull(question, "question");
    }

    /** Returns when it began to wait for a person. */
    public Instant since() {
        return question().since();
    }

    /** Returns when it is given up. */
    public Instant until() {
        return question().since().plus(question().time());
    }

    /** Returns why a person is asked. */
    public String reason() {
        return question().reason();
    }

    /** Returns the hash of its content, which equal requests have too. */
    public String contentHash() {
        return question().hash();
    }

    /** Whether the private key is shown once it is approved. */
    public boolean isForKey() {
        return question().key() != null;
    }

    Approvals.@Nullable KeySource key() {
        return question().key();
    }

    /** Whether it waits for callers that have all gone. */
    public boolean isAbandoned() {
        return callers() == 0;
    }

    /** Returns the persons who approve it. */
    public Votes votes() {
        return votes;
    }

    /**
     * Notes a person's approval, unless it is the last that is needed.
     *
     * @param note keeps it before it counts; gets the votes with it
     */
    ApprovalQueue.Step vote(String approver, Consumer<Votes> note) {
        synchronized (voting) {
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
    }

    CompletionStage<Decision> decision() {
        return decision.minimalCompletionStage();
    }

    void expireBy(Future<?> expiry) {
        timer = expiry;
    }

    void decide(Decision made) {
        cancelTimer();
        decision.complete(made);
    }

    /** Ends the wait for a decision without one. */
    void fail(Throwable failure) {
        cancelTimer();
        decision.completeExceptionally(failure);
    }

    private void cancelTimer() {
        Future<?> expiry = timer;
        if (expiry != null) {
            expiry.cancel(false);
        }
    }
}
