package io.weir.pipeline.plan;

import static java.util.Objects.requireNonNull;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Timer;
import io.weir.access.KeyAccount;
import io.weir.access.MethodUsage;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.RpcReply.FailureKind;
import io.weir.method.params.kind.ParamLimit;
import io.weir.metrics.EnumCounters;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.CallTrace.LogGrade;
import io.weir.upstream.ResultStream;
import io.weir.upstream.WatchedStream;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Meters of one network's calls. Thread-safe. */
public final class CallMeters {

    private static final List<Meter> EVENTS = List.of(
            Meter.FAILOVERS,
            Meter.RETRIES_REFUSED,
            Meter.NODE_WAITS,
            Meter.NODE_WAITS_REFUSED,
            Meter.HEDGES,
            Meter.HEDGES_WON,
            Meter.DEGRADED,
            Meter.GAS_CAPPED,
            Meter.STREAMED_BYTES);

    private final Meters meters;
    private final NetworkId id;
    private final String network;
    private final Map<Meter, Counter> events = new EnumMap<>(Meter.class);
    private final EnumCounters<ParamLimit> overLimit;
    private final EnumCounters<LogGrade> logs;

    public CallMeters(Meters meters, NetworkId network) {
        this.meters = meters;
        this.id = network;
        this.network = network.name();
        EVENTS.forEach(event -> events.put(event, meters.counter(event, this.network)));
        this.overLimit =
                new EnumCounters<>(meters, Meter.CALLS_OVER_LIMIT, ParamLimit.class, ParamLimit::label, this.network);
        this.logs = new EnumCounters<>(meters, Meter.LOG_LISTS, LogGrade.class, this.network);
    }

    NetworkId network() {
        return id;
    }

    /** Returns the counter of what happens to calls on their way. */
    Counter of(Meter event) {
        return requireNonNull(events.get(event));
    }

    /** Returns the meters of one method, whose calls have this cost. */
    OfMethod of(String methodLabel, int cost) {
        return new OfMethod(methodLabel, cost);
    }

    /** Counts a call whose parameters exceed a limit. */
    void countOverLimit(ParamLimit limit) {
        overLimit.count(limit);
    }

    /** Meters of one method. They are registered with its first reply, so that methods without calls show nothing. */
    public final class OfMethod {

        private final String method;
        private final int cost;
        private final MethodUsage usage;
        private final Map<FailureKind, Counter> failures = new EnumMap<>(FailureKind.class);
        private @Nullable Counter results;
        /** Written last: a thread that reads it sees the others. */
        private volatile @Nullable Timer time;

        private OfMethod(String method, int cost) {
            this.method = method;
            this.cost = cost;
            this.usage = new MethodUsage(meters, network, method);
        }

        String label() {
            return method;
        }

        /** Counts a reply. Returns it, or the same one in its place whose bytes are counted as they pass. */
        RpcReply count(CallContext context, RpcReply reply, long nanos) {
            Timer timer = time;
            if (timer == null) {
                timer = register();
            }
            timer.update(nanos, TimeUnit.NANOSECONDS);
            if (reply instanceof RpcReply.Failure failure) {
                requireNonNull(failures.get(failure.kind())).inc();
            } else {
                requireNonNull(results).inc();
            }
            KeyAccount account = context.caller().account();
            long units = context.caller().bounds().costs().of(context.call().method(), cost);
            usage.count(
                    account,
                    units + context.trace().moreUnits(),
                    reply instanceof RpcReply.Result result ? result.value().length() : 0);
            return reply instanceof ResultStream stream ? counted(stream, account) : reply;
        }

        /** Counts a list of logs. */
        void countLogs(LogGrade grade) {
            logs.count(grade);
        }

        private ResultStream counted(ResultStream stream, KeyAccount account) {
            return new WatchedStream(stream) {
                @Override
                protected void count(int bytes) {
                    usage.countBytes(account, bytes);
                    of(Meter.STREAMED_BYTES).inc(bytes);
                }
            };
        }

        private synchronized Timer register() {
            Timer registered = time;
            if (registered != null) {
                return registered;
            }
            for (FailureKind kind : FailureKind.values()) {
                String outcome =
                        kind == FailureKind.ANSWER ? "error" : kind.name().toLowerCase(Locale.ROOT);
                failures.put(kind, meters.counter(Meter.CALLS, network, method, outcome));
            }
            results = meters.counter(Meter.CALLS, network, method, "result");
            registered = meters.timer(Meter.CALL_SECONDS, network, method);
            time = registered;
            return registered;
        }
    }
}
