package io.weir.cache.tier;

import io.weir.cache.tier.TierMeters.Lookup;
import io.weir.cache.tier.bytes.ByteTier;
import io.weir.cache.tier.bytes.RecordStore.Found;
import io.weir.cache.tier.entry.EntryCodec;
import io.weir.cache.tier.entry.EntryName;
import io.weir.metrics.Meters;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/** One tier with its bounds: how long a call waits for it, how many ask at once, what waits to be stored. Thread-safe. */
public final class Tier implements AutoCloseable {

    private final ByteTier bytes;
    private final EntryCodec codec;
    private final Bounds bounds;
    private final TierMeters meters;
    private final Semaphore lookups;
    private final TierWriter writer;

    /**
     * What a tier may cost.
     *
     * @param waitNanos that a call waits for it
     * @param lookups under way at once
     * @param queue results that wait to be stored
     * @param queueBytes of these
     * @param unproven whether it has results that nothing in them proves
     */
    public record Bounds(long waitNanos, int lookups, int queue, long queueBytes, boolean unproven) {}

    /** Begins to use a tier, which it owns. */
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

    /** Looks for an entry, unless too many do; the sink hears nothing then. A question that is late still counts as one. */
    boolean tryGet(EntryName name, Consumer<Found> sink) {
        if (!lookups.tryAcquire()) {
            return false;
        }
        bytes.get(name, found -> {
            lookups.release();
            sink.accept(found);
        });
        return true;
    }

    /** How it is, for the status page. */
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
