package io.weir.app.start;

import io.weir.cache.tier.DiskTier;
import io.weir.cache.tier.EntryCodec;
import io.weir.cache.tier.RedisTier;
import io.weir.cache.tier.Tier;
import io.weir.cache.tier.TierStack;
import io.weir.config.TierConfig;
import io.weir.metrics.Meters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The factory of the configured cache tiers behind memory. Classes that no configured tier needs are not loaded. */
final class Tiers {

    private static final int MAX_ON_DISK = 32 << 20;

    /** Results of at least this size are packed. A file saves nothing on smaller ones, and Redis answers them in one packet anyway. */
    private static final int PACKED_ON_DISK = 512;

    private static final int PACKED_IN_REDIS = 1 << 10;

    /** Largest result in Redis, unpacked: that of the memory. */
    private static final int MAX_IN_REDIS = 8 << 20;

    /** Results that may wait to be stored, and their bytes: some seconds of the busiest minute. The rest is stored when it is asked again. */
    private static final int MAX_WAITING = 10_000;

    private static final long BYTES_FOR_DISK = 32 << 20;
    private static final long BYTES_FOR_REDIS = 16 << 20;

    /** The longest time that a call waits for a tier; a node is asked then, and answers most calls in less. */
    private static final long WAIT_MILLIS = 50;

    /** The time after which a command, or an attempt to connect, has failed: far above that of any Redis in reach. */
    private static final long REDIS_TIMEOUT_MILLIS = 1_000;

    /** Lookups in flight: more would only wait longer than a call may. */
    private static final int REDIS_LOOKUPS = 256;

    private Tiers() {}

    static TierStack open(TierConfig config, Meters meters) throws StartupException {
        List<Tier> tiers = new ArrayList<>();
        if (config.disk() != null) {
            tiers.add(disk(config.disk(), meters));
        }
        if (config.redis() != null) {
            tiers.add(redis(config.redis(), meters));
        }
        return tiers.isEmpty() ? TierStack.NONE : new TierStack(tiers);
    }

    private static Tier disk(TierConfig.Disk config, Meters meters) throws StartupException {
        try {
            DiskTier disk = DiskTier.open(config.path(), config.sizeBytes());
            int largest = Math.min(MAX_ON_DISK, disk.largestEntry());
            long wait = TimeUnit.MILLISECONDS.toNanos(WAIT_MILLIS);
            Tier.Bounds bounds = new Tier.Bounds(wait, DiskTier.MAX_WAITING, MAX_WAITING, BYTES_FOR_DISK);
            return new Tier(disk, new EntryCodec(PACKED_ON_DISK, largest), bounds, meters);
        } catch (IOException e) {
            throw new StartupException(List.of(Failures.oneLine(e)));
        }
    }

    private static Tier redis(TierConfig.Redis config, Meters meters) {
        RedisTier redis = RedisTier.open(
                config.url(),
                new RedisTier.Options(
                        config.prefix(), config.ttlMillis(), WAIT_MILLIS, REDIS_TIMEOUT_MILLIS, MAX_IN_REDIS));
        long wait = TimeUnit.MILLISECONDS.toNanos(WAIT_MILLIS);
        Tier.Bounds bounds = new Tier.Bounds(wait, REDIS_LOOKUPS, MAX_WAITING, BYTES_FOR_REDIS);
        return new Tier(redis, new EntryCodec(PACKED_IN_REDIS, MAX_IN_REDIS), bounds, meters);
    }
}
