package io.weir.upstream.latency;

import static java.util.Objects.requireNonNull;

import java.util.EnumMap;
import java.util.Map;

/** Times of the answers of all nodes of a pool, for each class of methods. Thread-safe. */
public final class AnswerTimes {

    private static final double SHARE = 0.95;

    private final Map<LatencyClass, LatencyQuantile> classes = new EnumMap<>(LatencyClass.class);

    public AnswerTimes() {
        for (LatencyClass of : LatencyClass.values()) {
            classes.put(of, new LatencyQuantile(SHARE));
        }
    }

    /** Adds the time after which a node answered. */
    public void answered(LatencyClass of, long nanos) {
        requireNonNull(classes.get(of)).add(nanos);
    }

    /** Returns the time in which 95 % of the calls are answered; {@link Long#MAX_VALUE} while there were few. */
    public long usualNanos(LatencyClass of) {
        return requireNonNull(classes.get(of)).nanos();
    }
}
