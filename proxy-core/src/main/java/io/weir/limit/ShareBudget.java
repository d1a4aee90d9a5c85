package io.weir.limit;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Budget of extra calls as a share of calls: each call adds a share of an extra one. What is not used is kept up to a maximum. A
 * number per minute is always added, up to a reserve, so that few calls can have extra ones too. Thread-safe.
 */
public final class ShareBudget {

    /** Parts of one extra call. */
    private static final long WHOLE = 100;

    private static final long MAX = 1_000 * WHOLE;

    private final int percent;
    private final long reserve;
    private final long perMinute;
    private final LongSupplier clock;
    private final AtomicLong parts;
    private long refilledNanos;

    /**
     * Creates a budget with a full reserve.
     *
     * @param percent extra calls in percent of calls
     * @param reserve extra calls that are possible without any call
     * @param perMinute extra calls per minute that are added to the reserve
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    public ShareBudget(int percent, int reserve, int perMinute, LongSupplier clock) {
        this.percent = percent;
        this.reserve = reserve * WHOLE;
        this.perMinute = perMinute;
        this.clock = clock;
        this.parts = new AtomicLong(this.reserve);
        this.refilledNanos = clock.getAsLong();
    }

    public void called() {
        if (percent > 0 && parts.get() < MAX) {
            parts.addAndGet(percent);
        }
    }

    /** Takes an extra call. Returns false if none is left. */
    public boolean take() {
        if (perMinute > 0) {
            refill();
        }
        long left = parts.get();
        while (left >= WHOLE) {
            if (parts.compareAndSet(left, left - WHOLE)) {
                return true;
            }
            left = parts.get();
        }
        return false;
    }

    private synchronized void refill() {
        long now = clock.getAsLong();
        // As a double: the product of a long time could overflow.
        long more = (long) ((double) (now - refilledNanos) * perMinute * WHOLE / TimeUnit.MINUTES.toNanos(1));
        long missing = reserve - parts.get();
        if (missing <= 0) {
            refilledNanos = now;
        } else if (more > 0) {
            refilledNanos = now;
            parts.addAndGet(Math.min(more, missing));
        }
    }
}
