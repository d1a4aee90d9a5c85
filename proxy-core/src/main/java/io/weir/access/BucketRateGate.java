package io.weir.access;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.TimeMeter;
import io.weir.config.AccessConfig.RateConfig;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A token bucket that holds a burst and refills evenly. Thread-safe. */
class BucketRateGate implements RateGate {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final RateConfig rate;
    private final Bucket bucket;

    BucketRateGate(RateConfig rate, LongSupplier clock) {
        this.rate = rate;
        this.bucket = Bucket.builder()
                .addLimit(limit -> limit.capacity(rate.burst()).refillGreedy(rate.callsPerSecond(), SECOND))
                .withCustomTimePrecision(new NanoClock(clock))
                .build();
    }

    static BucketConfiguration bucket(RateConfig rate) {
        return BucketConfiguration.builder()
                .addLimit(limit -> limit.capacity(rate.burst()).refillGreedy(rate.callsPerSecond(), SECOND))
                .build();
    }

    /** Returns the gate of a rate; null if the rate is no limit. */
    static @Nullable BucketRateGate of(RateConfig rate) {
        return of(rate, System::nanoTime);
    }

    static @Nullable BucketRateGate of(RateConfig rate, LongSupplier clock) {
        return rate.callsPerSecond() == 0 ? null : new BucketRateGate(rate, clock);
    }

    /** A clock for intervals. Thread-safe if its source is. */
    private record NanoClock(LongSupplier nanos) implements TimeMeter {

        @Override
        public long currentTimeNanos() {
            return nanos.getAsLong();
        }

        @Override
        public boolean isWallClockBased() {
            return false;
        }
    }

    RateConfig rate() {
        return rate;
    }

    /** Returns the units that can be taken now; below 0 if earlier ones are still to be paid. */
    long left() {
        return bucket.getAvailableTokens();
    }

    @Override
    public boolean weighted() {
        return rate.weighted();
    }

    @Override
    public long perSecond() {
        return rate.callsPerSecond();
    }

    @Override
    public long admit(long units) {
        if (units > rate.burst()) {
            return NEVER;
        }
        ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(units);
        return probe.isConsumed() ? 0 : probe.getNanosToWaitForRefill();
    }

    @Override
    public void giveBack(long units) {
        bucket.addTokens(units);
    }

    @Override
    public void charge(long units) {
        bucket.consumeIgnoringRateLimits(units);
    }
}
