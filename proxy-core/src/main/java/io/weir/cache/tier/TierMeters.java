package io.weir.cache.tier;

import static java.util.Objects.requireNonNull;

import com.codahale.metrics.Counter;
import io.weir.cache.tier.bytes.ByteTier;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** Meters of one tier. Thread-safe. */
public final class TierMeters {

    /** Outcome of a lookup. */
    public enum Lookup {
        /** The entry was valid and answered the call. */
        HIT,
        /** There was no entry. */
        MISS,
        /** The entry was rejected. */
        REFUSED,
        /** It did not answer in time. */
        LATE,
        /** It failed. */
        ERROR,
        /** It was not asked: too many lookups were in flight, or it is not ready. */
        SKIPPED
    }

    /** Outcome of storing a result. */
    public enum Store {
        /** It was stored. */
        STORED,
        /** The queue was full, or the tier was not ready. */
        DROPPED,
        /** It failed. */
        ERROR
    }

    private final Map<Lookup, Counter> lookups = new EnumMap<>(Lookup.class);
    private final Map<Store, Counter> stores = new EnumMap<>(Store.class);

    /** Registers the meters. */
    TierMeters(Meters meters, ByteTier tier) {
        for (Lookup lookup : Lookup.values()) {
            lookups.put(lookup, meters.counter(Meter.CACHE_TIER_LOOKUPS, tier.name(), label(lookup)));
        }
        for (Store store : Store.values()) {
            stores.put(store, meters.counter(Meter.CACHE_TIER_STORES, tier.name(), label(store)));
        }
        meters.gauge(Meter.CACHE_TIER_UP, () -> tier.isUp() ? 1 : 0, tier.name());
        if (tier.bytes() >= 0) {
            meters.gauge(Meter.CACHE_TIER_BYTES, tier::bytes, tier.name());
        }
    }

    private static String label(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /** Counts a lookup. */
    public void count(Lookup lookup) {
        requireNonNull(lookups.get(lookup)).inc();
    }

    /** Counts a result to be stored. */
    public void count(Store store) {
        requireNonNull(stores.get(store)).inc();
    }

    long of(Lookup lookup) {
        return requireNonNull(lookups.get(lookup)).getCount();
    }

    long of(Store store) {
        return requireNonNull(stores.get(store)).getCount();
    }
}
