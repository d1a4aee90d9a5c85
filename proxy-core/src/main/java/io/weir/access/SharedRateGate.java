package io.weir.access;

import io.github.bucket4j.BucketConfiguration;
import io.weir.config.AccessConfig.RateConfig;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A rate that several proxies share. Calls are admitted by a bucket of this process, which mirrors the shared one: it is lowered by
 * what the others took. What it admitted is to be told to the shared bucket. No call waits for that. Thread-safe.
 */
public final class SharedRateGate extends BucketRateGate {

    private final String name;
    private final AtomicLong untold = new AtomicLong();
    private final AtomicBoolean telling = new AtomicBoolean();
    private volatile boolean away;

    /** @param key the name of the API key */
    SharedRateGate(String key, RateConfig rate, LongSupplier clock) {
        super(rate, clock);
        // A changed rate is another bucket, because proxies read a changed configuration at different times.
        this.name = key + ':' + rate.callsPerSecond() + ':' + rate.burst() + (rate.weighted() ? ":w" : "");
    }

    public String name() {
        return name;
    }

    public BucketConfiguration shared() {
        return bucket(rate());
    }

    @Override
    public long admit(long units) {
        long wait = super.admit(units);
        if (wait == 0) {
            untold.addAndGet(units);
        }
        return wait;
    }

    @Override
    public void giveBack(long units) {
        super.giveBack(units);
        untold.addAndGet(-units);
    }

    @Override
    public void charge(long units) {
        super.charge(units);
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
        long others = left() - (rest - untold.get());
        if (others > 0) {
            super.charge(others);
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
        away = true;
    }

    /** Notes that the shared bucket can be reached. What this one has been refilled with meanwhile need not be told. */
    public void join() {
        if (!away) {
            return;
        }
        away = false;
        long missing = Math.max(0, rate().burst() - left());
        untold.accumulateAndGet(missing, Math::min);
    }
}
