package io.weir.cache.tier;

import static java.util.Objects.requireNonNull;

import com.codahale.metrics.Counter;
import io.weir.cache.tier.bytes.ByteTier;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** What one tier did. Thread-safe. */
public final class TierMeters {

    /** What became of a question. */
    public enum Lookup {
        /** What it gave was right, and answered the call. */
        HIT,
        /** It had nothing. */
        MISS,
        /** What it gave was not believed. */
        REFUSED,
        /** It did not answer in time. */
        LATE,
        /** It failed. */
        ERROR,
        /** It was not asked: too many questions were under way, or it is not ready. */
        SKIPPED
    }

    /** What became of a result that it was to keep. */
    public enum Store {
        /** It took it. */
        STORED,
        /** There was no room for it to wait in, or the tier was not ready. */
        DROPPED,
        /** It failed. */
        ERROR
    }

    private final Map<Lookup, Counter> lookups = new EnumMap<>(Lookup.class);
    private final Map<Store, Counter> stores = new EnumMap<>(Store.class);

    /** Registers them. */
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

    /** Counts a question. */
    public void count(Lookup lookup) {
        requireNonNull(lookups.get(lookup)).inc();
    }

    /** Counts a result that it was to keep. */
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
