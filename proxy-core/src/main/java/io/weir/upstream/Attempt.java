package io.weir.upstream;

import io.netty.util.concurrent.ScheduledFuture;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RequestWriter;
import io.weir.jsonrpc.RpcCall;
import io.weir.metrics.RateLimitedLogger;
import io.weir.tracing.TraceHeaders;
import io.weir.upstream.NodeOutcome.Failed;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * One call to one node, or one batch of calls, from its caller to the socket and back. The node counts it, the batch window waits for it, and a connection
 * carries it; they add themselves to the one object, and hear of its end, which comes once. Confined to its event loop.
 */
public abstract class Attempt {

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

    /** Several calls in one request, with the interpretation of its answer. Confined to its event loop. */
    public interface Batch {

        /**
         * Encodes the request when it is sent. The text counts until the writer is used again.
         *
         * @param ids returns the next id that was not used on this event loop
         */
        RawJson write(RequestWriter writer, LongSupplier ids);

        /**
         * Interprets a complete answer; called after {@link #write}. A bad answer closes the connection.
         *
         * @param body an array that begins with the body; the caller gives it up
         * @param verdict that of the head alone, which stands unless the body says more; null if the head gave none
         */
        NodeOutcome read(int status, byte[] body, int length, @Nullable Failed verdict);
    }

    private State state = State.OPEN;
    private @Nullable RpcCall call;

    private @Nullable Counting node;
    private int epoch;
    private long startNanos;
    private long answerNanos;

    /** Runs once the request has returned, or goes on without the others. */
    private @Nullable Runnable returned;

    /** Null for a request of one call. */
    private @Nullable Batch batch;

    private long id;
    private boolean anew;
    private @Nullable Object connection;
    private @Nullable Consumer<Attempt> carrier;
    private @Nullable ScheduledFuture<?> timer;
    private long deadlineNanos;

    /** Returns an attempt whose taker wants its outcome alone, on its event loop. */
    public static Attempt of(Consumer<NodeOutcome> taker) {
        return of(CallCause.OTHER, NOBODY, taker);
    }

    /** Returns such an attempt, which is made for this reason. */
    public static Attempt of(CallCause cause, Consumer<NodeOutcome> taker) {
        return of(cause, NOBODY, taker);
    }

    /** Returns such an attempt, which is made for this reason and this holder. */
    public static Attempt of(CallCause cause, Object holder, Consumer<NodeOutcome> taker) {
        return new Plain(cause, holder, taker);
    }

    /** Takes the outcome; called once, unless the attempt is given up. */
    protected abstract void deliver(NodeOutcome outcome);

    /** Takes a result that goes on while it arrives, and returns whether it does. */
    protected boolean takesStream(ResultStream result) {
        return false;
    }

    /** Returns whether the result must be collected whole, for an attempt that has not ended. */
    protected boolean needsWhole() {
        return true;
    }

    /** Returns the reason for it. */
    public CallCause cause() {
        return CallCause.OTHER;
    }

    /** Returns for whom it is made, who has a share of what all want. All attempts for nobody in particular have one holder. */
    public Object holder() {
        return NOBODY;
    }

    /** Returns the headers that tell the node of the call's trace; null if there are none. */
    public @Nullable TraceHeaders traceHeaders() {
        return null;
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

    /** Sets the batch that it sends in the place of a call. */
    public final void setBatch(Batch calls) {
        batch = calls;
    }

    /** Returns the batch that it sends; null for a request of one call. */
    public final @Nullable Batch batch() {
        return batch;
    }

    /** Encodes the request when it is sent, as {@link Batch#write}. */
    public final RawJson write(RequestWriter writer, LongSupplier ids) {
        if (batch != null) {
            return batch.write(writer, ids);
        }
        id = ids.getAsLong();
        return writer.write(id, call().method(), call().params());
    }

    /** Returns the id of a request of one call, which its answer must bear. */
    public final long id() {
        return id;
    }

    /** Sets whether it needs a connection that has carried no call before. */
    public final void setAnew(boolean fresh) {
        anew = fresh;
    }

    /** Returns whether it needs a connection that has carried no call before. */
    public final boolean anew() {
        return anew;
    }

    /** Sets what its carrier does once the caller has given it up. */
    public final void cancelledBy(Consumer<Attempt> by) {
        carrier = by;
    }

    /**
     * Gives it up. No outcome is delivered any more. Does nothing once the outcome was delivered. A call that was not sent is never
     * sent.
     */
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

    /** Returns whether its result must be collected whole. */
    public final boolean isCollected() {
        return state == State.ENDED || needsWhole();
    }

    /** Offers a result that goes on while it arrives; returns whether it was taken. */
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

    /** Attempt of a caller that wants its outcome alone. Confined to its event loop. */
    private static final class Plain extends Attempt {

        private final CallCause cause;
        private final Object holder;
        private final Consumer<NodeOutcome> taker;

        Plain(CallCause cause, Object holder, Consumer<NodeOutcome> taker) {
            this.cause = cause;
            this.holder = holder;
            this.taker = taker;
        }

        @Override
        public CallCause cause() {
            return cause;
        }

        @Override
        public Object holder() {
            return holder;
        }

        @Override
        protected void deliver(NodeOutcome outcome) {
            taker.accept(outcome);
        }
    }
}
