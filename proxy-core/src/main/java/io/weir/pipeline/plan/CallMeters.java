package io.weir.pipeline.plan;

import static java.util.Objects.requireNonNull;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Timer;
import io.weir.config.ParamLimit;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.RpcReply.FailureKind;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The meters of one network's calls. Thread-safe. */
public final class CallMeters {

    private final Meters meters;
    private final NetworkId id;
    private final String network;
    private final Counter failovers;
    private final Counter degraded;
    private final Counter gasCuts;
    private final Map<ParamLimit, Counter> overLimit = new EnumMap<>(ParamLimit.class);

    public CallMeters(Meters meters, NetworkId network) {
        this.meters = meters;
        this.id = network;
        this.network = network.name();
        this.failovers = meters.counter(Meter.FAILOVERS, this.network);
        this.degraded = meters.counter(Meter.DEGRADED, this.network);
        this.gasCuts = meters.counter(Meter.GAS_CAPPED, this.network);
        for (ParamLimit limit : ParamLimit.values()) {
            overLimit.put(limit, meters.counter(Meter.CALLS_OVER_LIMIT, this.network, limit.setting()));
        }
    }

    /** The network whose calls are counted. */
    NetworkId network() {
        return id;
    }

    /** Calls whose gas was cut. */
    Counter gasCuts() {
        return gasCuts;
    }

    OfMethod of(String methodLabel) {
        return new OfMethod(methodLabel);
    }

    /** Counts a call whose parameters exceed a limit. */
    void countOverLimit(ParamLimit limit) {
        requireNonNull(overLimit.get(limit)).inc();
    }

    void countFailover() {
        failovers.inc();
    }

    void countDegraded() {
        degraded.inc();
    }

    /** The meters of one method; registered when its first call is answered, so that methods nobody calls show nothing. */
    public final class OfMethod {

        private final String method;
        private volatile @Nullable Registered registered;

        private OfMethod(String method) {
            this.method = method;
        }

        void count(RpcReply reply, long nanos) {
            Registered mine = registered;
            if (mine == null) {
                // Registering twice gives the same meters: no lock is needed.
                mine = register();
                registered = mine;
            }
            mine.time().update(nanos, TimeUnit.NANOSECONDS);
            if (reply instanceof RpcReply.Failure failure) {
                requireNonNull(mine.failures().get(failure.kind())).inc();
            } else {
                mine.results().inc();
            }
        }

        private Registered register() {
            Map<FailureKind, Counter> failures = new EnumMap<>(FailureKind.class);
            for (FailureKind kind : FailureKind.values()) {
                String outcome =
                        kind == FailureKind.ANSWER ? "error" : kind.name().toLowerCase(Locale.ROOT);
                failures.put(kind, meters.counter(Meter.CALLS, network, method, outcome));
            }
            return new Registered(
                    meters.timer(Meter.CALL_SECONDS, network, method),
                    meters.counter(Meter.CALLS, network, method, "result"),
                    failures);
        }
    }

    private record Registered(Timer time, Counter results, Map<FailureKind, Counter> failures) {}
}
