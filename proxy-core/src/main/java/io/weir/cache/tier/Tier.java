package io.weir.cache.tier;

import io.weir.cache.tier.RecordStore.ReadResult;
import io.weir.cache.tier.Tier.TierMeters.Lookup;
import io.weir.cache.tier.Tier.TierMeters.Store;
import io.weir.cache.tier.TierEntry.EntryName;
import io.weir.metrics.EnumCounters;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.metrics.RateLimitedLogger;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.LoggerFactory;

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
     */
    public record Bounds(long waitNanos, int lookups, int queue, long queueBytes) {}

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
    public Status status() {
        return new Status(
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

    /** Thread that packs results and stores them in a tier, with limits on the waiting results. Thread-safe. */
    static final class TierWriter implements AutoCloseable {

        private static final RateLimitedLogger LOG = new RateLimitedLogger(LoggerFactory.getLogger(TierWriter.class));
        private static final long CLOSE_MILLIS = 2_000;

        private final ByteTier tier;
        private final EntryCodec codec;
        private final TierMeters meters;
        private final long maxBytes;
        private final BlockingQueue<Task> tasks;
        private final AtomicLong bytes = new AtomicLong();
        private final Thread thread;
        private volatile boolean closed;

        private record Task(String space, TierEntry entry) {}

        /**
         * @param queue results that may wait
         * @param maxBytes of these together; a single one may be larger
         */
        TierWriter(ByteTier tier, EntryCodec codec, TierMeters meters, int queue, long maxBytes) {
            this.tier = tier;
            this.codec = codec;
            this.meters = meters;
            this.maxBytes = maxBytes;
            this.tasks = new ArrayBlockingQueue<>(queue);
            this.thread = new Thread(this::run, "weir-" + tier.name());
            thread.setDaemon(true);
            thread.start();
        }

        /** Stores a result soon, or drops it. Never blocks. */
        void offer(String space, TierEntry entry) {
            long before = bytes.getAndAdd(entry.size());
            boolean accepted = (before == 0 || before + entry.size() <= maxBytes) && !closed;
            if (!accepted || !tasks.offer(new Task(space, entry))) {
                bytes.addAndGet(-entry.size());
                meters.count(Store.DROPPED);
            }
        }

        /** Returns how many further results may wait. */
        int freeResults() {
            return tasks.remainingCapacity();
        }

        /** Returns how many bytes further results may have together. */
        long freeBytes() {
            return maxBytes - bytes.get();
        }

        private void run() {
            try {
                codec.warmUp();
                tier.begin();
                while (!closed || !tasks.isEmpty()) {
                    Task task = tasks.poll(100, TimeUnit.MILLISECONDS);
                    if (task != null) {
                        store(task);
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void store(Task task) {
            try {
                byte[] encoded = tier.isUp() ? codec.encode(task.space(), task.entry()) : null;
                if (encoded == null) {
                    meters.count(Store.DROPPED);
                } else {
                    EntryName name = EntryName.of(
                            task.space(), task.entry().method(), task.entry().params());
                    tier.put(name, encoded, kept -> meters.count(kept ? Store.STORED : Store.ERROR));
                }
            } catch (RuntimeException e) {
                meters.count(Store.ERROR);
                LOG.warn("storing in the " + tier.name() + " tier failed inside", e);
            } finally {
                bytes.addAndGet(-task.entry().size());
            }
        }

        /** Stores waiting results for a short time, then stops. */
        @Override
        public void close() {
            closed = true;
            try {
                thread.join(CLOSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * State of a tier for the status page. Immutable.
     *
     * @param state in a few words
     * @param entries in the tier; -1 if unknown
     * @param bytes of the tier; -1 if unknown
     */
    public record Status(String name, String state, long entries, long bytes, long hits, long misses, long stored) {}

    /** Meters of one tier. Thread-safe. */
    public static final class TierMeters {

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
}
