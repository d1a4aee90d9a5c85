package io.weir.pipeline.plan;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.MethodFacts;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplyCheck;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.watch.LoopWaiter;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamPool;
import io.weir.upstream.UpstreamPool.Choice;
import io.weir.upstream.UpstreamStatus.Health;
import io.weir.upstream.verdict.ErrorClass;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Attempts to get one call answered, one node after the other. A call moves on to another node if the node before cannot have
 * executed it, or if it is safe to repeat; {@link RetryDecision} decides. The same node gets a repeatable call a second time only
 * after a connection broke, and over a fresh connection. It gets it at once if the node may have closed a kept connection as it
 * was used again. Otherwise it gets it once, if no other node is left. Confined to the call's event loop.
 */
final class Attempts {

    private static final int MAX = 4;
    private static final NodeOutcome LATE = new Failed(Fault.UNCHECKED, Executed.NO, "not verified in time", 0);

    private final UpstreamPool pool;
    private final CallMeters meters;
    private final boolean repeatable;
    private final CallContext context;
    private final ReplySink sink;
    /** Null until an outcome is no plain result. */
    private @Nullable RetryDecision decision;
    /** Null until nodes disagree, which is rare. */
    private @Nullable Disagreements disagreements;

    private boolean askedAhead;
    private final List<Upstream> tried = new ArrayList<>(2);
    /** Nodes that got the call a second time. */
    private final List<Upstream> askedAnew = new ArrayList<>(1);

    Attempts(UpstreamPool pool, CallMeters meters, boolean repeatable, CallContext context, ReplySink sink) {
        this.pool = pool;
        this.meters = meters;
        this.repeatable = repeatable;
        this.context = context;
        this.sink = sink;
    }

    void next() {
        long now = System.nanoTime();
        Choice choice = timeLeft(now) && tried.size() < MAX ? choose() : null;
        if (choice == null) {
            answer();
            return;
        }
        if (choice.degraded()) {
            context.trace().markDegraded();
            meters.countDegraded();
        }
        Upstream upstream = choice.upstream();
        context.trace().markForwarded();
        if (tried.contains(upstream)) {
            askAnew(upstream, now);
            return;
        }
        if (!tried.isEmpty()) {
            meters.countFailover();
        }
        ask(upstream, now);
    }

    private void ask(Upstream upstream, long now) {
        tried.add(upstream);
        upstream.ask(context.loop(), context.call(), context.deadlineNanos(), outcome -> end(upstream, now, outcome));
    }

    private void askAnew(Upstream upstream, long now) {
        askedAnew.add(upstream);
        upstream.askAnew(
                context.loop(), context.call(), context.deadlineNanos(), outcome -> end(upstream, now, outcome));
    }

    private @Nullable Choice choose() {
        Choice choice = pool.choose(context.call(), tried, context.leastHead());
        if (choice == null && repeatable && askedAnew.isEmpty() && decision().connectionBroke()) {
            return pool.choose(context.call(), List.of(), context.leastHead());
        }
        return choice;
    }

    private void end(Upstream upstream, long startedNanos, NodeOutcome outcome) {
        try {
            ended(upstream, startedNanos, outcome);
        } catch (RuntimeException | Error e) {
            context.failed(e);
        }
    }

    private void ended(Upstream upstream, long startedNanos, NodeOutcome outcome) {
        if (outcome instanceof Failed failed && failed.fault() == Fault.STALE_CONNECTION && mayAskAnew(upstream)) {
            askAnew(upstream, startedNanos);
            return;
        }
        long nanos = System.nanoTime() - startedNanos;
        ReplyCheck check = context.check();
        if (check != null && outcome instanceof Answered answered && hasResult(answered)) {
            check(check, upstream, nanos, answered);
        } else {
            go(upstream, nanos, outcome);
        }
    }

    private static boolean hasResult(Answered answered) {
        return answered.reply() instanceof RpcReply.Result result
                && !result.value().equals(RawJson.NULL);
    }

    private void check(ReplyCheck check, Upstream upstream, long nanos, Answered answered) {
        LoopWaiter<NodeOutcome> waiter =
                new LoopWaiter<>(context.loop(), outcome -> context.step(() -> go(upstream, nanos, outcome)));
        check.check(context, upstream.id(), ((RpcReply.Result) answered.reply()).value(), waiter::end);
        if (!waiter.ended()) {
            waiter.giveUpAfter(context.deadlineNanos() - System.nanoTime(), LATE);
        }
    }

    private void go(Upstream upstream, long nanos, NodeOutcome outcome) {
        if (outcome instanceof Answered answered && answered.verdict() == null && hasResult(answered)) {
            answer(upstream, nanos, answered);
            return;
        }
        RetryDecision.Step step = take(upstream, nanos, outcome);
        if (step == RetryDecision.Step.MOVE_ON) {
            next();
        } else if (step == RetryDecision.Step.ASK_AHEAD) {
            askAhead(upstream);
        } else if (outcome instanceof Failed
                && decision().foundNothing()
                && !foundNothingAt().isEmpty()) {
            askOnce(check());
        } else {
            answer();
        }
    }

    /** A result ends the call, whatever other nodes said before. */
    private void answer(Upstream upstream, long nanos, Answered answered) {
        context.trace().answeredBy(upstream.id(), nanos);
        context.trace().lackedData(false);
        if (disagreements != null) {
            disagreements.answered(answered);
        }
        sink.accept(answered.reply());
    }

    private RetryDecision.Step take(Upstream upstream, long nanos, NodeOutcome outcome) {
        if (outcome instanceof Answered answered) {
            context.trace().answeredBy(upstream.id(), nanos);
            context.trace().lackedData(lacksData(answered));
            boolean mayRepeat = !decision().refusesParams(answered) || upstream.takeRefusalRepeat();
            RetryDecision.Step step = decision().afterAnswer(answered, mayRepeat);
            compare(upstream, answered, step);
            return step;
        }
        return decision().afterFailure((Failed) outcome);
    }

    private static boolean lacksData(Answered answered) {
        return answered.verdict() != null && answered.verdict().errorClass() == ErrorClass.LACKS_DATA;
    }

    private void compare(Upstream upstream, Answered answered, RetryDecision.Step step) {
        if (step == RetryDecision.Step.ANSWER) {
            if (disagreements != null && !decision().foundNothing()) {
                disagreements.answered(answered);
            }
        } else if (decision().refusesParams(answered)) {
            disagreements().refusedParams(upstream);
        } else if (decision().foundNothing()) {
            disagreements().foundNothing(upstream);
        }
    }

    private RetryDecision decision() {
        RetryDecision mine = decision;
        if (mine == null) {
            mine = new RetryDecision(facts(), repeatable, context.blockExists(), context.checkedParams() != null);
            decision = mine;
        }
        return mine;
    }

    private MethodFacts facts() {
        return MethodCatalogue.ofName(context.call().method());
    }

    private Disagreements disagreements() {
        Disagreements mine = disagreements;
        if (mine == null) {
            mine = new Disagreements(
                    context.loop(), context.call(), facts().lookup().isOfTransaction());
            disagreements = mine;
        }
        return mine;
    }

    /** Returns the nodes that found no transaction. */
    private List<Upstream> foundNothingAt() {
        return disagreements == null ? List.of() : disagreements.foundNothingAt();
    }

    /** Asks a node with a higher head: this one may lack the block of the transaction. */
    private void askAhead(Upstream behind) {
        Choice ahead = askedAhead ? null : pool.chooseAhead(behind);
        askedAhead = true;
        askOnce(ahead == null || tried.contains(ahead.upstream()) ? check() : ahead);
    }

    private @Nullable Choice check() {
        List<Upstream> empty = foundNothingAt();
        return empty.isEmpty() ? null : pool.chooseToCheck(context.call(), empty, tried);
    }

    private void askOnce(@Nullable Choice choice) {
        long now = System.nanoTime();
        if (choice == null || !timeLeft(now) || tried.size() >= MAX || tried.contains(choice.upstream())) {
            answer();
        } else {
            ask(choice.upstream(), now);
        }
    }

    private boolean mayAskAnew(Upstream upstream) {
        // A node that has gone down meanwhile is asked only if there is no other.
        return repeatable && !askedAnew.contains(upstream) && upstream.status().health() != Health.DOWN;
    }

    private boolean timeLeft(long now) {
        return context.deadlineNanos() - now > 0;
    }

    private void answer() {
        RpcReply answer = decision().reply();
        sink.accept(
                answer != null ? answer : decision().failure(pool.retryAfterSeconds(), timeLeft(System.nanoTime())));
    }
}
