package io.weir.pipeline.plan;

import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.RpcReply.FailureKind;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamPool;
import io.weir.upstream.UpstreamStatus.Health;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The attempts to get one call answered, one node after the other. A call moves on to another node when the one before
 * cannot have carried it out, or when it is safe to repeat. It is sent to a node a second time only where it is repeatable and
 * a connection broke under it, and then over a fresh connection: at once, where that was a kept connection that the node may
 * have closed in the moment in which it was used again; else once, where no other node is left. Confined to the call's event
 * loop.
 */
final class Attempts {

    private static final int MOST = 4;

    private final UpstreamPool pool;
    private final CallMeters meters;
    private final boolean repeatable;
    private final CallContext context;
    private final ReplySink sink;
    private final List<Upstream> tried = new ArrayList<>(2);
    /** Those that it was sent to a second time. */
    private final List<Upstream> askedAnew = new ArrayList<>(1);

    private @Nullable Failed last;
    private boolean onlyRateLimits = true;
    private int retryAfterSeconds;

    Attempts(UpstreamPool pool, CallMeters meters, boolean repeatable, CallContext context, ReplySink sink) {
        this.pool = pool;
        this.meters = meters;
        this.repeatable = repeatable;
        this.context = context;
        this.sink = sink;
    }

    void next() {
        long now = System.nanoTime();
        UpstreamPool.Choice choice = context.deadlineNanos() - now > 0 ? choose() : null;
        if (choice == null) {
            giveUp();
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
        tried.add(upstream);
        upstream.ask(context.loop(), context.call(), context.deadlineNanos(), outcome -> end(upstream, now, outcome));
    }

    private void askAnew(Upstream upstream, long now) {
        askedAnew.add(upstream);
        upstream.askAnew(
                context.loop(), context.call(), context.deadlineNanos(), outcome -> end(upstream, now, outcome));
    }

    private UpstreamPool.@Nullable Choice choose() {
        UpstreamPool.Choice choice = pool.choose(tried);
        if (choice == null && repeatable && askedAnew.isEmpty() && last != null && brokeOff(last)) {
            return pool.choose(List.of());
        }
        return choice;
    }

    private static boolean brokeOff(Failed failed) {
        return failed.fault() == Fault.DISCONNECTED || failed.fault() == Fault.STALE_CONNECTION;
    }

    private void end(Upstream upstream, long startedNanos, NodeOutcome outcome) {
        if (outcome instanceof NodeOutcome.Answered answered) {
            context.trace().answeredBy(upstream.id(), System.nanoTime() - startedNanos);
            sink.accept(answered.reply());
            return;
        }
        last = (Failed) outcome;
        if (last.fault() == Fault.STALE_CONNECTION && mayAskAnew(upstream)) {
            askAnew(upstream, startedNanos);
            return;
        }
        if (last.fault() == Fault.RATE_LIMITED) {
            retryAfterSeconds = shorter(retryAfterSeconds, last.retryAfterSeconds());
        } else {
            onlyRateLimits = false;
        }
        if (endsAll(last.fault()) || !mayMoveOn(last)) {
            giveUp();
        } else {
            next();
        }
    }

    /** Whether it would be the same with any node. */
    private static boolean endsAll(Fault fault) {
        return fault == Fault.TOO_LARGE || fault == Fault.NO_ROOM;
    }

    private boolean mayAskAnew(Upstream upstream) {
        // A node that was found to be down meanwhile is not asked, unless there is no other.
        return repeatable && !askedAnew.contains(upstream) && upstream.status().health() != Health.DOWN;
    }

    private boolean mayMoveOn(Failed failed) {
        return tried.size() < MOST && (repeatable || failed.executed() == Executed.NO);
    }

    private void giveUp() {
        sink.accept(failure());
    }

    private RpcReply.Failure failure() {
        int throttled = shorter(retryAfterSeconds, pool.retryAfterSeconds());
        if (onlyRateLimits && throttled > 0) {
            return new RpcReply.Failure(
                    ErrorCode.LIMIT_EXCEEDED.error("every upstream is rate limited"),
                    FailureKind.RATE_LIMITED,
                    throttled);
        }
        if (last == null) {
            return RpcReply.unavailable(
                    context.deadlineNanos() - System.nanoTime() > 0 ? "no usable upstream" : "no answer in time");
        }
        if (last.fault() == Fault.TOO_LARGE) {
            // It would be as large from any node: an error that clients do not repeat.
            return RpcReply.failure(ErrorCode.LIMIT_EXCEEDED.error("the result is larger than this proxy passes on"));
        }
        if (last.fault() == Fault.NO_ROOM) {
            return RpcReply.unavailable("overloaded: no room for the answer");
        }
        return RpcReply.unavailable("no upstream could answer: " + reason(last.fault()));
    }

    private static int shorter(int seconds, int other) {
        return seconds == 0 ? other : other == 0 ? seconds : Math.min(seconds, other);
    }

    private static String reason(Fault fault) {
        return switch (fault) {
            case CONNECT, CLOSED -> "not reachable";
            case DISCONNECTED, STALE_CONNECTION, INTERRUPTED -> "the connection broke";
            case TIMEOUT -> "no answer in time";
            case RATE_LIMITED -> "rate limited";
            case CREDENTIALS -> "refused";
            case SERVER_ERROR -> "server error";
            case BAD_ANSWER, TOO_LARGE -> "no valid answer";
            case OVERLOADED -> "too many calls are waiting";
            case NO_ROOM -> "no room for the answer";
            case INTERNAL -> "the answer could not be read";
        };
    }
}
