package io.weir.pipeline.plan;

import io.netty.channel.EventLoop;
import io.weir.access.Caller;
import io.weir.access.KeyRefusal;
import io.weir.access.RateGate;
import io.weir.access.UnitQuota;
import io.weir.config.MethodCosts;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RequestBody;
import io.weir.jsonrpc.RequestItem;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.RpcReply.FailureKind;
import io.weir.pipeline.AnswerSink;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.RequestAnswer;
import io.weir.pipeline.RequestRunner;
import io.weir.tracing.CallTracer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runner of request bodies by one network's method plans. Thread-safe. */
public final class PlannedRequestRunner implements RequestRunner {

    private static final long MAX_RATE_SECONDS = 3600;
    private static final long MAX_DAY_SECONDS = TimeUnit.DAYS.toSeconds(1);

    private final NetworkId network;
    private final MethodPlans plans;
    private final long callTimeoutNanos;
    private final @Nullable CallTracer tracer;

    /**
     * Makes a runner.
     *
     * @param callTimeoutMillis milliseconds within which a call is answered
     * @param tracer traces the calls; null while tracing is off
     */
    public PlannedRequestRunner(
            NetworkId network, MethodPlans plans, long callTimeoutMillis, @Nullable CallTracer tracer) {
        this.tracer = tracer;
        this.network = network;
        this.plans = plans;
        this.callTimeoutNanos = TimeUnit.MILLISECONDS.toNanos(callTimeoutMillis);
    }

    /** Returns the plans that calls follow. */
    public MethodPlans plans() {
        return plans;
    }

    @Override
    public void run(RequestBody body, Caller caller, EventLoop loop, AnswerSink sink) {
        RateGate rate = caller.rate();
        UnitQuota quota = caller.bounds().quota();
        RpcReply.Failure refusal = rate == null && quota == null ? null : refusal(body, caller, rate, quota);
        if (refusal != null) {
            boolean batch = body instanceof RequestBody.Batch;
            sink.accept(new RequestAnswer.Refused(RequestItem.waitingIds(body.items()), refusal, batch));
        } else if (body instanceof RequestItem item) {
            runSingle(item, caller, loop, sink);
        } else {
            new BatchJoin(body.items(), this, caller, loop, sink).run();
        }
    }

    private void runSingle(RequestItem item, Caller caller, EventLoop loop, AnswerSink sink) {
        if (item instanceof RequestItem.Invalid invalid) {
            sink.accept(new RequestAnswer.One(invalid.id(), RpcReply.failure(invalid.error()), null));
            return;
        }
        RpcCall call = (RpcCall) item;
        RawJson id = call.id();
        CallContext context = context(call, caller, loop, sink, deadlineNanos());
        if (id == null) {
            notify(context);
            sink.accept(new RequestAnswer.Nothing());
            return;
        }
        MethodPlan plan = plans.plan(call.method());
        RpcReply cached = plan.tryCached(context);
        if (cached == null) {
            if (plan.streams()) {
                context.mayStream();
            }
            plan.run(context, reply -> sink.accept(new RequestAnswer.One(id, reply, context)));
        } else {
            sink.accept(new RequestAnswer.One(id, cached, context));
        }
    }

    /** Returns the time by which a request that begins now is answered. */
    long deadlineNanos() {
        return System.nanoTime() + callTimeoutNanos;
    }

    /** Begins a call. */
    CallContext context(RpcCall call, Caller caller, EventLoop loop, AnswerSink sink, long deadlineNanos) {
        CallContext context = new CallContext(call, caller, network, loop, System.nanoTime(), deadlineNanos);
        context.cameFrom(sink);
        if (tracer != null) {
            String method = plans.plan(call.method()).label();
            context.trace().spannedBy(tracer.begin(method, network.name(), caller.name(), sink.traceHeaders()));
        }
        return context;
    }

    /** Returns the plan that a call follows. */
    MethodPlan plan(RpcCall call) {
        return plans.plan(call.method());
    }

    /** Runs a notification if its method makes sense without an answer; drops the reply. */
    void notify(CallContext context) {
        MethodPlan plan = plans.plan(context.call().method());
        if (plan.facts().notifiable()) {
            plan.run(context, reply -> {});
        }
    }

    /** Takes a body's calls out of a rate and a quota. Returns the failure if one of them does not admit them; else null. */
    private RpcReply.@Nullable Failure refusal(
            RequestBody body, Caller caller, @Nullable RateGate rate, @Nullable UnitQuota quota) {
        long rated = rate == null ? 0 : rate.weighted() ? units(body, caller) : body.count();
        if (rate != null && rated > 0) {
            long wait = rate.admit(rated);
            if (wait > 0) {
                caller.account().refused(KeyRefusal.RATE);
                return refusal(rate, rated, wait);
            }
        }
        if (quota != null) {
            long units = units(body, caller);
            long wait = units == 0 ? 0 : quota.admit(units);
            if (wait > 0) {
                if (rate != null) {
                    rate.giveBack(rated);
                }
                caller.account().refused(KeyRefusal.UNITS);
                return refusal(quota, units, wait);
            }
        }
        return null;
    }

    private long units(RequestBody body, Caller caller) {
        MethodCosts costs = caller.bounds().costs();
        long units = 0;
        for (RequestItem item : body.items()) {
            units += item instanceof RpcCall call
                    ? costs.of(call.method(), plans.plan(call.method()).facts().cost())
                    : 1;
        }
        return units;
    }

    private static RpcReply.Failure refusal(RateGate rate, long units, long waitNanos) {
        if (waitNanos == RateGate.NEVER) {
            return tooMany(units + (rate.weighted() ? " units" : " calls")
                    + " (expected: no more than this api key's rate ever allows at once)");
        }
        RawJson data = RawJson.of("{\"callsPerSecond\":" + rate.perSecond() + "}");
        return exceeded(ErrorCode.LIMIT_EXCEEDED.error().withData(data), waitNanos, MAX_RATE_SECONDS);
    }

    private static RpcReply.Failure refusal(UnitQuota quota, long units, long waitNanos) {
        if (waitNanos == RateGate.NEVER) {
            return tooMany(units + " units (expected: no more than the " + quota.perDay() + " of this api key's day)");
        }
        RawJson data = RawJson.of("{\"unitsPerDay\":" + quota.perDay() + "}");
        RpcError error = ErrorCode.LIMIT_EXCEEDED.error("this api key has used its units of today");
        return exceeded(error.withData(data), waitNanos, MAX_DAY_SECONDS);
    }

    private static RpcReply.Failure tooMany(String message) {
        return RpcReply.failure(ErrorCode.INVALID_REQUEST.error(message));
    }

    private static RpcReply.Failure exceeded(RpcError error, long waitNanos, long maxSeconds) {
        int seconds = (int) Math.min(maxSeconds, TimeUnit.NANOSECONDS.toSeconds(waitNanos) + 1);
        return new RpcReply.Failure(error, FailureKind.RATE_LIMITED, seconds);
    }
}
