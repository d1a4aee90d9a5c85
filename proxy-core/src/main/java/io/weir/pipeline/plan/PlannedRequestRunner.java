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
import io.weir.metrics.RateLimitedLogger;
import io.weir.pipeline.AnswerSink;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.RequestAnswer;
import io.weir.pipeline.RequestRunner;
import io.weir.pipeline.Route;
import io.weir.tracing.CallTracer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Runner of request bodies by one network's method plans. Thread-safe.
 *
 * @param plans that calls follow
 * @param callTimeoutMillis milliseconds within which a call is answered
 * @param tracer traces the calls; null while tracing is off
 */
public record PlannedRequestRunner(
        NetworkId network,
        MethodPlans plans,
        long callTimeoutMillis,
        @Nullable CallTracer tracer) implements RequestRunner {

    private static final long MAX_RATE_SECONDS = 3600;
    private static final long MAX_DAY_SECONDS = TimeUnit.DAYS.toSeconds(1);

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
        RpcReply atOnce = plan.answerAtOnce(context);
        if (atOnce == null) {
            if (plan.streams()) {
                context.setRoute(Route.STREAMING);
            }
            plan.run(context, reply -> sink.accept(new RequestAnswer.One(id, reply, context)));
        } else {
            sink.accept(new RequestAnswer.One(id, atOnce, context));
        }
    }

    /** Returns the time by which a request that begins now is answered. */
    long deadlineNanos() {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(callTimeoutMillis);
    }

    /** Begins a call. */
    CallContext context(RpcCall call, Caller caller, EventLoop loop, AnswerSink sink, long deadlineNanos) {
        CallContext context = new CallContext(call, caller, network, loop, System.nanoTime(), deadlineNanos, sink);
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
        if (plan.facts().notifiable() && plan.answerAtOnce(context) == null) {
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

    /**
     * Calls of one batch, whose replies it joins in the order of the calls. It bounds how many of its calls run at once, so that one
     * batch does not fill the queues that all clients share, and how many bytes its results take together.
     *
     * <p>A result that does not fit any more becomes an error, as with geth. From then on no further call begins: the rest gets the same
     * error. So many calls run at once that their results fit if they are like those before. All calls have one deadline, and none begins
     * after it. Confined to the batch's event loop.
     */
    static final class BatchJoin {

        /** Bytes of all results of a batch: geth's default for {@code --rpc.batch-response-max-size}. */
        static final int MAX_BYTES = 25_000_000;

        private static final RateLimitedLogger LOG = new RateLimitedLogger(LoggerFactory.getLogger(BatchJoin.class));
        private static final RpcReply LATE =
                RpcReply.unavailable("the time of the batch is over: send smaller batches");
        private static final RpcReply TOO_LARGE = RpcReply.failure(ErrorCode.RESPONSE_TOO_LARGE.error());
        private static final int MAX_UNDER_WAY = 64;

        /** Replies without a node after which the batch yields the event loop. */
        private static final int ANSWERS_AT_A_TIME = 32;

        private final List<RequestItem> items;
        private final PlannedRequestRunner runner;
        private final Caller caller;
        private final EventLoop loop;
        private final AnswerSink sink;
        private final long deadlineNanos;
        private final List<RawJson> ids;
        private final @Nullable RpcReply[] replies;
        private int missing;
        private int next;
        private int nextPlace;
        private int underWay;
        private boolean beginning;
        private long bytes;
        /** Whether a result did not fit. */
        private boolean full;

        BatchJoin(
                List<RequestItem> items, PlannedRequestRunner runner, Caller caller, EventLoop loop, AnswerSink sink) {
            this.items = items;
            this.runner = runner;
            this.caller = caller;
            this.loop = loop;
            this.sink = sink;
            this.deadlineNanos = runner.deadlineNanos();
            this.ids = RequestItem.waitingIds(items);
            this.replies = new RpcReply[ids.size()];
            this.missing = replies.length;
        }

        void run() {
            begin();
            if (replies.length == 0) {
                sink.accept(new RequestAnswer.Nothing());
            }
        }

        /** Begins calls while there is room. A call that is answered at once returns here, and the running loop goes on. */
        private void begin() {
            if (beginning) {
                return;
            }
            beginning = true;
            try {
                int first = missing;
                while (next < items.size() && mayBegin()) {
                    if (first - missing >= ANSWERS_AT_A_TIME) {
                        loop.execute(this::begin);
                        break;
                    }
                    RequestItem item = items.get(next++);
                    beginGuarded(item, isSilent(item) ? -1 : nextPlace++);
                }
            } finally {
                beginning = false;
            }
        }

        private boolean mayBegin() {
            if (underWay == 0 || full || sink.isGone() || isLate()) {
                return true;
            }
            int answered = replies.length - missing;
            long mean = answered == 0 ? 0 : bytes / answered;
            return underWay < MAX_UNDER_WAY && bytes + (underWay + 1) * mean <= MAX_BYTES;
        }

        private boolean isLate() {
            return System.nanoTime() - deadlineNanos >= 0;
        }

        private static boolean isSilent(RequestItem item) {
            return item instanceof RpcCall call && call.isNotification();
        }

        /** @param place -1 if the item needs no reply */
        private void beginGuarded(RequestItem item, int place) {
            try {
                if (item instanceof RequestItem.Invalid invalid) {
                    put(place, RpcReply.failure(invalid.error()));
                } else if (full || sink.isGone()) {
                    leaveOut(place, TOO_LARGE);
                } else if (isLate()) {
                    leaveOut(place, LATE);
                } else {
                    beginCall((RpcCall) item, place);
                }
            } catch (RuntimeException | Error e) {
                if (missing == 0) {
                    // The answer of the whole batch failed.
                    throw e;
                }
                LOG.warn("batch: a call failed", e);
                if (place >= 0 && replies[place] == null) {
                    put(place, RpcReply.INTERNAL);
                }
            }
        }

        /** Answers a call that does not begin. Nobody reads the answer if the client is gone. */
        private void leaveOut(int place, RpcReply reply) {
            if (place >= 0) {
                put(place, reply);
            }
        }

        private void beginCall(RpcCall call, int place) {
            CallContext context = runner.context(call, caller, loop, sink, deadlineNanos);
            if (call.isNotification()) {
                runner.notify(context);
                return;
            }
            MethodPlan plan = runner.plan(call);
            RpcReply atOnce = plan.answerAtOnce(context);
            if (atOnce != null) {
                put(place, atOnce);
                return;
            }
            underWay++;
            plan.run(context, reply -> {
                underWay--;
                put(place, reply);
                begin();
            });
        }

        private void put(int place, RpcReply reply) {
            missing--;
            replies[place] = RpcReply.INTERNAL;
            try {
                replies[place] = sink.keep(fit(reply));
            } catch (RuntimeException | Error e) {
                // The other calls of the batch go on, and the batch is answered.
                LOG.warn("batch: a reply was not counted", e);
            }
            if (missing == 0) {
                sink.accept(new RequestAnswer.Many(ids, Arrays.asList(replies)));
            }
        }

        private RpcReply fit(RpcReply reply) {
            int size = reply instanceof RpcReply.Result result ? result.value().length() : 0;
            if (bytes + size > MAX_BYTES) {
                full = true;
                return TOO_LARGE;
            }
            bytes += size;
            return reply;
        }
    }
}
