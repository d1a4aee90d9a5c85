package io.weir.plugin.call;

import io.weir.access.KeyRefusal;
import io.weir.access.RateGate;
import io.weir.api.Caller;
import io.weir.api.ChainClient;
import io.weir.api.MethodCall;
import io.weir.api.RpcException;
import io.weir.jsonrpc.NetworkId;
import io.weir.pipeline.CallContext;
import io.weir.plugin.bulkhead.Bulkhead;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One call as a plugin's handler sees it. Thread-safe. */
final class HandlerCall implements MethodCall {

    private final CallContext context;
    private final Object holder;
    private final JsonNode params;
    private final Caller caller;
    private final @Nullable InetAddress address;
    private final ChainClient chain;
    private final Bulkhead bulkhead;
    private final Deadline deadline;

    HandlerCall(
            CallContext context,
            Object holder,
            JsonNode params,
            PluginRuntime runtime,
            NetworkAccess networks,
            Deadline deadline) {
        this.context = context;
        this.holder = holder;
        this.params = params;
        this.deadline = deadline;
        io.weir.access.Caller who = context.caller();
        this.caller = new CallerView(who);
        this.address = context.clientAddress();
        this.bulkhead = runtime.bulkhead();
        this.chain = new PluginChainClient(runtime, networks, who, deadline::nanos);
    }

    @Override
    public String method() {
        return context.call().method();
    }

    @Override
    public JsonNode params() {
        return params;
    }

    @Override
    public String network() {
        return context.network().name();
    }

    @Override
    public Caller caller() {
        return caller;
    }

    @Override
    public Optional<InetAddress> callerAddress() {
        return Optional.ofNullable(address);
    }

    @Override
    public long deadlineNanos() {
        return deadline.nanos();
    }

    @Override
    public Duration extendDeadline(Duration fromNow) {
        Duration given = deadline.extend(fromNow);
        onLoop(() -> context.moveDeadline(deadline.nanos()));
        return given;
    }

    @Override
    public void onCallerGone(Runnable listener) {
        onLoop(() -> context.whenClientLeaves(() -> bulkhead.resume(listener)));
    }

    @Override
    public void charge(int units) {
        io.weir.access.Caller who = context.caller();
        long wait = io.weir.access.Caller.admitMore(who, 0, units);
        if (wait == 0) {
            onLoop(() -> context.costsMore(units));
            return;
        }
        boolean ofDay = wait == RateGate.NEVER || wait > TimeUnit.HOURS.toNanos(1);
        who.account().refused(ofDay ? KeyRefusal.UNITS : KeyRefusal.RATE);
        throw new RpcException(
                RpcException.LIMIT_EXCEEDED,
                "this call costs " + units
                        + " units more than others of its method (expected: no more than the rate and the"
                        + " units of this api key allow now)");
    }

    /** Runs a task on the call's event loop, unless it has shut down, and with it the connection that waited. */
    private void onLoop(Runnable task) {
        try {
            context.loop().execute(task);
        } catch (RejectedExecutionException ignored) {
            // The proxy stops.
        }
    }

    @Override
    public ChainClient chain() {
        return chain;
    }

    @Override
    public Executor executor() {
        return task -> bulkhead.continueCall(holder, task);
    }

    /** The deadline of a call, which its handler may move within bounds. Thread-safe. */
    static final class Deadline {

        private final AtomicLong nanos;
        private final long latestNanos;

        Deadline(CallContext context, long maxCallMillis) {
            nanos = new AtomicLong(context.deadlineNanos());
            latestNanos = context.startNanos() + TimeUnit.MILLISECONDS.toNanos(maxCallMillis);
        }

        long nanos() {
            return nanos.get();
        }

        /** Moves the deadline away from now, never nearer. Returns the remaining time. */
        Duration extend(Duration fromNow) {
            long now = System.nanoTime();
            long max = latestNanos - now;
            Duration wanted = fromNow.isNegative() ? Duration.ZERO : fromNow;
            long granted = wanted.compareTo(Duration.ofNanos(Math.max(max, 0))) < 0 ? wanted.toNanos() : max;
            long moved = nanos.accumulateAndGet(now + granted, (old, later) -> later - old > 0 ? later : old);
            return Duration.ofNanos(Math.max(moved - now, 0));
        }
    }

    /** A caller as plugins see it. Immutable. */
    private record CallerView(io.weir.access.Caller caller) implements Caller {
        @Override
        public String name() {
            return caller.name();
        }

        @Override
        public boolean mayUseNetwork(String network) {
            return caller.mayUse(new NetworkId(network));
        }

        @Override
        public boolean mayUseMethod(String method) {
            return caller.mayCall(method);
        }
    }
}
