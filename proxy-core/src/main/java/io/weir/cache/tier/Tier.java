package io.weir.cache.tier;

import io.weir.cache.tier.TierMeters.Lookup;
import io.weir.cache.tier.bytes.ByteTier;
import io.weir.cache.tier.bytes.RecordStore.ReadResult;
import io.weir.cache.tier.entry.EntryCodec;
import io.weir.cache.tier.entry.EntryName;
import io.weir.metrics.Meters;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/** Tier with its limits: how long a call waits, how many lookups run at once, how much waits to be stored. Thread-safe. */
public final class Tier implements AutoCloseable {

    private final ByteTier bytes;
    private final EntryCodec codec;
    private final Bounds bounds;
    private final TierMeters meters;
    private final Semaphore lookups;
    private final TierWriter writer;

    /**
     * Limits of a tier. Immutable.
     *
     * @param waitNanos that a call waits for it
     * @param lookups in flight at once
     * @param queue results that wait to be stored
     * @param queueBytes of these
     * @param unproven whether it has results without a proof
     */
    public record Bounds(long waitNanos, int lookups, int queue, long queueBytes, boolean unproven) {}

    /** Creates the tier and takes ownership of its storage. */
    public Tier(ByteTier bytes, EntryCodec codec, Bounds bounds, Meters meters) {
        this.bytes = bytes;
        this.codec = codec;
        this.bounds = bounds;
        this.meters = new TierMeters(meters, bytes);
        this.lookups = new Semaphore(bounds.lookups());
        this.writer = new TierWriter(bytes, codec, this.meters, bounds.queue(), bounds.queueBytes());
    }

    ByteTier bytes() {
        return bytes;
    }

    TierWriter writer() {
        return writer;
    }

    EntryCodec codec() {
        return codec;
    }

    Bounds bounds() {
        return bounds;
    }

    TierMeters meters() {
        return meters;
    }

    /**
     * Looks up an entry, unless too many lookups are in flight; the sink is not called then. A late lookup still counts as
     * one.
     */
    boolean tryGet(EntryName name, Consumer<ReadResult> sink) {
        if (!lookups.tryAcquire()) {
            return false;
        }
        bytes.get(name, found -> {
            lookups.release();
            sink.accept(found);
        });
        return true;
    }

    /** Returns its state for the status page. */
    public TierStatus status() {
        return new TierStatus(
                bytes.name(),
                bytes.state(),
                bytes.entries(),
                bytes.bytes(),
                meters.of(Lookup.HIT),
                meters.of(Lookup.MISS),
                meters.of(TierMeters.Store.STORED));
    }

    @Override
    public void close() {
        writer.close();
        bytes.close();
    }
}
