package io.weir.wallet.approval;

import io.weir.api.PluginMeters;
import io.weir.api.RpcException;
import io.weir.wallet.approval.DecisionLog.By;
import io.weir.wallet.approval.DecisionLog.Decider;
import io.weir.wallet.chain.SnapErrors;
import io.weir.wallet.state.DaySums;
import io.weir.wallet.state.DaySums.Charge;
import io.weir.wallet.state.RequestTable;
import io.weir.wallet.state.StateException;
import io.weir.wallet.state.StoredDecision;
import io.weir.wallet.state.StoredRequest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Asks the tenant's policy, and where that says so parks a request until a person decides. Thread-safe.
 *
 * <p>The log names each request's tenant and end, for later questions. It leaves out text from outside, which could hold lines of
 * its own.
 */
public final class ApprovalQueue implements Approvals, AutoCloseable {

    private static final String STOPS = "refused: the proxy stops";
    private static final String NO_KEY = "the key could not be opened";
    private static final Logger LOG = LoggerFactory.getLogger(ApprovalQueue.class);

    /** An equal request that was approved within this time is told of. */
    private static final Duration RECENT = Duration.ofMinutes(30);

    /** The characters of a request that a person is shown: the most that a message may have in the names of its types. */
    private static final int MAX_SHOWN = 65_536;

    private final ApprovalSettings settings;
    private final WaitingRequests waiting;
    private final DaySums sums;
    private final RequestTable requests;
    private final ScheduledExecutorService scheduler;
    private final Clock clock;
    private final ApprovalMeters meters;
    private final DecisionLog log;
    private final @Nullable Webhook webhook;

    /**
     * Asks nobody yet.
     *
     * @param requests where decisions are stored
     */
    public ApprovalQueue(
            ApprovalSettings settings,
            RequestTable requests,
            ScheduledExecutorService scheduler,
            Clock clock,
            PluginMeters meters,
            DecisionLog log) {
        this.settings = settings;
        this.waiting = new WaitingRequests();
        this.sums = new DaySums(requests.database(), clock);
        this.requests = requests;
        this.scheduler = scheduler;
        this.clock = clock;
        this.meters = ApprovalMeters.of(meters, waiting::size);
        this.log = log;
        this.webhook = settings.webhook() == null ? null : new Webhook(settings.webhook(), waiting, scheduler);
    }

    @Override
    public boolean signsWithoutChain(String tenant) {
        return settings.policy(tenant).messagesWithoutChain();
    }

    @Override
    public Duration timeout() {
        return settings.timeout();
    }

    @Override
    public CompletionStage<Decision> ask(Request request, Content content, Duration patience) {
        request.setContent(content);
        Policy policy = settings.policy(content.tenant());
        if (policy.denies()) {
            return refusedByPolicy(request);
        }
        List<String> reasons = new ArrayList<>();
        Rule rule = matching(policy.rules(), content, reasons);
        if (rule != null && rule.approvals() == 0) {
            return approvedByPolicy(request, rule);
        }
        String reason = reasons.isEmpty() ? "the policy asks a person" : String.join("; ", reasons);
        return park(request, null, patience, rule == null ? 1 : rule.approvals(), reason);
    }

    @Override
    public CompletionStage<Decision> reveal(Request request, Content.Key content, KeySource key, Duration patience) {
        request.setContent(content);
        Policy policy = settings.policy(content.tenant());
        // Whoever has the key needs no approvals any more.
        return policy.denies()
                ? refusedByPolicy(request)
                : park(request, key, patience, policy.mostApprovals(), "no policy shows a private key");
    }

    private @Nullable Rule matching(List<Rule> rules, Content content, List<String> reasons) {
        for (Rule rule : rules) {
            String name = rule.title() == null ? "the policy" : "rule " + rule.title();
            String uncovered = rule.bounds().uncovered(content);
            if (uncovered != null) {
                reasons.add(name + " does not cover " + uncovered);
            } else if (!count(rule.charges(content))) {
                reasons.add(name + ": the sum of the day is reached");
            } else {
                reasons.add(name + " asks a person");
                return rule;
            }
        }
        return null;
    }

    private boolean count(List<Charge> charges) {
        try {
            return charges.isEmpty() || sums.add(charges, true);
        } catch (StateException e) {
            // Without the day's sums no rule that has one can answer: a later rule or a person can.
            LOG.warn("the day's sums are not to be had, rules with sums match nothing: {}", e.toString());
            return false;
        }
    }

    @Override
    public void charge(Content content) {
        List<Rule> rules = settings.policy(content.tenant()).rules();
        if (rules.isEmpty()) {
            return;
        }
        try {
            // Whichever rule let it be signed first: no sum comes to less than what was signed.
            sums.add(
                    rules.stream()
                            .flatMap(rule -> rule.charges(content).stream())
                            .toList(),
                    false);
        } catch (StateException e) {
            LOG.warn("the day's fees are not to be had, nothing is signed: {}", e.toString());
            throw SnapErrors.failed("the day's fees cannot be counted (expected: a writable disk)");
        }
    }

    private CompletionStage<Decision> approvedByPolicy(Request request, Rule rule) {
        try {
            String path = settings.policyPath(request.content().tenant());
            log.approved(request, Decider.of(By.POLICY, rule.title() == null ? path : path + ", rule " + rule.title()));
        } catch (RpcException e) {
            return CompletableFuture.failedStage(e);
        }
        meters.allowed().increment();
        store(request, true, null, "");
        tell(request, "approved by the policy");
        return CompletableFuture.completedStage(Decision.APPROVED);
    }

    /** Stores a decision for the pages and for later requests. If it cannot be stored, it counts all the same: the audit log proves it. */
    private void store(Request request, boolean approved, @Nullable String by, String summary) {
        Instant now = clock.instant();
        Content content = request.content();
        JsonNode message = content.typedData();
        try {
            requests.decide(
                    new StoredRequest(
                            request.id(),
                            content.tenant(),
                            request.requestId(),
                            content.method(),
                            content.origin().network().chainId(),
                            "",
                            now),
                    new StoredDecision(
                            approved,
                            by,
                            now,
                            content.network(),
                            content.account(),
                            summary,
                            by == null || message == null ? "" : message.toString(),
                            content.maxFeeFri(),
                            content.hash()));
        } catch (StateException e) {
            LOG.warn("a decision is not stored: {}", e.getMessage());
        }
    }

    private CompletionStage<Decision> refusedByPolicy(Request request) {
        meters.denied().increment();
        tell(request, "refused by the policy");
        log.ended(
                request,
                Decision.FORBIDDEN,
                Decider.of(By.POLICY, settings.policyPath(request.content().tenant())));
        return CompletableFuture.completedStage(Decision.FORBIDDEN);
    }

    private CompletionStage<Decision> park(
            Request request, @Nullable KeySource key, Duration patience, int persons, String reason) {
        if (!settings.hasApprover()) {
            meters.denied().increment();
            tell(request, "refused: nobody can approve (expected: approver-sha256, or approvers)");
            log.ended(request, Decision.FORBIDDEN, Decider.of(By.POLICY, "nobody can approve"));
            return CompletableFuture.completedStage(Decision.FORBIDDEN);
        }
        long characters = request.content().shownCharacters();
        if (characters > MAX_SHOWN) {
            return CompletableFuture.failedStage(SnapErrors.invalidParams(
                    "approval: " + characters + " characters to read (expected: at most " + MAX_SHOWN + ")"));
        }
        Duration time = patience.compareTo(timeout()) < 0 ? patience : timeout();
        if (time.isNegative() || time.isZero()) {
            return ended(request, Decision.TIMED_OUT);
        }
        request.beginWaiting(key, clock.instant(), time, persons, reason);
        return switch (waiting.add(request)) {
            case ADDED -> {
                CompletionStage<Decision> end = timed(request, time);
                if (webhook != null) {
                    webhook.tell(request);
                }
                yield end;
            }
            case STOPPED -> ended(request, Decision.STOPPED);
            case FULL -> crowdedOut("requests wait (expected: at most " + WaitingRequests.MAX + ")");
            case TENANT_FULL ->
                crowdedOut("requests of this key wait (expected: at most " + WaitingRequests.MAX_PER_TENANT + ")");
        };
    }

    private CompletionStage<Decision> crowdedOut(String excess) {
        meters.crowdedOut().increment();
        return CompletableFuture.failedStage(SnapErrors.busy("approval: too many " + excess));
    }

    private CompletionStage<Decision> timed(Request one, Duration time) {
        try {
            one.expireBy(scheduler.schedule(() -> expire(one), time.toMillis(), TimeUnit.MILLISECONDS));
        } catch (RejectedExecutionException e) {
            stop(one);
        }
        return one.decision();
    }

    private void expire(Request one) {
        if (waiting.take(one.id()) != null) {
            meters.timedOut().increment();
            end(one, Decision.TIMED_OUT, Decider.of(By.TIMEOUT, "nobody decided in time"));
        }
    }

    private void stop(Request one) {
        if (waiting.take(one.id()) != null) {
            meters.stopped().increment();
            end(one, Decision.STOPPED, Decider.of(By.PROXY, STOPS));
        }
    }

    private CompletionStage<Decision> ended(Request request, Decision decision) {
        boolean late = decision == Decision.TIMED_OUT;
        (late ? meters.timedOut() : meters.stopped()).increment();
        String how = late ? "no time to decide" : STOPS;
        tell(request, how);
        log.ended(request, decision, Decider.of(late ? By.TIMEOUT : By.PROXY, how));
        return CompletableFuture.completedStage(decision);
    }

    @Override
    public boolean withdraw(String id) {
        Request one = waiting.take(id);
        if (one == null) {
            return false;
        }
        meters.withdrawn().increment();
        end(
                one,
                Decision.WITHDRAWN,
                Decider.of(By.CALLER, "withdrawn: its callers have gone or joined an equal request"));
        return true;
    }

    /** Returns when a request whose content has this hash was approved last, within the last minutes; null if none was. Blocks. */
    public @Nullable Instant approvedBefore(String contentHash) {
        Instant since = clock.instant().minus(RECENT);
        try {
            return requests.approvedSince(since, contentHash).orElse(null);
        } catch (StateException e) {
            LOG.warn("earlier approvals of an equal request are not to be had: {}", e.getMessage());
            return null;
        }
    }

    /** Returns the waiting requests, the oldest first. */
    public List<Request> parked() {
        return waiting.all();
    }

    /** Returns the number of requests that wait. */
    public int waiting() {
        return waiting.size();
    }

    /** A request that waits, or null where none of this id does. */
    public @Nullable Request find(String id) {
        return waiting.find(id);
    }

    /** The result of a person's approval. */
    public enum Step {
        /** No request of this id waits. */
        GONE,
        /** The person has approved it before: another one must. */
        REPEATED,
        /** It is noted, and another person must approve too. */
        NOTED,
        /** It is the last that is needed: {@link #claim} decides. */
        LAST
    }

    /**
     * Notes that a person approves a request, if it needs further persons. Blocks.
     *
     * @throws RpcException when it cannot be noted: it does not count then
     */
    public Step approve(String id, String approver) {
        Request one = waiting.find(id);
        return one == null ? Step.GONE : one.vote(approver, votes -> noteVote(one, approver, votes));
    }

    private void noteVote(Request one, String approver, Votes votes) {
        log.endorsed(one, approver, votes);
        tell(one, "approved by one person, others are needed");
    }

    /**
     * Takes a request out of the queue to decide on it. Returns null if no request of this id waits, so that nobody decides
     * twice.
     *
     * @param approver the name of the person who decides
     */
    public @Nullable Claim claim(String id, String approver) {
        Request one = waiting.take(id);
        return one == null ? null : new Claim(one, approver);
    }

    /** Refuses what waits and all that comes, for the proxy stops. */
    public void drain() {
        waiting.stop().forEach(one -> {
            meters.stopped().increment();
            end(one, Decision.STOPPED, Decider.of(By.PROXY, STOPS));
        });
    }

    @Override
    public void close() {
        drain();
    }

    private void end(Request one, Decision decision, Decider decider) {
        tell(one, decider.detail().isEmpty() ? "refused" : decider.detail());
        log.ended(one, decision, decider);
        one.decide(decision);
    }

    private static void tell(Request request, String end) {
        Content content = request.content();
        LOG.info("{} of {} on {}: {}", content.method(), content.tenant(), content.network(), end);
    }

    /** A person's one decision on a request: whoever has it, and nobody else, ends the request, and must. Confined to one thread. */
    public final class Claim {

        private final Request one;
        private final String approver;
        private final Decider decider;
        private boolean recorded;
        private String summary = "";

        private Claim(Request one, String approver) {
            this.one = one;
            this.approver = approver;
            this.decider = Decider.person(approver);
        }

        /** Sets the line by which the history tells the request. */
        public void summarise(String line) {
            summary = line;
        }

        /** Returns the request to decide on. */
        public Request request() {
            return one;
        }

        /**
         * Notes that the person approves, before anything is signed or shown. Blocks.
         *
         * @throws RpcException when it cannot be noted: the request has failed, and the decision with it
         */
        public void record() {
            if (recorded) {
                return;
            }
            if (!one.votes().isLast(approver)) {
                one.fail(SnapErrors.failed("approval: not by as many persons as it needs"));
                throw new IllegalStateException("approve: too few persons (expected: approve before the claim)");
            }
            try {
                log.approved(one, decider);
                recorded = true;
            } catch (RuntimeException | Error e) {
                tell(one, "approved, but the audit log cannot be written");
                one.fail(e);
                throw e;
            }
            store(one, true, one.votes().with(approver).names(), summary);
        }

        /** The private key to show, 32 bytes: whoever asks wipes it. To be asked where the request is for a key alone. */
        public byte[] openKey() throws Exception {
            KeySource key = one.key();
            if (key == null) {
                throw new IllegalStateException("key: not asked for (expected: a request for one)");
            }
            record();
            return key.open();
        }

        /** Ends it: it may be done, or the key is shown. Does what {@link #record} does if that was not done. */
        public void approve() {
            record();
            meters.approved().increment();
            tell(one, "approved");
            one.decide(Decision.APPROVED);
        }

        /** Ends it: it may not. */
        public void refuse() {
            store(one, false, approver, summary);
            meters.refused().increment();
            end(one, Decision.REFUSED, decider);
        }

        /** Ends it: the key is not to be had. */
        public void fail() {
            tell(one, "the key is not to be had");
            if (recorded) {
                log.failed(one, NO_KEY);
            } else {
                log.ended(one, Decision.REFUSED, Decider.of(By.PROXY, NO_KEY));
            }
            one.fail(SnapErrors.failed("private key: could not be opened"));
        }
    }
}
