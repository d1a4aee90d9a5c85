package io.weir.cache.tier;

import io.weir.metrics.EnumCounters;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;

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

    private final EnumCounters<Lookup> lookups;
    private final EnumCounters<Store> stores;

    /** Registers the meters. */
    TierMeters(Meters meters, ByteTier tier) {
        lookups = new EnumCounters<>(meters, Meter.CACHE_TIER_LOOKUPS, Lookup.class, tier.name());
        stores = new EnumCounters<>(meters, Meter.CACHE_TIER_STORES, Store.class, tier.name());
        meters.gauge(Meter.CACHE_TIER_UP, () -> tier.isUp() ? 1 : 0, tier.name());
        if (tier.bytes() >= 0) {
            meters.gauge(Meter.CACHE_TIER_BYTES, tier::bytes, tier.name());
        }
    }

    /** Counts a lookup. */
    public void count(Lookup lookup) {
        lookups.count(lookup);
    }

    /** Counts a result to be stored. */
    public void count(Store store) {
        stores.count(store);
    }

    long of(Lookup lookup) {
        return lookups.of(lookup).getCount();
    }

    long of(Store store) {
        return stores.of(store).getCount();
    }
}
