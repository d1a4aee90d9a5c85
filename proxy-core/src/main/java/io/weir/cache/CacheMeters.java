package io.weir.cache;

import static java.util.Objects.requireNonNull;

import com.codahale.metrics.Counter;
import io.weir.method.ResultKind;
import io.weir.metrics.EnumCounters;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.verify.Verification;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Meters of one network's cache. Thread-safe. */
public final class CacheMeters {

    /** Result of looking up a call whose answer may be cached. */
    public enum LookupOutcome {
        /** Answered from memory. */
        HIT,
        /** Answered with a slice of a block, or of its receipts, in memory. */
        DERIVED,
        /** Sent to a node. */
        MISS,
        /** Sent to a node at the caller's request. */
        BYPASS
    }

    /** Result of admitting an answer. */
    public enum Keeping {
        /** Cached, with a proof. */
        PROVEN,
        /** Cached without a proof, because none exists. */
        UNPROVEN,
        /** It is null, pending, or the result of an error, or a required member is missing. */
        UNFIT,
        /** The block on which it depends is not known to be canonical. */
        UNANCHORED,
        /** It cannot be proven. */
        UNVERIFIED,
        /** It is wrong. */
        WRONG,
        /** Other nodes answer differently. */
        DISPUTED,
        /** There was no budget to verify it. */
        NO_ROOM
    }

    /** Handling of an answer that is verified before it is served, besides its verification. */
    public enum Serving {
        /** Served although nothing could prove it: state, executed calls, logs of several blocks, pending objects. */
        UNPROVEN,
        /** Another node is asked: two others name another block at its place. */
        OUTVOTED
    }

    private final EnumCounters<Serving> servings;
    private final Map<ResultKind, EnumCounters<LookupOutcome>> lookups = new EnumMap<>(ResultKind.class);
    private final EnumCounters<Keeping> keepings;
    private final EnumCounters<Verification.Kind> verifications;
    private final Map<Meter, Counter> events = new EnumMap<>(Meter.class);

    public CacheMeters(Meters meters, String network) {
        for (ResultKind kind : ResultKind.values()) {
            lookups.put(
                    kind, new EnumCounters<>(meters, Meter.CACHE_LOOKUPS, LookupOutcome.class, network, kind.label()));
        }
        keepings = new EnumCounters<>(meters, Meter.CACHE_ANSWERS, Keeping.class, network);
        // A missing proof is counted with the calls that were to fetch it.
        verifications = new EnumCounters<>(
                meters,
                Meter.VERIFICATIONS,
                Verification.Kind.class,
                kind -> kind == Verification.Kind.MISSING ? null : kind.name().toLowerCase(Locale.ROOT),
                network);
        servings = new EnumCounters<>(meters, Meter.VERIFICATIONS, Serving.class, network);
        for (Meter event : List.of(Meter.CALLS_COALESCED, Meter.REORGS, Meter.CACHE_REVOCATIONS)) {
            events.put(event, meters.counter(event, network));
        }
    }

    public void count(ResultKind kind, LookupOutcome outcome) {
        counter(kind, outcome).inc();
    }

    /** Returns the number of such calls. */
    public long lookups(ResultKind kind, LookupOutcome outcome) {
        return counter(kind, outcome).getCount();
    }

    /** Returns the number of calls of all kinds with one of these outcomes. */
    public long lookups(Set<LookupOutcome> outcomes) {
        long sum = 0;
        for (EnumCounters<LookupOutcome> counters : lookups.values()) {
            for (LookupOutcome outcome : outcomes) {
                sum += counters.of(outcome).getCount();
            }
        }
        return sum;
    }

    /** Returns the counter of such calls, for callers that count often. */
    public Counter counter(ResultKind kind, LookupOutcome outcome) {
        return requireNonNull(lookups.get(kind)).of(outcome);
    }

    public void count(Keeping keeping) {
        keepings.count(keeping);
    }

    /** Counts an answer that had to be verified before it was served. */
    public void count(Serving serving) {
        servings.count(serving);
    }

    /** Counts a verification; does nothing for a missing proof. */
    public void count(Verification.Kind kind) {
        verifications.count(kind);
    }

    /** Returns the counter of calls with another call's answer, of reorganisations, or of nodes whose unproven results were all dropped. */
    public Counter of(Meter event) {
        return requireNonNull(events.get(event));
    }
}
