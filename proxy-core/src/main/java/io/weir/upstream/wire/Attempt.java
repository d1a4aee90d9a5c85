package io.weir.upstream.wire;

import io.netty.util.concurrent.ScheduledFuture;
import io.weir.metrics.RateLimitedLogger;
import io.weir.upstream.NodeClient.OutcomeSink;
import io.weir.upstream.NodeOutcome;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * One question on its way to a node: waiting for a connection, or under way on one. Ends once. Confined to its event loop.
 *
 * @param <Q> what is asked
 * @param <C> what carries it
 */
public final class Attempt<Q, C> {

    private static final RateLimitedLogger LOG = new RateLimitedLogger(LoggerFactory.getLogger(Attempt.class));

    private final Q asked;
    private final boolean anew;
    private @Nullable OutcomeSink sink;
    private @Nullable ScheduledFuture<?> timer;
    private @Nullable C connection;

    /** Begins an attempt that any connection may carry. */
    public Attempt(Q asked, OutcomeSink sink) {
        this(asked, false, sink);
    }

    /**
     * Begins an attempt.
     *
     * @param anew whether it needs a connection that carried no call before
     */
    public Attempt(Q asked, boolean anew, OutcomeSink sink) {
        this.asked = asked;
        this.anew = anew;
        this.sink = sink;
    }

    /** What is asked. */
    public Q asked() {
        return asked;
    }

    /** Whether it needs a connection that carried no call before. */
    public boolean anew() {
        return anew;
    }

    /** Has a timer end with the attempt. */
    public void endsWith(ScheduledFuture<?> deadline) {
        timer = deadline;
    }

    /** The connection that it is under way on, or null while it waits for one. */
    public @Nullable C connection() {
        return connection;
    }

    /** Notes which connection it is under way on. */
    public void sentOver(C by) {
        connection = by;
    }

    /** Whether whoever asked was told. */
    public boolean ended() {
        return sink == null;
    }

    /** Gives the outcome to whoever asked; a second one goes nowhere. */
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
            // Must not tear down a connection that may serve another call by now.
            LOG.warn("an outcome could not be taken", e);
        }
    }
}
