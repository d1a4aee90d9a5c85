package io.weir.cache;

import static java.util.Objects.requireNonNull;

import com.codahale.metrics.Counter;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** What one network's results in memory did. Thread-safe. */
public final class CacheMeters {

    /** What became of a call whose answer may be kept. */
    public enum Lookup {
        /** Answered from memory. */
        HIT,
        /** Sent to a node. */
        MISS,
        /** Sent to a node because the caller asked for that. */
        BYPASS
    }

    /** What became of an answer that may be kept. */
    public enum Keeping {
        /** Kept, proven. */
        PROVEN,
        /** Kept, as nothing proves it. */
        UNPROVEN,
        /** It is null, pending, an error's result, or says not what it must. */
        UNFIT,
        /** What it depends on is not known to be canonical. */
        UNANCHORED,
        /** It cannot be proven. */
        UNVERIFIED,
        /** It is wrong. */
        WRONG,
        /** There was no room to verify it. */
        NO_ROOM
    }

    private final Map<ResultKind, Map<Lookup, Counter>> lookups = new EnumMap<>(ResultKind.class);
    private final Map<Keeping, Counter> keepings = new EnumMap<>(Keeping.class);
    private final Map<AnswerProof.Outcome, Counter> verifications = new EnumMap<>(AnswerProof.Outcome.class);
    private final Counter collapsed;
    private final Counter reorgs;

    /** Registers them. */
    public CacheMeters(Meters meters, String network) {
        for (ResultKind kind : ResultKind.values()) {
            Map<Lookup, Counter> counters = new EnumMap<>(Lookup.class);
            for (Lookup lookup : Lookup.values()) {
                counters.put(lookup, meters.counter(Meter.CACHE_LOOKUPS, network, kind.label(), label(lookup)));
            }
            lookups.put(kind, counters);
        }
        for (Keeping keeping : Keeping.values()) {
            keepings.put(keeping, meters.counter(Meter.CACHE_ANSWERS, network, label(keeping)));
        }
        for (AnswerProof.Outcome outcome : AnswerProof.Outcome.values()) {
            verifications.put(outcome, meters.counter(Meter.VERIFICATIONS, network, label(outcome)));
        }
        collapsed = meters.counter(Meter.CALLS_COLLAPSED, network);
        reorgs = meters.counter(Meter.REORGS, network);
    }

    private static String label(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /** Counts a call. */
    public void count(ResultKind kind, Lookup lookup) {
        counter(kind, lookup).inc();
    }

    /** How many calls there were. */
    public long lookups(ResultKind kind, Lookup lookup) {
        return counter(kind, lookup).getCount();
    }

    private Counter counter(ResultKind kind, Lookup lookup) {
        return requireNonNull(requireNonNull(lookups.get(kind)).get(lookup));
    }

    /** Counts an answer. */
    public void count(Keeping keeping) {
        requireNonNull(keepings.get(keeping)).inc();
    }

    /** Counts a verification. */
    public void count(AnswerProof.Outcome outcome) {
        requireNonNull(verifications.get(outcome)).inc();
    }

    /** Counts a call that was answered with another one's answer. */
    public void countCollapsed() {
        collapsed.inc();
    }

    /** Counts a reorganisation. */
    public void countReorg() {
        reorgs.inc();
    }
}
