package io.weir.pipeline;

import io.netty.channel.EventLoop;
import io.weir.access.Caller;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.params.CheckedParams;
import io.weir.metrics.RateLimitedLogger;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** One call on its way: what came, for whom, until when, and what became of it. Confined to its event loop. */
public final class CallContext {

    private static final RateLimitedLogger LOG = new RateLimitedLogger(LoggerFactory.getLogger(CallContext.class));
    private static final RpcReply INTERNAL = RpcReply.unavailable("internal error");

    private RpcCall call;
    private @Nullable CheckedParams checkedParams;
    private long leastHead;
    private boolean blockExists;
    private @Nullable ReplyCheck check;
    private final Caller caller;
    private final NetworkId network;
    private final EventLoop loop;
    private final long startNanos;
    private long deadlineNanos;
    private final CallTrace trace;
    private @Nullable CallGuard guard;

    public CallContext(
            RpcCall call, Caller caller, NetworkId network, EventLoop loop, long startNanos, long deadlineNanos) {
        this(call, caller, network, loop, startNanos, deadlineNanos, new CallTrace());
    }

    private CallContext(
            RpcCall call,
            Caller caller,
            NetworkId network,
            EventLoop loop,
            long startNanos,
            long deadlineNanos,
            CallTrace trace) {
        this.call = call;
        this.caller = caller;
        this.network = network;
        this.loop = loop;
        this.startNanos = startNanos;
        this.deadlineNanos = deadlineNanos;
        this.trace = trace;
    }

    /** The same, with another call to be sent for it; what becomes of that is noted in the one trace. */
    public CallContext with(RpcCall other) {
        CallContext made = new CallContext(other, caller, network, loop, startNanos, deadlineNanos, trace);
        made.guard = guard;
        return made;
    }

    /**
     * Another call that is sent because of this one, to a node that has the same block; what becomes of it is noted in a trace of
     * its own.
     */
    public CallContext aside(RpcCall other) {
        CallContext made = new CallContext(other, caller, network, loop, startNanos, deadlineNanos);
        made.needsBlock(leastHead, blockExists);
        made.guard = guard;
        return made;
    }

    /** The call: as it came, until its parameters were checked; then with those in normal form. */
    public RpcCall call() {
        return call;
    }

    /** Lets the call go on with these parameters, under its id; those that came, if they are in normal form. */
    public void checked(CheckedParams params) {
        checkedParams = params;
        RawJson given = call.params();
        if (given == null || !params.json().isSame(given)) {
            call = new RpcCall(call.id(), call.method(), params.json());
        }
    }

    /** What is known of the parameters; null before they were checked, and for methods whose parameters are left to nodes. */
    public @Nullable CheckedParams checkedParams() {
        return checkedParams;
    }

    /**
     * Says which block a node must have to answer it.
     *
     * @param number the block's number; 0 where any node will do
     * @param exists whether a node that finds nothing lacks the block, so that another one is to be asked
     */
    public void needsBlock(long number, boolean exists) {
        leastHead = number;
        blockExists = exists;
    }

    /** Has nodes' results looked at before they count. */
    public void checkedBy(ReplyCheck replies) {
        check = replies;
    }

    /** What looks at nodes' results before they count; null where nothing does. */
    public @Nullable ReplyCheck check() {
        return check;
    }

    /** The number of the block that a node must have to answer it; 0 where any node will do. */
    public long leastHead() {
        return leastHead;
    }

    /** Whether a node that finds nothing lacks the block that the call is about. */
    public boolean blockExists() {
        return blockExists;
    }

    /** Who made it. */
    public Caller caller() {
        return caller;
    }

    /** The network that it is for. */
    public NetworkId network() {
        return network;
    }

    /** The event loop that it stays on. */
    public EventLoop loop() {
        return loop;
    }

    /** When it arrived, on the clock of {@link System#nanoTime}. */
    public long startNanos() {
        return startNanos;
    }

    /** When it is given up, on the same clock. */
    public long deadlineNanos() {
        return deadlineNanos;
    }

    /** Moves the moment at which it is given up. */
    public void moveDeadline(long nanos) {
        deadlineNanos = nanos;
    }

    /** The innermost guard of its sinks; null where nobody guards it. */
    @Nullable
    CallGuard guard() {
        return guard;
    }

    void guardedBy(CallGuard innermost) {
        guard = innermost;
    }

    /** Runs a step of the call that came later, such as an answer of a node; a failure of it ends the call. On its loop. */
    public void step(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    /** Answers the call with an internal error, where it has no answer yet: a stage has failed. Called on its loop. */
    public void failed(Throwable failure) {
        LOG.warn("call: a stage failed", failure);
        for (CallGuard next = guard; next != null; next = next.outer()) {
            if (next.isDone()) {
                continue;
            }
            try {
                next.accept(INTERNAL);
                return;
            } catch (RuntimeException | Error e) {
                LOG.warn("call: a stage failed again", e);
            }
        }
    }

    /** Time left, or 0. */
    public long millisLeft(long nowNanos) {
        return Math.max(0, TimeUnit.NANOSECONDS.toMillis(deadlineNanos - nowNanos));
    }

    /** What becomes of it, for response headers and meters. */
    public CallTrace trace() {
        return trace;
    }
}
