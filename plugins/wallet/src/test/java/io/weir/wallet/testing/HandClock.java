package io.weir.wallet.testing;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that stands still until a test lets time pass. Confined to one thread. */
public final class HandClock extends Clock {
    private Instant now;

    public HandClock(Instant now) {
        this.now = now;
    }

    /** Lets time pass. */
    public void pass(Duration time) {
        now = now.plus(time);
    }

    /** Returns the same time as {@link System#nanoTime} would tell it. */
    public long nanos() {
        return Duration.between(Instant.EPOCH, now).toNanos();
    }

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
