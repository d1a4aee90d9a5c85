package io.weir.upstream.wire;

import io.netty.util.concurrent.ScheduledFuture;
import io.weir.metrics.RateLimitedLogger;
import io.weir.tracing.TraceHeaders;
import io.weir.upstream.AttemptHandle;
import io.weir.upstream.NodeClient.OutcomeSink;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.ResultStream;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Attempt that waits for a connection or is in flight on one. Ends once. Confined to its event loop.
 *
 * @param <Q> the request
 * @param <C> the connection
 */
public final class Attempt<Q, C> implements AttemptHandle {

    private static final RateLimitedLogger LOG = new RateLimitedLogger(LoggerFactory.getLogger(Attempt.class));

    private static final Object NOBODY = new Object();

    private final Q request;
    private final boolean anew;
    private final Object holder;
    private @Nullable OutcomeSink sink;
    private @Nullable ScheduledFuture<?> timer;
    private long deadlineNanos;
    private boolean streamed;
    private @Nullable C connection;
    private @Nullable Consumer<Attempt<Q, C>> carrier;

    /** Creates an attempt that any connection may carry. */
    public Attempt(Q request, OutcomeSink sink) {
        this(request, false, sink);
    }

    /**
     * Creates an attempt.
     *
     * @param anew whether it needs a connection that has carried no call before
     */
    public Attempt(Q request, boolean anew, OutcomeSink sink) {
        this.request = request;
        this.anew = anew;
        this.sink = sink;
        Object given = sink.holder();
        this.holder = given == null ? NOBODY : given;
    }

    /**
     * Lets the caller give it up.
     *
     * @param by takes the attempt once it was given up
     */
    public void cancelledBy(Consumer<Attempt<Q, C>> by) {
        carrier = by;
        if (sink != null) {
            sink.begun(this);
        }
    }

    @Override
    public void cancel() {
        if (sink == null) {
            return;
        }
        sink = null;
        if (timer != null) {
            timer.cancel(false);
        }
        if (carrier != null) {
            carrier.accept(this);
        }
    }

    public Q request() {
        return request;
    }

    /** Returns whether it needs a connection that has carried no call before. */
    public boolean anew() {
        return anew;
    }

    /** Returns for whom it is made. Those for nobody in particular are one holder's. */
    public Object holder() {
        return holder;
    }

    /** Sets the time by which its carrier ends it, where the carrier has one timer for many attempts. */
    public void endsBy(long nanos) {
        deadlineNanos = nanos;
    }

    /** Returns that time. */
    public long deadlineNanos() {
        return deadlineNanos;
    }

    /** Returns whether a time bounds it: not once it has ended, was given up, or its result goes on while it arrives. */
    public boolean isBounded() {
        return sink != null && !streamed;
    }

    /** Sets a timer that is cancelled when the attempt ends. */
    public void endsWith(ScheduledFuture<?> deadline) {
        timer = deadline;
    }

    /** Returns the connection that carries it, or null while it waits for one. */
    public @Nullable C connection() {
        return connection;
    }

    /** Notes which connection carries it. */
    public void sentOver(C by) {
        connection = by;
    }

    /** Returns whether the outcome was delivered or the attempt was given up. */
    public boolean ended() {
        return sink == null;
    }

    /** Returns the size in bytes up to which a result must be collected whole. */
    public long wholeUpTo() {
        return sink == null ? Long.MAX_VALUE : sink.wholeUpTo();
    }

    /** Returns the headers that tell the node of the call's trace; null if there are none. */
    public @Nullable TraceHeaders traceHeaders() {
        return sink == null ? null : sink.traceHeaders();
    }

    /** Offers a result that goes on while it arrives; returns whether it was taken. Then no time bounds the attempt any more. */
    public boolean stream(ResultStream result) {
        boolean taken = sink != null && sink.stream(result);
        streamed |= taken;
        if (taken && timer != null) {
            timer.cancel(false);
        }
        return taken;
    }

    /** Delivers the outcome. A second one is ignored. */
    public void end(NodeOutcome outcome) {
        OutcomeSink taker = sink;
        if (taker == null) {
            return;
        }
        sink = null;
        if (timer != null) {
            timer.cancel(false);
        }
        try {
            taker.accept(outcome);
        } catch (RuntimeException e) {
            // Must not close a connection that may serve another call by now.
            LOG.warn("an outcome could not be taken", e);
        }
    }
}
