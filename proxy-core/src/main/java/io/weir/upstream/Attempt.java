package io.weir.upstream;

import io.netty.util.concurrent.ScheduledFuture;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RequestWriter;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.metrics.RateLimitedLogger;
import io.weir.tracing.CallSpan.AttemptSpan;
import io.weir.tracing.TraceHeaders;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Failed;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * One call to one node, or one batch of calls, from its caller to the socket and back. The node counts it, the batch window waits for
 * it, and a connection carries it; they add themselves to the one object, and hear of its end, which comes once. Confined to its event loop.
 */
public final class Attempt {

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

    /** The maker of attempts, who takes what comes of them. Confined to the attempts' event loop. A streamed result went on while it arrived. */
    @FunctionalInterface
    public interface Taker {

        /** Takes the outcome; called once, unless the attempt is given up. */
        void ended(Attempt attempt, NodeOutcome outcome, boolean isStreamed);

        /** Takes a result that goes on while it arrives, and returns whether it does. */
        default boolean takesStream(Attempt attempt, ResultStream result) {
            return false;
        }

        /** Returns whether results must be collected whole. */
        default boolean needsWhole() {
            return true;
        }
    }

    /** The node that counts attempts until they end. Thread-safe. */
    public interface Counting {

        /** The time by the node's clock. */
        long nanoTime();

        /** Notes that the result goes on while it arrives. */
        void streams();

        /** Notes the end, and returns the outcome as judged. */
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

    private final Taker taker;
    private final CallCause cause;
    private final Object holder;
    private final @Nullable Upstream upstream;
    private final long begunNanos;
    private final @Nullable Attempt before;
    private final @Nullable AttemptSpan span;

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
        return of(cause, holder, (attempt, outcome, isStreamed) -> taker.accept(outcome));
    }

    /** Returns such an attempt, whose result may also go on while it arrives. */
    public static Attempt of(CallCause cause, Object holder, Taker taker) {
        return new Attempt(taker, cause, holder, null, 0, null, null);
    }

    /**
     * Begins an attempt that its maker makes at a node that was chosen, perhaps beside others.
     *
     * @param cause the reason for it
     * @param holder for whom it is made
     * @param upstream the node; null if its maker need not know it
     * @param begunNanos when its maker began it
     * @param before the attempt that its maker began before it; null for the first one
     * @param span traces it; null while tracing is off
     */
    public Attempt(
            Taker taker,
            CallCause cause,
            Object holder,
            @Nullable Upstream upstream,
            long begunNanos,
            @Nullable Attempt before,
            @Nullable AttemptSpan span) {
        this.taker = taker;
        this.cause = cause;
        this.holder = holder;
        this.upstream = upstream;
        this.begunNanos = begunNanos;
        this.before = before;
        this.span = span;
    }

    public CallCause cause() {
        return cause;
    }

    /** Returns for whom it is made, who has a share of what all want. All attempts for nobody in particular have one holder. */
    public Object holder() {
        return holder;
    }

    /** Returns the node that its maker chose; to be asked by a maker who chose one. */
    public Upstream upstream() {
        return Objects.requireNonNull(upstream, "upstream");
    }

    public long begunNanos() {
        return begunNanos;
    }

    /** Returns the headers that tell the node of the call's trace; null if there are none. */
    public @Nullable TraceHeaders traceHeaders() {
        return span == null ? null : span.headers();
    }

    /**
     * Lets a node count it.
     *
     * @param epoch of the node's health
     */
    public void countedBy(Counting by, RpcCall asked, int epoch, long startNanos) {
        node = by;
        call = asked;
        this.epoch = epoch;
        this.startNanos = startNanos;
    }

    /** Returns the epoch of the node's health when it began. */
    public int epoch() {
        return epoch;
    }

    /** Returns the time until its answer, or until the beginning of one that goes on while it arrives. */
    public long answerNanos() {
        return answerNanos;
    }

    /** Sets a task that runs once, when the request has returned or other requests need not wait for its end. */
    public void onReturn(Runnable task) {
        returned = task;
    }

    /** Sets the call, for a connection that writes it itself. */
    public void setCall(RpcCall asked) {
        call = asked;
    }

    /** Returns the call; to be asked once it was set. */
    public RpcCall call() {
        return Objects.requireNonNull(call, "call");
    }

    /** Sets the batch that it sends in the place of a call. */
    public void setBatch(Batch calls) {
        batch = calls;
    }

    /** Returns the batch that it sends; null for a request of one call. */
    public @Nullable Batch batch() {
        return batch;
    }

    /** Encodes the request when it is sent, as {@link Batch#write}. */
    public RawJson write(RequestWriter writer, LongSupplier ids) {
        if (batch != null) {
            return batch.write(writer, ids);
        }
        id = ids.getAsLong();
        return writer.write(id, call().method(), call().params());
    }

    /** Returns the id of a request of one call, which its answer must bear. */
    public long id() {
        return id;
    }

    /** Sets whether it needs a connection that has carried no call before. */
    public void setAnew(boolean fresh) {
        anew = fresh;
    }

    public boolean anew() {
        return anew;
    }

    /** Sets what its carrier does once the caller has given it up. */
    public void cancelledBy(Consumer<Attempt> by) {
        carrier = by;
    }

    /** Gives it up. No outcome is delivered any more. Does nothing once the outcome was delivered. A call that was not sent is never sent. */
    public void cancel() {
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

    /** Gives up this attempt and those that were begun before it, apart from those that have ended or whose result goes on. */
    public void cancelAll() {
        for (Attempt next = this; next != null; next = next.before) {
            if (next.state == State.OPEN) {
                next.cancel();
                if (next.span != null) {
                    next.span.end("cancelled", 0);
                }
            }
        }
    }

    private void runReturned() {
        Runnable task = returned;
        returned = null;
        if (task != null) {
            task.run();
        }
    }

    public void cancelTimer() {
        if (timer != null) {
            timer.cancel(false);
        }
    }

    /** Sets the time by which its carrier ends it, where the carrier has one timer for many attempts. */
    public void endsBy(long nanos) {
        deadlineNanos = nanos;
    }

    public long deadlineNanos() {
        return deadlineNanos;
    }

    /** Returns whether a time bounds it. */
    public boolean isBounded() {
        return state == State.OPEN;
    }

    /** Sets a timer that is cancelled when the attempt ends. */
    public void endsWith(ScheduledFuture<?> deadline) {
        timer = deadline;
    }

    /** Returns the connection or the batch that carries it, or null while it waits for one. */
    public @Nullable Object connection() {
        return connection;
    }

    /** Notes which connection or batch carries it. */
    public void sentOver(Object by) {
        connection = by;
    }

    /** Returns whether the outcome was delivered or the attempt was given up. */
    public boolean ended() {
        return state == State.ENDED;
    }

    /** Returns whether its result must be collected whole. */
    public boolean isCollected() {
        return state == State.ENDED || taker.needsWhole();
    }

    /** Offers a result that goes on while it arrives; returns whether it was taken. */
    public boolean stream(ResultStream result) {
        if (state != State.OPEN) {
            return false;
        }
        // The client's own speed must not count as the node's time.
        answerNanos = node == null ? 0 : node.nanoTime() - startNanos;
        state = State.ANSWERING;
        boolean isTaken = false;
        try {
            isTaken = taker.takesStream(this, result);
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
    public void end(NodeOutcome outcome) {
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
            NodeOutcome judged = node == null ? outcome : node.ended(this, outcome, isStreamed);
            if (span != null) {
                end(span, judged);
            }
            taker.ended(this, judged, isStreamed);
        } catch (RuntimeException e) {
            // Must not close a connection that may serve another call by now.
            LOG.warn("an outcome could not be taken", e);
        }
    }

    private static void end(AttemptSpan span, NodeOutcome outcome) {
        if (outcome instanceof Failed failed) {
            span.end(failed.fault().label(), 0);
        } else if (outcome instanceof Answered answered) {
            span.end(
                    null,
                    answered.reply() instanceof RpcReply.Failure error
                            ? error.error().code()
                            : 0);
        }
    }
}
