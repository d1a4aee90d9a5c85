package io.weir.upstream.wire;

import io.netty.util.concurrent.ScheduledFuture;
import io.weir.jsonrpc.RpcCall;
import io.weir.metrics.RateLimitedLogger;
import io.weir.tracing.TraceHeaders;
import io.weir.upstream.AttemptHandle;
import io.weir.upstream.CallCause;
import io.weir.upstream.NodeClient.OutcomeSink;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.ResultStream;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * One call to one node, or one batch of calls, from the plan to the socket and back. The node counts it, the batch window waits for it, and a connection
 * carries it; they add themselves to the one object, and hear of its end, which comes once. Confined to its event loop.
 */
public abstract class Attempt implements OutcomeSink, AttemptHandle {

    private static final RateLimitedLogger LOG = new RateLimitedLogger(LoggerFactory.getLogger(Attempt.class));

    private static final Object NOBODY = new Object();

    /** How far an attempt has come. */
    private enum State {
        /** It waits for a connection or for its answer. */
        OPEN,
        /** Its result goes on while it arrives: no time bounds it. */
        ANSWERING,
        /** The outcome was delivered, or the attempt was given up. */
        ENDED
    }

    /** The node that counts attempts until they end. Thread-safe. */
    public interface Counting {

        /** The time by the node's clock. */
        long nanoTime();

        /** Notes that the result goes on while it arrives. */
        void streams();

        /**
         * Notes the end, and returns the outcome as judged.
         *
         * @param isStreamed whether the result went on while it arrived
         */
        NodeOutcome ended(Attempt attempt, NodeOutcome outcome, boolean isStreamed);

        /** Notes that the attempt was given up. */
        void cancelled();
    }

    private State state = State.OPEN;
    private @Nullable RpcCall call;

    private @Nullable Counting node;
    private int epoch;
    private long startNanos;
    private long answerNanos;

    /** Runs once the request has returned, or goes on without the others. */
    private @Nullable Runnable returned;

    private @Nullable Message message;
    private boolean anew;
    private @Nullable Object connection;
    private @Nullable Consumer<Attempt> carrier;
    private @Nullable AttemptHandle handle;
    private @Nullable ScheduledFuture<?> timer;
    private long deadlineNanos;

    /** Returns an attempt that tells a sink of its outcome: the sink itself if it is an attempt. */
    public static Attempt of(OutcomeSink sink) {
        return sink instanceof Attempt attempt ? attempt : new Told(sink);
    }

    /** Takes the outcome; called once, unless the attempt is given up. */
    protected abstract void deliver(NodeOutcome outcome);

    /** Takes a result that goes on while it arrives, and returns whether it does. */
    protected boolean takesStream(ResultStream result) {
        return false;
    }

    /** Returns the size in bytes up to which a result must be collected whole, for an attempt that has not ended. */
    protected long collectsUpTo() {
        return Long.MAX_VALUE;
    }

    /** Hears that it can be given up from now on. */
    protected void onCancellable() {}

    /** Returns for whom it is made. All attempts for nobody in particular have one holder. */
    @Override
    public Object holder() {
        return NOBODY;
    }

    /**
     * Lets a node count it.
     *
     * @param epoch of the node's health
     */
    public final void countedBy(Counting by, RpcCall asked, int epoch, long startNanos) {
        node = by;
        call = asked;
        this.epoch = epoch;
        this.startNanos = startNanos;
        onCancellable();
    }

    /** Returns the epoch of the node's health when it began. */
    public final int epoch() {
        return epoch;
    }

    /** Returns the time until its answer, or until the beginning of one that goes on while it arrives. */
    public final long answerNanos() {
        return answerNanos;
    }

    /** Sets a task that runs once, when the request has returned or other requests need not wait for its end. */
    public final void onReturn(Runnable task) {
        returned = task;
    }

    /** Sets the call, for a connection that writes it itself. */
    public final void setCall(RpcCall asked) {
        call = asked;
    }

    /** Returns the call; to be asked once it was set. */
    public final RpcCall call() {
        return Objects.requireNonNull(call, "call");
    }

    /**
     * Sets the request.
     *
     * @param anew whether it needs a connection that has carried no call before
     */
    public final void setRequest(Message request, boolean anew) {
        message = request;
        this.anew = anew;
    }

    /** Returns the request; to be asked once it was set. */
    public final Message message() {
        return Objects.requireNonNull(message, "message");
    }

    /** Returns whether it needs a connection that has carried no call before. */
    public final boolean anew() {
        return anew;
    }

    /**
     * Lets the caller give it up.
     *
     * @param by takes the attempt once it was given up
     */
    public final void cancelledBy(Consumer<Attempt> by) {
        carrier = by;
        handle = null;
        onCancellable();
    }

    /** Lets it be given up by a client that carries it in its own way. */
    @Override
    public final void begun(AttemptHandle carried) {
        handle = carried;
        carrier = null;
        onCancellable();
    }

    @Override
    public final void cancel() {
        if (state == State.ENDED) {
            return;
        }
        boolean isAnswering = state == State.ANSWERING;
        state = State.ENDED;
        cancelTimer();
        if (node != null) {
            node.cancelled();
        }
        if (carrier != null) {
            carrier.accept(this);
        } else if (handle != null) {
            handle.cancel();
        }
        if (!isAnswering) {
            runReturned();
        }
    }

    private void runReturned() {
        Runnable task = returned;
        returned = null;
        if (task != null) {
            task.run();
        }
    }

    /** Takes back the timer. */
    public final void cancelTimer() {
        if (timer != null) {
            timer.cancel(false);
        }
    }

    /** Sets the time by which its carrier ends it, where the carrier has one timer for many attempts. */
    public final void endsBy(long nanos) {
        deadlineNanos = nanos;
    }

    /** Returns that time. */
    public final long deadlineNanos() {
        return deadlineNanos;
    }

    /** Returns whether a time bounds it. */
    public final boolean isBounded() {
        return state == State.OPEN;
    }

    /** Sets a timer that is cancelled when the attempt ends. */
    public final void endsWith(ScheduledFuture<?> deadline) {
        timer = deadline;
    }

    /** Returns the connection or the batch that carries it, or null while it waits for one. */
    public final @Nullable Object connection() {
        return connection;
    }

    /** Notes which connection or batch carries it. */
    public final void sentOver(Object by) {
        connection = by;
    }

    /** Returns whether the outcome was delivered or the attempt was given up. */
    public final boolean ended() {
        return state == State.ENDED;
    }

    @Override
    public final long wholeUpTo() {
        return state == State.ENDED ? Long.MAX_VALUE : collectsUpTo();
    }

    /** Offers a result that goes on while it arrives; returns whether it was taken. */
    @Override
    public final boolean stream(ResultStream result) {
        if (state != State.OPEN) {
            return false;
        }
        // The client's own speed must not count as the node's time.
        answerNanos = node == null ? 0 : node.nanoTime() - startNanos;
        state = State.ANSWERING;
        boolean isTaken = false;
        try {
            isTaken = takesStream(result);
        } finally {
            if (!isTaken && state == State.ANSWERING) {
                state = State.OPEN;
            } else if (!isTaken) {
                runReturned();
            }
        }
        if (!isTaken) {
            return false;
        }
        cancelTimer();
        if (node != null) {
            node.streams();
        }
        runReturned();
        return true;
    }

    @Override
    public final void accept(NodeOutcome outcome) {
        end(outcome);
    }

    /** Ends it. A second outcome is ignored. */
    public final void end(NodeOutcome outcome) {
        if (state == State.ENDED) {
            return;
        }
        boolean isStreamed = state == State.ANSWERING;
        state = State.ENDED;
        cancelTimer();
        try {
            if (!isStreamed) {
                answerNanos = node == null ? 0 : node.nanoTime() - startNanos;
                runReturned();
            }
            deliver(node == null ? outcome : node.ended(this, outcome, isStreamed));
        } catch (RuntimeException e) {
            // Must not close a connection that may serve another call by now.
            LOG.warn("an outcome could not be taken", e);
        }
    }

    /** Attempt that tells a sink of its outcome. Confined to its event loop. */
    private static final class Told extends Attempt {

        private final OutcomeSink sink;
        private final Object holder;
        private boolean isTold;

        Told(OutcomeSink sink) {
            this.sink = sink;
            Object given = sink.holder();
            this.holder = given == null ? NOBODY : given;
        }

        @Override
        public Object holder() {
            return holder;
        }

        @Override
        public CallCause cause() {
            return sink.cause();
        }

        @Override
        public @Nullable TraceHeaders traceHeaders() {
            return sink.traceHeaders();
        }

        @Override
        protected long collectsUpTo() {
            return sink.wholeUpTo();
        }

        @Override
        protected boolean takesStream(ResultStream result) {
            return sink.stream(result);
        }

        @Override
        protected void onCancellable() {
            if (!isTold) {
                isTold = true;
                sink.begun(this);
            }
        }

        @Override
        protected void deliver(NodeOutcome outcome) {
            sink.accept(outcome);
        }
    }
}
