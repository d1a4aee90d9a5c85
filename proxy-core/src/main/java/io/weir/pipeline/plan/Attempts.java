package io.weir.pipeline.plan;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.limit.Budget;
import io.weir.limit.Reservation;
import io.weir.method.MethodFacts;
import io.weir.method.NullMeaning;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.BlockTag;
import io.weir.method.params.CheckedParams;
import io.weir.metrics.Meter;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplyCheck;
import io.weir.pipeline.ReplyCheck.Checked;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Route;
import io.weir.pipeline.plan.CallRecord.Next;
import io.weir.tracing.CallSpan;
import io.weir.tracing.CallSpan.AttemptSpan;
import io.weir.upstream.Attempt;
import io.weir.upstream.CallCause;
import io.weir.upstream.LoopWaiter;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.ResultStream;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamPool;
import io.weir.upstream.UpstreamPool.Choice;
import io.weir.upstream.UpstreamStatus;
import io.weir.upstream.UpstreamStatus.Health;
import io.weir.upstream.verdict.ErrorClass;
import io.weir.upstream.verdict.Verdict;
import io.weir.verify.Verification;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Attempts to get one call answered, one node after the other. A call moves on to another node if the node before cannot have
 * executed it, or if it is safe to repeat; {@link CallRecord} decides. The same node gets a repeatable call a second time only
 * after a connection broke, and over a fresh connection. It gets it at once if the node may have closed a kept connection as it
 * was used again. Otherwise it gets it once, if no other node is left. A slow first attempt gets a second one beside it (a hedge),
 * and the first good answer counts; {@link AttemptLimits} says when. The other one is given up then. If every node was tried or
 * limits its rate, a repeatable call waits and asks them again ({@link AttemptLimits.Waits}). A transaction has a connection of its own.
 * Confined to the call's event loop.
 */
final class Attempts implements Attempt.Taker {

    private static final Checked LATE =
            new Checked(new Failed(Fault.UNCHECKED, Executed.NO, "not verified in time", 0), null);

    private final UpstreamPool pool;
    private final CallMeters meters;
    private final LongSupplier clock;
    private final Budget bytes;
    private final AttemptLimits limits;
    private final @Nullable ReplyCheck judge;
    private final boolean hedged;
    private final boolean repeatable;
    private final CallContext context;
    private final ReplySink sink;
    /** Null until an outcome is no plain result. */
    private @Nullable CallRecord record;
    /** Null until it matters that the pool has other nodes. */
    private @Nullable MethodFacts facts;

    private AttemptLimits.@Nullable Hedge hedge;
    private long firstNanos;
    private int open;
    /** Null until the call has waited for a node. */
    private AttemptLimits.@Nullable Waits waits;

    private boolean done;
    private @Nullable Attempt newest;
    /** Nodes that got the call. */
    private final List<Upstream> tried = new ArrayList<>(2);
    /** Nodes that got it a second time. */
    private List<Upstream> askedAnew = List.of();

    private int attempts;
    private boolean askedAhead;

    Attempts(ForwardStage stage, boolean repeatable, CallContext context, ReplySink sink) {
        this.pool = stage.pool();
        this.meters = stage.meters();
        this.clock = stage.clock();
        this.bytes = stage.bytes();
        this.limits = stage.limits();
        this.judge = repeatable ? stage.judge() : null;
        this.hedged = repeatable && stage.hedged() && stage.limits().hedges();
        this.repeatable = repeatable;
        this.context = context;
        this.sink = sink;
    }

    void next() {
        long now = clock.getAsLong();
        boolean may = timeLeft(now) && mayTry();
        Choice choice = may ? choose() : null;
        if (choice == null) {
            if (!may || !beginsNodeWait(now)) {
                answer();
            }
            return;
        }
        Upstream upstream = choice.upstream();
        context.trace().markForwarded();
        boolean again = tried.contains(upstream);
        if (record != null && record.isRetry() && !limits.takeRetry()) {
            meters.of(Meter.RETRIES_REFUSED).inc();
            if (!beginsRetryWait(now)) {
                answer();
            }
            return;
        }
        if (choice.degraded()) {
            context.trace().markDegraded();
            meters.of(Meter.DEGRADED).inc();
        }
        if (again) {
            askAnew(upstream, now);
        } else if (attempts == 0) {
            askFirst(upstream, now);
        } else {
            meters.of(Meter.FAILOVERS).inc();
            ask(upstream, now, CallCause.RETRY);
        }
    }

    /** Begins to wait until the budget allows another attempt. Returns false if the call must not wait for that. */
    private boolean beginsRetryWait(long now) {
        return repeatable && !record().isConclusive() && waits().beginForRetry(context.deadlineNanos() - now);
    }

    /** Begins to wait for a node that may answer later. Returns false if none may, or if the call must not wait. */
    private boolean beginsNodeWait(long now) {
        if ((!repeatable && attempts > 0) || (record != null && record.isConclusive())) {
            return false;
        }
        boolean failed = record != null && record.hasPassing();
        boolean limited = record == null || record.isPassingLimited();
        if (record != null) {
            tried.removeAll(record.takePassing());
        }
        long throttledNanos = limited ? pool.throttledNanos(tried) : 0;
        if (!failed && throttledNanos == 0) {
            return false;
        }
        long pauseNanos = limited && record != null ? record.retryAfterNanos() : 0;
        return waits().beginForNode(Math.max(throttledNanos, pauseNanos), context.deadlineNanos() - now);
    }

    private AttemptLimits.Waits waits() {
        if (waits == null) {
            waits = limits.new Waits(context, meters, this::next, this::answer);
        }
        return waits;
    }

    private void askFirst(Upstream upstream, long now) {
        firstNanos = now;
        limits.called();
        long hedgeAfter = hedged ? limits.hedgeAfterNanos(facts()) : Long.MAX_VALUE;
        if (hedgeAfter != Long.MAX_VALUE) {
            hedge = limits.hedge(context.loop(), hedgeAfter, () -> context.step(this::hedge));
        }
        ask(upstream, now, context.cause());
    }

    /** Begins a second attempt beside the first one. A node without the block would answer for an older one. */
    private void hedge() {
        long now = clock.getAsLong();
        if (done || open != 1 || asked() != 1 || !timeLeft(now) || !hasAnother()) {
            return;
        }
        Choice choice = another();
        if (choice != null && !choice.degraded() && limits.takeHedge()) {
            meters.of(Meter.HEDGES).inc();
            ask(choice.upstream(), now, CallCause.HEDGE);
        }
    }

    private void ask(Upstream upstream, long now, CallCause cause) {
        tried.add(upstream);
        attempts++;
        open++;
        Attempt attempt = begin(upstream, now, cause);
        if (repeatable || !facts().writes()) {
            upstream.ask(context.loop(), context.call(), deadline(now), attempt);
        } else {
            // The node may have closed a kept connection. Nobody would know then whether it has the transaction.
            upstream.askAnew(context.loop(), context.call(), deadline(now), attempt);
        }
    }

    private void askAnew(Upstream upstream, long now) {
        List<Upstream> twice = new ArrayList<>(askedAnew);
        twice.add(upstream);
        askedAnew = twice;
        attempts++;
        open++;
        upstream.askAnew(
                context.loop(), context.call(), context.deadlineNanos(), begin(upstream, now, CallCause.RETRY));
    }

    private Attempt begin(Upstream upstream, long now, CallCause cause) {
        CallSpan call = context.trace().span();
        AttemptSpan span = call == null ? null : call.attempt(upstream.id(), cause.label());
        Attempt attempt = new Attempt(this, cause, context.holder(), upstream, now, newest, span);
        newest = attempt;
        return attempt;
    }

    private @Nullable Choice choose() {
        Choice choice = another();
        return choice == null && record != null && record.mayAskAnew() && askedAnew.isEmpty()
                ? pool.choose(context.call(), List.of(), context.route().block())
                : choice;
    }

    /** Chooses a node that did not get the call; null if there is none. */
    private @Nullable Choice another() {
        return pool.choose(context.call(), tried, context.route().block());
    }

    /** Returns whether a node is left that did not get the call. */
    private boolean hasAnother() {
        return pool.hasAnother(context.call(), tried, context.route().block());
    }

    /** Returns whether a node may get the call a second time. */
    private boolean mayAskAnew(Upstream node) {
        // A node that has gone out meanwhile is asked only if there is no other.
        UpstreamStatus status = node.status();
        return !askedAnew.contains(node) && !status.isOut() && !status.drained();
    }

    /** Returns the number of attempts, apart from those over a fresh connection to the same node. */
    private int asked() {
        return attempts - askedAnew.size();
    }

    @Override
    public void ended(Attempt attempt, NodeOutcome outcome, boolean isStreamed) {
        if (isStreamed) {
            // The call has its answer.
            return;
        }
        try {
            noteOutcome(attempt.upstream(), attempt.begunNanos(), outcome);
        } catch (RuntimeException | Error e) {
            context.failed(e);
        }
    }

    private void noteOutcome(Upstream upstream, long startedNanos, NodeOutcome outcome) {
        open--;
        if (done) {
            return;
        }
        if (outcome instanceof Failed failed
                && failed.fault() == Fault.STALE_CONNECTION
                && repeatable
                && mayAskAnew(upstream)) {
            askAnew(upstream, startedNanos);
            return;
        }
        long nanos = clock.getAsLong() - startedNanos;
        RawJson result = judge == null ? null : judged(outcome);
        if (judge == null || result == null || judge.passesAtOnce(context, result)) {
            decide(upstream, nanos, outcome, null);
        } else {
            check(judge, upstream, result, checked -> {
                NodeOutcome judged = checked.outcome();
                boolean accepted = judged instanceof Answered answered && answered.verdict() == null;
                decide(upstream, nanos, accepted && result.equals(RawJson.NULL) ? outcome : judged, checked.proof());
            });
        }
    }

    /** Returns the result to judge; {@code null} also if the node says in an error that there is no such object. */
    private @Nullable RawJson judged(NodeOutcome outcome) {
        if (!(outcome instanceof Answered answered)) {
            return null;
        }
        if (answered.verdict() != null) {
            return answered.verdict().isNothingFound() && facts().lookup().isLookup() ? RawJson.NULL : null;
        }
        return answered.reply() instanceof RpcReply.Result result ? result.value() : null;
    }

    @Override
    public boolean needsWhole() {
        return !repeatable || context.route().whole() || (judge != null && judge.needsWhole(context));
    }

    /** Answers the call with a result that goes on while it arrives. The attempt has won then: only the result's taker may give it up. */
    @Override
    public boolean takesStream(Attempt attempt, ResultStream result) {
        if (done || needsWhole() || !context.takesStream()) {
            return false;
        }
        result.carriedBy(attempt);
        ResultStream judged = judge == null
                ? result
                : judge.checked(context, attempt.upstream().id(), result);
        open--;
        context.step(
                () -> decide(attempt.upstream(), clock.getAsLong() - attempt.begunNanos(), new Answered(judged), null));
        if (!result.isBegun()) {
            // A stage has failed.
            result.close();
        }
        return true;
    }

    private static boolean hasResult(Answered answered) {
        return answered.reply() instanceof RpcReply.Streamed
                || (answered.reply() instanceof RpcReply.Result result
                        && !result.value().equals(RawJson.NULL));
    }

    private void check(ReplyCheck check, Upstream upstream, RawJson result, Consumer<Checked> sink) {
        // Another attempt may fail meanwhile: it must not end the call.
        open++;
        Reservation waiting = bytes.reserve(context.holder());
        LoopWaiter<Checked> waiter = new LoopWaiter<>(
                context.loop(),
                checked -> counted(
                        waiting,
                        () -> context.step(() -> {
                            open--;
                            sink.accept(checked);
                        })));
        check.check(context, upstream.id(), result, waiter::end);
        if (!waiter.isOver()) {
            // What counts it now gives it back once this returns.
            waiting.add(result.length());
            waiter.giveUpAfter(context.deadlineNanos() - clock.getAsLong(), LATE);
        }
    }

    /** Runs a task that hands over a result which has waited, or one that is handed over already. */
    private static void counted(Reservation waiting, Runnable task) {
        if (waiting.taken() > 0) {
            waiting.handOver(task);
        } else {
            task.run();
        }
    }

    private void decide(Upstream upstream, long nanos, NodeOutcome outcome, @Nullable Verification<?> proof) {
        if (done) {
            return;
        }
        if (proof != null || !(outcome instanceof Failed)) {
            // A failure leaves what an attempt before it lacked.
            context.trace().verifiedAs(proof);
        }
        Route.Observer observer = context.route().observer();
        if (observer != null) {
            observer.ended(upstream.id(), outcome);
        }
        if (outcome instanceof Answered answered && answered.verdict() == null && hasResult(answered)) {
            answer(upstream, nanos, answered);
            return;
        }
        Next next = add(upstream, nanos, outcome);
        if ((next == Next.ANOTHER || next == Next.AHEAD) && open > 0) {
            // The attempt beside it decides.
            return;
        }
        switch (next) {
            case ANOTHER -> next();
            case AHEAD -> askAhead(upstream);
            case CHECK -> askOnce(check());
            default -> answer();
        }
    }

    /** Adds an outcome to the record, teaches the node what follows from it, and returns the next step. */
    private Next add(Upstream upstream, long nanos, NodeOutcome outcome) {
        record().add(upstream, outcome);
        if (outcome instanceof Failed failed) {
            if (failed.fault() == Fault.BEHIND || (record().isOfFinalTag() && failed.said() != null)) {
                context.trace().lackedData(true);
            }
            return record().after(outcome, false);
        }
        Answered answered = (Answered) outcome;
        context.trace().answeredBy(upstream.id(), nanos);
        Verdict verdict = answered.verdict();
        boolean lacksData = verdict != null && verdict.is(ErrorClass.LACKS_DATA);
        boolean inUnknownWords = verdict != null && verdict.is(ErrorClass.UNKNOWN);
        context.trace().lackedData(lacksData || (record().isOfFinalTag() && inUnknownWords));
        if (lacksData && context.route().block() > 0) {
            upstream.lackedData(context.call(), context.route().block());
        } else if (lacksData) {
            record().mayHaveLacked(upstream);
        }
        boolean refuses = record().refusesParams(answered);
        boolean mayRepeat = (verdict != null && verdict.isDoubt())
                ? judge != null && record().doubts() == 1 && pool.size() > 1 && judge.takeDoubt()
                : refuses && upstream.takeRefusalRepeat();
        Next next = record().after(outcome, mayRepeat);
        if (next != Next.ANSWER && refuses) {
            record().refusedParams(upstream);
        } else if (next != Next.ANSWER && record().nothings() > 0 && !(verdict != null && verdict.isDoubt())) {
            record().foundNothing(upstream);
        }
        return next;
    }

    /** A result ends the call, whatever other nodes said before. */
    private void answer(Upstream upstream, long nanos, Answered answered) {
        context.trace().answeredBy(upstream.id(), nanos);
        context.trace().lackedData(false);
        if (pool.size() > 1) {
            // Nobody chooses by the data of a node that is alone.
            upstream.hadData(facts(), context.call(), context.route().block());
            if (facts().lookup().isOfTransaction() && answered.reply() instanceof RpcReply.Result result) {
                pool.foundTransaction(upstream, result.value());
            }
        }
        if (record != null) {
            record.contradicted(context, answered);
        }
        if (open > 0 && !tried.get(0).equals(upstream)) {
            tried.get(0).slow(context.call(), clock.getAsLong() - firstNanos);
            meters.of(Meter.HEDGES_WON).inc();
        }
        complete(answered.reply());
    }

    /** Asks a node with a higher head: this one may lack the block. Who has a hash has it of some node, so any other may have it. */
    private void askAhead(Upstream behind) {
        Choice ahead = askedAhead ? null : pool.chooseAhead(context.call(), behind);
        askedAhead = true;
        if (ahead == null || tried.contains(ahead.upstream())) {
            ahead = facts().nullMeaning() == NullMeaning.NO_BLOCK ? another() : check();
        }
        askOnce(ahead);
    }

    private @Nullable Choice check() {
        List<Upstream> empty = record().foundNothingAt();
        return empty.isEmpty() ? null : pool.chooseToCheck(context.call(), empty, tried);
    }

    private void askOnce(@Nullable Choice choice) {
        long now = clock.getAsLong();
        if (choice == null || !timeLeft(now) || !mayTry() || tried.contains(choice.upstream())) {
            answer();
        } else {
            ask(choice.upstream(), now, CallCause.HEDGE);
        }
    }

    private long deadline(long now) {
        if (!repeatable || pool.size() == 1) {
            return context.deadlineNanos();
        }
        // Longer with each round: a node that is slow for this call must be able to answer in the end.
        long nanos = limits.attemptNanos(facts(), waits == null ? 0 : waits.rounds());
        boolean bounded = context.deadlineNanos() - now > nanos && (hasAnother() || mayAskAgain());
        return bounded ? now + nanos : context.deadlineNanos();
    }

    /** Returns whether a node that failed may be asked again after a wait. */
    private boolean mayAskAgain() {
        return record != null && record.hasPassing() && limits.waits();
    }

    private boolean mayTry() {
        return record == null || record.mayTry(asked());
    }

    private CallRecord record() {
        if (record == null) {
            CheckedParams params = context.checkedParams();
            boolean validated = params != null && params.shape().isOfEthereum();
            boolean ofFinalTag = params != null
                    && validated
                    && params.block() instanceof BlockSelector.Tag block
                    && (block.tag() == BlockTag.SAFE || block.tag() == BlockTag.FINALIZED);
            record = new CallRecord(facts(), repeatable, context.route().blockExists(), validated, ofFinalTag);
        }
        return record;
    }

    private MethodFacts facts() {
        if (facts == null) {
            facts = pool.methods().facts(context.call().method());
        }
        return facts;
    }

    private boolean timeLeft(long now) {
        return context.deadlineNanos() - now > 0;
    }

    private void answer() {
        CallRecord known = record();
        RpcReply reply = known.reply(judge != null && judge.mayServeDoubtful());
        if (reply == null) {
            boolean allLack = !known.hasFailed()
                    && pool.allLack(context.call(), context.route().block());
            reply = known.failure(allLack, pool.retryAfterSeconds(), noneUsable());
        } else if (reply instanceof RpcReply.Result) {
            // Another attempt may have been decided on since.
            context.trace().verifiedAs(null);
        }
        complete(reply);
    }

    private String noneUsable() {
        if (!timeLeft(clock.getAsLong())) {
            return "no answer in time";
        }
        boolean otherChain = pool.size() > 0
                && pool.upstreams().stream().allMatch(node -> node.status().health() == Health.WRONG_CHAIN);
        return otherChain
                ? "no usable upstream: it " + pool.upstreams().get(0).status().detail()
                : "no usable upstream";
    }

    private void complete(RpcReply reply) {
        done = true;
        if (hedge != null) {
            hedge.cancel();
        }
        if (open > 0 && newest != null) {
            newest.cancelAll();
        }
        if (judge != null && reply instanceof RpcReply.Result) {
            context.trace().markJudged();
        }
        sink.accept(reply);
    }
}
