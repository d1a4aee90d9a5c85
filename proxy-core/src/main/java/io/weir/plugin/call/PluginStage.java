package io.weir.plugin.call;

import io.weir.access.KeyRefusal;
import io.weir.access.RateGate;
import io.weir.api.Caller;
import io.weir.api.ChainClient;
import io.weir.api.MethodCall;
import io.weir.api.MethodHandler;
import io.weir.api.RpcException;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The stage that calls a plugin's handler. A failure of the handler affects only its own call. Thread-safe.
 *
 * @param maxCallMillis time limit for a call from its arrival, with all extensions
 */
public record PluginStage(PluginRuntime runtime, NetworkAccess networks, MethodHandler handler, long maxCallMillis)
        implements Stage {

    @Override
    public void handle(CallContext context, ReplySink sink) {
        Deadline deadline = new Deadline(context, maxCallMillis);
        HandlerWork work = new HandlerWork(this, context, context.holder(), deadline);
        new GuardedCall<>(runtime, context.loop(), work, deadline::nanos, ending -> {
                    runtime.count(ending);
                    context.step(() -> sink.accept(reply(ending)));
                })
                .begin();
    }

    /**
     * Returns the reply to a call that ended.
     *
     * <p>A handler's own error is sent unchanged. A bug or a missed deadline is -32603, the JSON-RPC code for it. No
     * other code would be correct, because the proxy cannot know whether it would recur. The HTTP status is 200
     * nevertheless, as for any answer of the method. With a 503, retrying clients and balancers would send again a call
     * that a plugin may have executed. Only if none of the plugin's code ran, the status is 503.
     */
    private RpcReply reply(Ending<RawJson> ending) {
        String plugin = "plugin " + runtime.pluginId() + ": ";
        if (ending instanceof Ending.Value<RawJson> value) {
            return new RpcReply.Result(value.value());
        }
        if (ending instanceof Ending.ErrorReply<RawJson> error) {
            return RpcReply.failure(error.error());
        }
        if (ending instanceof Ending.Broken) {
            return RpcReply.failure(ErrorCode.INTERNAL_ERROR.error(plugin + "internal error"));
        }
        if (ending instanceof Ending.Late<RawJson> late && late.begun()) {
            return RpcReply.failure(ErrorCode.INTERNAL_ERROR.error(plugin + "no answer in time"));
        }
        return RpcReply.unavailable(plugin + "too many calls under way");
    }

    /** One call into the handler. Immutable. */
    private record HandlerWork(PluginStage stage, CallContext context, Object caller, Deadline deadline)
            implements GuardedCall.Work<JsonNode, RawJson> {
        @Override
        public String name() {
            return context.call().method();
        }

        @Override
        public @Nullable CompletionStage<JsonNode> enter() {
            PluginRuntime runtime = stage.runtime;
            JsonNode params = runtime.trees().params(context.call().params());
            io.weir.access.Caller who = context.caller();
            ChainClient chain = new PluginChainClient(runtime, stage.networks, who, deadline::nanos);
            return stage.handler.handle(new HandlerCall(
                    context,
                    caller,
                    params,
                    new CallerView(who),
                    context.clientAddress(),
                    chain,
                    runtime.bulkhead(),
                    deadline));
        }

        @Override
        public RawJson convert(@Nullable JsonNode value) {
            return stage.runtime.trees().text(value);
        }
    }

    /**
     * One call as a plugin's handler sees it. Thread-safe.
     *
     * @param holder who takes turns with others
     */
    private record HandlerCall(
            CallContext context,
            Object holder,
            JsonNode params,
            Caller caller,
            @Nullable InetAddress address,
            ChainClient chain,
            Bulkhead bulkhead,
            Deadline deadline)
            implements MethodCall {

        @Override
        public String method() {
            return context.call().method();
        }

        @Override
        public String network() {
            return context.network().name();
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
            long wait = who.admitMore(0, units);
            if (wait == 0) {
                onLoop(() -> context.trace().costsMore(units));
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
        public Executor executor() {
            return task -> bulkhead.continueCall(holder, task);
        }
    }

    /** The deadline of a call, which its handler may move within bounds. Thread-safe. */
    private static final class Deadline {

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
