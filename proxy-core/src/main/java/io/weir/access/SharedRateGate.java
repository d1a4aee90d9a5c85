package io.weir.access;

import io.github.bucket4j.BucketConfiguration;
import io.weir.config.AccessConfig.RateConfig;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A rate that several proxies share. Calls are admitted by a bucket of this process, which mirrors the shared one: it is lowered by
 * what the others took. What it admitted is to be told to the shared bucket. No call waits for that. Thread-safe.
 */
public final class SharedRateGate implements RateGate {

    private final String name;
    private final BucketRateGate bucket;
    private final AtomicLong untold = new AtomicLong();
    private final AtomicBoolean telling = new AtomicBoolean();
    private volatile boolean left;

    /** @param key the name of the API key */
    SharedRateGate(String key, BucketRateGate bucket) {
        RateConfig rate = bucket.rate();
        // A changed rate is another bucket, because proxies read a changed configuration at different times.
        this.name = key + ':' + rate.callsPerSecond() + ':' + rate.burst() + (rate.weighted() ? ":w" : "");
        this.bucket = bucket;
    }

    public String name() {
        return name;
    }

    public BucketConfiguration shared() {
        return BucketRateGate.bucket(bucket.rate());
    }

    @Override
    public boolean weighted() {
        return bucket.weighted();
    }

    @Override
    public long perSecond() {
        return bucket.perSecond();
    }

    @Override
    public long admit(long units) {
        long wait = bucket.admit(units);
        if (wait == 0) {
            untold.addAndGet(units);
        }
        return wait;
    }

    @Override
    public void giveBack(long units) {
        bucket.giveBack(units);
        untold.addAndGet(-units);
    }

    @Override
    public void charge(long units) {
        bucket.charge(units);
        untold.addAndGet(units);
    }

    /**
     * Begins to tell what was admitted. Returns the units; 0 if there are none, or if others are being told. Units that were told and then
     * given back are deducted from later ones.
     */
    public long tell() {
        if (untold.get() <= 0 || !telling.compareAndSet(false, true)) {
            return 0;
        }
        long units = untold.getAndUpdate(found -> Math.min(0, found));
        if (units <= 0) {
            telling.set(false);
        }
        return Math.max(0, units);
    }

    /**
     * Ends to tell.
     *
     * @param rest the units left in the shared bucket after it
     */
    public void told(long rest) {
        // In this order: a call in between is taken into account twice rather than not at all.
        long others = bucket.left() - (rest - untold.get());
        if (others > 0) {
            bucket.charge(others);
        }
        telling.set(false);
    }

    /** Ends to tell in vain. The units are told again. */
    public void notTold(long units) {
        untold.addAndGet(units);
        telling.set(false);
    }

    /** Notes that the shared bucket cannot be reached: until then this one admits the whole rate. */
    public void leave() {
        left = true;
    }

    /** Notes that the shared bucket can be reached. What this one has been refilled with meanwhile need not be told. */
    public void join() {
        if (!left) {
            return;
        }
        left = false;
        long missing = Math.max(0, bucket.rate().burst() - bucket.left());
        untold.accumulateAndGet(missing, Math::min);
    }
}
