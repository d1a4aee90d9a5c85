package io.weir.pipeline.send;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says at most once a second that a node answered with another hash than the transaction's. Thread-safe. */
final class OtherHashLog {

    private static final Logger LOG = LoggerFactory.getLogger(OtherHashLog.class);
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final String network;
    private final LongSupplier nanoTime;
    private final AtomicLong nextNanos;

    OtherHashLog(String network, LongSupplier nanoTime) {
        this.network = network;
        this.nanoTime = nanoTime;
        this.nextNanos = new AtomicLong(nanoTime.getAsLong());
    }

    /** Says it, or leaves it out; whether it was said. */
    boolean warn(@Nullable String upstream) {
        long now = nanoTime.getAsLong();
        long next = nextNanos.get();
        boolean due = now - next >= 0 && nextNanos.compareAndSet(next, now + PAUSE_NANOS);
        if (due) {
            LOG.warn(
                    "network {}: upstream {} answered a transaction with another hash than Ethereum's rules give (if the"
                            + " chain has other rules, say hashing = none)",
                    network,
                    upstream);
        }
        return due;
    }
}
