package io.weir.pipeline;

import io.netty.channel.EventLoop;
import io.weir.access.Caller;
import io.weir.cache.CallKey;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.params.CheckedParams;
import io.weir.metrics.RateLimitedLogger;
import io.weir.upstream.CallCause;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * State of one call: its parameters, and what is true for the whole call, such as caller, deadline and trace. Confined to its event loop.
 */
public final class CallContext {

    /** The clock of calls' times, in nanoseconds. */
    public static final LongSupplier CLOCK = System::nanoTime;

    private static final RateLimitedLogger LOG = new RateLimitedLogger(LoggerFactory.getLogger(CallContext.class));

    private final Caller caller;
    private final NetworkId network;
    private final EventLoop loop;
    private final CallCause cause;
    /** Null if no client waits for the answer. */
    private final @Nullable ClientPresence client;

    private final long startNanos;
    private final CallTrace trace;
    /** Set where the context is made, and with {@link #checkedParams}. Read by every stage. */
    private RpcCall call;
    /** Set by the stage that validates, and by those that replace a tag or cut the gas. Read by the stages behind them. */
    private @Nullable CheckedParams checkedParams;
    /** Set by the first of the fast path, the cache and coalescing that needs it, and read by the others. */
    private @Nullable CallKey key;
    /** Set by the cache. Taken by the call that leads equal calls, and by the tiers behind it. */
    private @Nullable MemoryLook memoryLook;
    /** Set by stages for those behind them. Read by the cache, by coalescing, by stages that cut or send calls, and by the attempts. */
    private Route route = Route.ANY;
    /** Set by {@link #holder}, or from the context of the client's call. Read where calls share bytes, streams or threads. */
    private @Nullable Object holder;
    /** Set where the context is made. Moved by a plugin's handler, by sending, and by the check of a result that streams. */
    private long deadlineNanos;
    /** Set by each guard. Read when a stage fails. */
    private @Nullable CallGuard guard;

    /** Look into memory by the call that leads equal calls. Confined to the call's event loop. */
    @FunctionalInterface
    public interface MemoryLook {

        /**
         * Answers the call from memory, perhaps later, or passes it on.
         *
         * @param sink takes the answer from memory
         * @param ask passes the call on towards a node
         */
        void look(ReplySink sink, Runnable ask);
    }

    /** Creates the context of a call for which no client waits. */
    public CallContext(
            RpcCall call, Caller caller, NetworkId network, EventLoop loop, long startNanos, long deadlineNanos) {
        this(call, caller, network, loop, startNanos, deadlineNanos, null);
    }

    /** @param client waits for the answer; null if none does */
    public CallContext(
            RpcCall call,
            Caller caller,
            NetworkId network,
            EventLoop loop,
            long startNanos,
            long deadlineNanos,
            @Nullable ClientPresence client) {
        this(
                call,
                caller,
                network,
                loop,
                startNanos,
                deadlineNanos,
                client,
                Caller.PROXY.equals(caller) ? CallCause.OTHER : CallCause.CLIENT,
                new CallTrace());
    }

    /**
     * Creates the context of a call of the proxy's own.
     *
     * @param cause the reason for the call's first attempt
     */
    public CallContext(
            RpcCall call, CallCause cause, NetworkId network, EventLoop loop, long startNanos, long deadlineNanos) {
        this(call, Caller.PROXY, network, loop, startNanos, deadlineNanos, null, cause, new CallTrace());
    }

    private CallContext(
            RpcCall call,
            Caller caller,
            NetworkId network,
            EventLoop loop,
            long startNanos,
            long deadlineNanos,
            @Nullable ClientPresence client,
            CallCause cause,
            CallTrace trace) {
        this.call = call;
        this.caller = caller;
        this.network = network;
        this.loop = loop;
        this.startNanos = startNanos;
        this.deadlineNanos = deadlineNanos;
        this.client = client;
        this.cause = cause;
        this.trace = trace;
    }

    /** Returns a context that sends another call in place of this one. Both share one trace. */
    public CallContext with(RpcCall other) {
        return with(other, caller, cause, trace);
    }

    private CallContext with(RpcCall other, Caller by, CallCause reason, CallTrace ofOther) {
        CallContext made = new CallContext(other, by, network, loop, startNanos, deadlineNanos, null, reason, ofOther);
        made.guard = guard;
        made.holder = holder();
        return made;
    }

    /**
     * Returns a context for a further call that is sent because of this one, to a node that has the same block. It has a trace of
     * its own.
     */
    public CallContext aside(RpcCall other) {
        return aside(other, cause);
    }

    /**
     * Returns the same with another reason.
     *
     * @param reason for the further call's first attempt
     */
    public CallContext aside(RpcCall other, CallCause reason) {
        return aside(other, caller, reason);
    }

    /** Returns the same for a call, and all that are sent because of it, that memory does not answer. */
    public CallContext asidePastMemory(RpcCall other) {
        return aside(other, caller.fresh(), cause);
    }

    private CallContext aside(RpcCall other, Caller by, CallCause reason) {
        CallContext made = with(other, by, reason, new CallTrace());
        made.route = route.ofOtherCall();
        made.trace.spannedBy(trace.span());
        return made;
    }

    /** Returns the call: as it came until its parameters are checked, and then with normalised parameters. */
    public RpcCall call() {
        return call;
    }

    /** Sets checked parameters. The call keeps its bytes if its parameters were in normal form. */
    public void checked(CheckedParams params) {
        checkedParams = params;
        RawJson given = call.params();
        if (given == null || !params.json().isSame(given)) {
            call = new RpcCall(call.id(), call.method(), params.json());
        }
    }

    /**
     * Returns the key of the call with these parameters. It is made, and hashed, once for all stages.
     *
     * @param space the name of the network's results
     */
    public CallKey key(String space, RawJson params) {
        CallKey known = key;
        if (known == null || !known.isOf(space, params)) {
            known = new CallKey(space, call.method(), params);
            key = known;
        }
        return known;
    }

    /** Returns the checked parameters; null before the check, and for methods whose parameters are left to nodes. */
    public @Nullable CheckedParams checkedParams() {
        return checkedParams;
    }

    /** Returns what the stages before this one found that the call needs. */
    public Route route() {
        return route;
    }

    /** Hands on a route to the stages behind this one. */
    public void setRoute(Route next) {
        route = next;
    }

    /** Sets the look into memory that precedes the call to a node. */
    public void looksBy(MemoryLook look) {
        memoryLook = look;
    }

    /** Returns the look into memory that precedes the call to a node; null if there is none. */
    public @Nullable MemoryLook memoryLook() {
        return memoryLook;
    }

    /** Registers an action that runs once if the client leaves; see {@link ClientPresence#whenClientLeaves}. */
    public void whenClientLeaves(Runnable action) {
        if (client != null) {
            client.whenClientLeaves(action);
        }
    }

    /** Returns the client's address; null if no client waits or it is unknown. */
    public @Nullable InetAddress clientAddress() {
        return client == null ? null : client.clientAddress();
    }

    /** Returns for whom the call is made; see {@link Caller#holder}. */
    public Object holder() {
        Object known = holder;
        if (known == null) {
            known = client == null ? caller.holder(null) : client.holder(caller);
            holder = known;
        }
        return known;
    }

    /** Returns whether the client's connection is closed. */
    public boolean isClientGone() {
        return client != null && client.isGone();
    }

    /** Returns the request over a session that holds the call; null if the client takes nothing but the answer. */
    public @Nullable SessionRequest session() {
        return client == null ? null : client.sessionRequest();
    }

    /** Returns whether the client can take a result now that goes on while it arrives, and no stage needs it whole. */
    public boolean takesStream() {
        return !route.whole() && client != null && client.takesStream();
    }

    public CallCause cause() {
        return cause;
    }

    public Caller caller() {
        return caller;
    }

    public NetworkId network() {
        return network;
    }

    public EventLoop loop() {
        return loop;
    }

    /** Returns when the call arrived, in nanoseconds of {@link System#nanoTime}. */
    public long startNanos() {
        return startNanos;
    }

    /** Returns when the call is given up, on the same clock. */
    public long deadlineNanos() {
        return deadlineNanos;
    }

    /** Moves the deadline. */
    public void moveDeadline(long nanos) {
        deadlineNanos = nanos;
    }

    @Nullable
    CallGuard guard() {
        return guard;
    }

    /** Sets the innermost guard. */
    void guardedBy(CallGuard innermost) {
        guard = innermost;
    }

    /** Runs a later step of the call, such as a node's answer. A failure of the step ends the call. Called on its loop. */
    public void step(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    /** Answers the call with an internal error, unless it has an answer: a stage has failed. Called on its loop. */
    public void failed(Throwable failure) {
        LOG.warn("call: a stage failed", failure);
        for (CallGuard next = guard; next != null; next = next.outer()) {
            if (next.isDone()) {
                continue;
            }
            try {
                next.accept(RpcReply.INTERNAL);
                return;
            } catch (RuntimeException | Error e) {
                LOG.warn("call: a stage failed again", e);
            }
        }
    }

    /** Returns the milliseconds until the deadline, or 0. */
    public long millisLeft(long nowNanos) {
        return Math.max(0, TimeUnit.NANOSECONDS.toMillis(deadlineNanos - nowNanos));
    }

    public CallTrace trace() {
        return trace;
    }
}
