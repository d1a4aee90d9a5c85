package io.weir.pipeline.plan;

import io.weir.jsonrpc.RpcReply;
import io.weir.tracing.AttemptSpan;
import io.weir.tracing.TraceHeaders;
import io.weir.upstream.Attempt;
import io.weir.upstream.CallCause;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.ResultStream;
import io.weir.upstream.Upstream;
import org.jspecify.annotations.Nullable;

/** Attempt of one call at one node. Confined to the call's event loop. */
final class OpenAttempt extends Attempt {

    private final Attempts attempts;
    private final Upstream upstream;
    private final long startedNanos;
    private final CallCause cause;
    private final @Nullable OpenAttempt before;
    /** Whether only the taker of its result may give it up. */
    private boolean streamed;
    /** Null while tracing is off. */
    private final @Nullable AttemptSpan span;

    /** @param before the attempt that began before it; null for the first one */
    OpenAttempt(
            Attempts attempts,
            Upstream upstream,
            long startedNanos,
            CallCause cause,
            @Nullable OpenAttempt before,
            @Nullable AttemptSpan span) {
        this.span = span;
        this.cause = cause;
        this.attempts = attempts;
        this.upstream = upstream;
        this.startedNanos = startedNanos;
        this.before = before;
    }

    Upstream upstream() {
        return upstream;
    }

    long startedNanos() {
        return startedNanos;
    }

    @Override
    public CallCause cause() {
        return cause;
    }

    @Override
    public Object holder() {
        return attempts.holder();
    }

    @Override
    public @Nullable TraceHeaders traceHeaders() {
        return span == null ? null : span.headers();
    }

    @Override
    protected boolean needsWhole() {
        return attempts.needsWhole();
    }

    /** The attempt has won then: only the result's taker may give it up. */
    @Override
    protected boolean takesStream(ResultStream result) {
        if (!attempts.mayStream()) {
            return false;
        }
        streamed = true;
        result.carriedBy(this);
        attempts.stream(this, result);
        return true;
    }

    @Override
    protected void deliver(NodeOutcome outcome) {
        if (span != null) {
            end(span, outcome);
        }
        if (!streamed) {
            attempts.attemptEnded(this, outcome);
        }
    }

    private static void end(AttemptSpan span, NodeOutcome outcome) {
        if (outcome instanceof NodeOutcome.Failed failed) {
            span.end(failed.fault().label(), 0);
        } else if (outcome instanceof NodeOutcome.Answered answered) {
            span.end(
                    null,
                    answered.reply() instanceof RpcReply.Failure error
                            ? error.error().code()
                            : 0);
        }
    }

    /** Gives up this attempt and those that began before it, as far as they are under way. */
    void cancelAll() {
        for (OpenAttempt next = this; next != null; next = next.before) {
            if (!next.ended() && !next.streamed) {
                next.cancel();
                if (next.span != null) {
                    next.span.end("cancelled", 0);
                }
            }
        }
    }
}
