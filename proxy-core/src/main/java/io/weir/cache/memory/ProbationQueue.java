package io.weir.cache.memory;

import io.weir.cache.CachedResult;
import io.weir.cache.CallKey;
import io.weir.cache.PositionIndex;
import io.weir.cache.memory.Labels.Label;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Small results that no call has used again yet, as most results are. This is the small queue of S3-FIFO (Yang et al.,
 * SOSP 2023), with its ghosts. They are stored as bytes in large arrays, so an unused result costs the garbage collector
 * nothing. The queue may use the budget that the other results leave, as far as it has earned it. Thread-safe.
 *
 * <p>Calls that never repeat would fill any memory. So the queue begins small, and grows by a chunk when a result is stored again
 * that it evicted: with more memory this call would have been a hit.
 */
final class ProbationQueue {

    /** Divisor of the total for the queue's guaranteed part. Most of a chain is requested again soon or never. */
    private static final int OWN_PART = 3;

    /** Bytes that the queue may use before it has earned any. */
    static final long BEGINNING_BYTES = 24 << 20;

    /** Divisor of the total for the minimum increase of the others' limit. */
    private static final int SLACK_PART = 64;

    /** Bytes of one queue. The size determines how long its lock is held while its index grows. */
    private static final long QUEUE_BYTES = 2 << 20;

    private static final int MAX_QUEUES = 1 << 12;
    private static final int CHUNKS_PER_QUEUE = 64;
    private static final int MAX_CHUNK = 64 * 1024;
    private static final int MIN_CHUNK = 2 * 1024;
    private static final int RESULTS_PER_CHUNK = 4;
    private static final int BYTES_PER_GHOST = 256;
    /** One chunk of a queue to write to, and one with older results. */
    private static final int MIN_CHUNKS = 2;

    /** Bytes that a ghost takes in its table. */
    private static final int BYTES_OF_GHOST = Integer.BYTES;
    /** Chunks that one call frees at most, a fraction of a millisecond. */
    private static final int MAX_CHUNKS_PER_CALL = 8;

    private final long maxBytes;
    private final AtomicLong othersBytes;
    private final LongConsumer othersLimit;
    private final Executor housekeeper;
    private final AtomicBoolean housekeeping = new AtomicBoolean();
    private final Labels labels = new Labels();
    private final PackedQueue[] queues;
    private final int chunkBytes;
    private final int maxResultBytes;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong earned;
    private final AtomicLong evicted = new AtomicLong();
    private final AtomicInteger nextToShrink = new AtomicInteger();
    private volatile long limit;

    /**
     * @param maxBytes of these and all other results together; also the others' initial limit
     * @param othersBytes bytes of all other results, which are none at the beginning
     * @param othersLimit sets the others' new limit in bytes and evicts the excess; thread-safe
     * @param housekeeper runs work that would take a call too long
     */
    ProbationQueue(long maxBytes, AtomicLong othersBytes, LongConsumer othersLimit, Executor housekeeper) {
        this.limit = maxBytes;
        this.maxBytes = maxBytes;
        this.othersBytes = othersBytes;
        this.othersLimit = othersLimit;
        this.housekeeper = housekeeper;
        int count = (int) Math.min(MAX_QUEUES, Math.max(1, Long.highestOneBit(maxBytes / QUEUE_BYTES)));
        long each = maxBytes / count;
        int chunk = (int) Math.min(MAX_CHUNK, Long.highestOneBit(each / CHUNKS_PER_QUEUE));
        int max = chunk < MIN_CHUNK ? 0 : (int) Math.min(Integer.MAX_VALUE / chunk, 2 * each / chunk);
        int ghosts = (int) Math.min(1 << 30, Math.max(1, Long.highestOneBit(each / BYTES_PER_GHOST)));
        this.chunkBytes = chunk;
        // Each queue has a few chunks and its table of ghosts, however small the bound is.
        long least = 2L * count * (MIN_CHUNKS * (long) chunk + (long) BYTES_OF_GHOST * ghosts);
        this.earned = new AtomicLong(Math.max(BEGINNING_BYTES, Math.min(maxBytes, least)));
        this.maxResultBytes = max == 0 ? 0 : chunk / RESULTS_PER_CHUNK;
        this.queues = IntStream.range(0, count)
                .mapToObj(i -> new PackedQueue(max, ghosts))
                .toArray(PackedQueue[]::new);
    }

    /**
     * Adds a copy of a result.
     *
     * @return whether it was added; not if the result was evicted from here before, or is too large
     */
    boolean offer(CallKey key, CachedResult result) {
        int length = PackedResult.isPackable(result) ? PackedResult.length(key, result) : Integer.MAX_VALUE;
        if (length > maxResultBytes) {
            return false;
        }
        int label = labels.number(key, result);
        if (label < 0) {
            return false;
        }
        boolean added = queue(key).add(key, result, label, length);
        balance();
        return added;
    }

    /** Removes a result as {@link PackedQueue#take}. */
    @Nullable
    CachedResult take(CallKey key, BiConsumer<CallKey, CachedResult> taker) {
        return queue(key).take(key, taker);
    }

    /** Removes the result with a key. */
    void remove(CallKey key) {
        queue(key).remove(key);
    }

    /**
     * Removes results of a network and returns their number. It looks at every result, so it must not run on an event loop.
     */
    long removeIf(String network, Predicate<CachedResult> which) {
        long removed = 0;
        for (PackedQueue queue : queues) {
            removed += queue.removeIf(network, which);
        }
        return removed;
    }

    /** Promotes results of a network as {@link PackedQueue#promoteIf}. It must not run on an event loop. */
    void promoteIf(String network, Predicate<CachedResult> which, BiConsumer<CallKey, CachedResult> promoted) {
        for (PackedQueue queue : queues) {
            queue.promoteIf(network, which, promoted);
        }
    }

    /** Restores the common limit: the side that exceeds its part gives way. */
    void balance() {
        if (!shrink(MAX_CHUNKS_PER_CALL) && housekeeping.compareAndSet(false, true)) {
            housekeeper.execute(() -> {
                housekeeping.set(false);
                shrink(Integer.MAX_VALUE);
            });
        }
        long available = maxBytes - Math.min(bytes.get(), maxBytes / OWN_PART);
        boolean tooMany = available < limit && othersBytes.get() > available;
        if (tooMany || available - limit > maxBytes / SLACK_PART) {
            limit = available;
            othersLimit.accept(available);
        }
    }

    /** Frees up to this number of chunks. Returns whether nothing more can be done. */
    private boolean shrink(int max) {
        int chunks = 0;
        for (int without = 0; without < queues.length && !has(0); ) {
            if (chunks == max) {
                return false;
            }
            if (queues[nextToShrink.getAndIncrement() & (queues.length - 1)].shrink()) {
                chunks++;
                without = 0;
            } else {
                without++;
            }
        }
        return true;
    }

    /** Returns whether so many more bytes are available to all queues. */
    boolean has(long more) {
        return bytes.get() + more
                <= Math.min(earned.get(), Math.max(maxBytes / OWN_PART, maxBytes - othersBytes.get()));
    }

    /** Notes that a result was stored again after it was evicted. */
    private void returned() {
        if (earned.get() < maxBytes) {
            earned.addAndGet(chunkBytes);
        }
    }

    long entries() {
        long sum = 0;
        for (PackedQueue queue : queues) {
            sum += queue.entries();
        }
        return sum;
    }

    long bytes() {
        return bytes.get();
    }

    long evicted() {
        return evicted.get();
    }

    private PackedQueue queue(CallKey key) {
        return queues[((key.hashCode() * 0x9E3779B9) >>> 16) & (queues.length - 1)];
    }

    /**
     * FIFO queue of packed results in a ring of chunks. New results are written to the newest chunk, and the oldest chunk is
     * dropped as a whole. Of two keys with one fingerprint the later one is known. Thread-safe. The lock is held at most for one
     * pass over a chunk or one growth of the index.
     */
    private final class PackedQueue {

        private final int ghostSlots;
        /** Also the lock of the following fields. */
        private final PositionIndex index = new PositionIndex();

        /** A ring; chunks in use are contiguous. */
        private final byte[] @Nullable [] chunks;
        /** The written length of each chunk. */
        private final int[] ends;

        private int oldest;
        private int used;
        private @Nullable GhostQueue ghosts;
        private long taken;

        /**
         * @param maxChunks the maximum number of chunks
         * @param ghostSlots the number of evicted results to remember; a power of two
         */
        PackedQueue(int maxChunks, int ghostSlots) {
            this.ghostSlots = ghostSlots;
            this.chunks = new byte[Math.max(maxChunks, MIN_CHUNKS)][];
            this.ends = new int[chunks.length];
        }

        /**
         * Adds a copy of a result, packed, which fits into a chunk.
         *
         * @param length {@link PackedResult#length(CallKey, CachedResult)}
         * @return whether it was added; not if it was evicted from here before
         */
        boolean add(CallKey key, CachedResult result, int label, int length) {
            int fingerprint = key.hashCode();
            synchronized (index) {
                if (ghosts != null && ghosts.take(fingerprint)) {
                    returned();
                    return false;
                }
                if (used == 0 || ends[newest()] + length > chunkBytes) {
                    beginChunk();
                }
                int slot = newest();
                PackedResult.write(key, result, label, chunk(slot), ends[slot]);
                index.put(fingerprint, slot * chunkBytes + ends[slot]);
                ends[slot] += length;
                account();
                return true;
            }
        }

        /**
         * Removes the result with a key.
         *
         * @param taker receives it with the key, in arrays of its own, before other threads can miss it; must be quick
         * @return the result; null if there is none
         */
        @Nullable
        CachedResult take(CallKey key, BiConsumer<CallKey, CachedResult> taker) {
            synchronized (index) {
                int position = find(key);
                if (position < 0) {
                    return null;
                }
                byte[] chunk = chunk(position / chunkBytes);
                int at = position & (chunkBytes - 1);
                CachedResult result = PackedResult.result(labels.get(PackedResult.label(chunk, at)), chunk, at);
                taker.accept(key, result);
                index.remove(key.hashCode());
                return result;
            }
        }

        /** Returns the position of the result with a key; -1 if there is none. */
        private int find(CallKey key) {
            int position = index.get(key.hashCode());
            if (position < 0) {
                return -1;
            }
            byte[] chunk = chunk(position / chunkBytes);
            int at = position & (chunkBytes - 1);
            boolean same = labels.get(PackedResult.label(chunk, at)).isOf(key)
                    && PackedResult.hasParams(key.params(), chunk, at);
            return same ? position : -1;
        }

        /** Removes the entry with a key's fingerprint. */
        void remove(CallKey key) {
            index.remove(key.hashCode());
        }

        /**
         * Removes results of a network, chunk by chunk.
         *
         * @return the number of removed results
         */
        @SuppressWarnings("ThreadPriorityCheck") // Correct without it, only less fair.
        long removeIf(String network, Predicate<CachedResult> which) {
            long removed = 0;
            for (int slot = 0; slot < chunks.length; slot++) {
                if (isEmpty(slot)) {
                    continue;
                }
                synchronized (index) {
                    int before = index.entries();
                    forEach(slot, (chunk, at) -> {
                        Label label = labels.get(PackedResult.label(chunk, at));
                        if (label.network().equals(network) && which.test(PackedResult.result(label, chunk, at))) {
                            index.remove(PackedResult.fingerprint(chunk, at));
                        }
                    });
                    removed += before - index.entries();
                }
                // A monitor favours its last owner, so other threads need a chance.
                Thread.yield();
            }
            synchronized (index) {
                if (index.entries() == 0) {
                    clear();
                }
                account();
            }
            return removed;
        }

        /**
         * Promotes results of a network, chunk by chunk.
         *
         * @param promoted receives each of them with its key, in arrays of their own, without the lock
         */
        @SuppressWarnings("ThreadPriorityCheck") // Correct without it, only less fair.
        void promoteIf(String network, Predicate<CachedResult> which, BiConsumer<CallKey, CachedResult> promoted) {
            for (int slot = 0; slot < chunks.length; slot++) {
                if (isEmpty(slot)) {
                    continue;
                }
                Map<CallKey, CachedResult> found = new HashMap<>();
                synchronized (index) {
                    forEach(slot, (chunk, at) -> {
                        Label label = labels.get(PackedResult.label(chunk, at));
                        if (label.network().equals(network) && which.test(PackedResult.result(label, chunk, at))) {
                            PackedResult.promote(chunk, at);
                            found.put(PackedResult.key(label, chunk, at), PackedResult.result(label, chunk, at));
                        }
                    });
                }
                found.forEach(promoted);
                Thread.yield();
            }
        }

        /** Frees a chunk. Returns false if only the minimum is left. */
        boolean shrink() {
            synchronized (index) {
                if (used <= MIN_CHUNKS) {
                    return false;
                }
                dropOldest();
                account();
                return true;
            }
        }

        int entries() {
            return index.entries();
        }

        private void beginChunk() {
            boolean full = used >= MIN_CHUNKS && (used == chunks.length || !has(chunkBytes));
            byte[] chunk = full ? dropOldest() : new byte[chunkBytes];
            used++;
            chunks[newest()] = chunk;
            ends[newest()] = 0;
        }

        private byte[] dropOldest() {
            int before = index.entries();
            if (before > 0 && ghosts == null) {
                ghosts = new GhostQueue(ghostSlots);
            }
            GhostQueue remembered = ghosts;
            forEach(oldest, (chunk, at) -> {
                int fingerprint = PackedResult.fingerprint(chunk, at);
                index.remove(fingerprint);
                Objects.requireNonNull(remembered).add(fingerprint);
            });
            evicted.addAndGet(before - index.entries());
            byte[] chunk = chunk(oldest);
            chunks[oldest] = null;
            oldest = (oldest + 1) % chunks.length;
            used--;
            return chunk;
        }

        private void clear() {
            Arrays.fill(chunks, null);
            index.clear();
            used = 0;
            ghosts = null;
        }

        /** Visitor of a result's position. */
        private interface Visitor {
            void visit(byte[] chunk, int at);
        }

        /** Visits the known results of a chunk. */
        private void forEach(int slot, Visitor visitor) {
            byte[] chunk = chunks[slot];
            for (int at = 0; chunk != null && at < ends[slot]; at += PackedResult.length(chunk, at)) {
                if (index.get(PackedResult.fingerprint(chunk, at)) == slot * chunkBytes + at) {
                    visitor.visit(chunk, at);
                }
            }
        }

        /** Returns whether a slot has no chunk. A pass that yielded at each of them took a minute on a busy machine, for empty queues. */
        private boolean isEmpty(int slot) {
            synchronized (index) {
                return chunks[slot] == null;
            }
        }

        private byte[] chunk(int slot) {
            return Objects.requireNonNull(chunks[slot]);
        }

        private int newest() {
            return (oldest + used - 1) % chunks.length;
        }

        private void account() {
            long beside = index.bytes() + (ghosts == null ? 0 : ghosts.bytes());
            long now = used == 0 ? 0 : (long) used * chunkBytes + beside;
            if (now != taken) {
                bytes.addAndGet(now - taken);
                taken = now;
            }
        }
    }

    /**
     * Fingerprints of results that were evicted unused: the ghost queue of S3-FIFO (Yang et al., SOSP 2023). Each slot holds
     * one, so newer ones replace older ones. A fingerprint that matches by chance does no harm. Not thread-safe.
     */
    static final class GhostQueue {

        private final int[] fingerprints;

        /** @param slots a power of two */
        GhostQueue(int slots) {
            this.fingerprints = new int[slots];
        }

        void add(int fingerprint) {
            fingerprints[slot(fingerprint)] = fingerprint;
        }

        /** Removes a fingerprint. Returns whether it was there. */
        boolean take(int fingerprint) {
            int slot = slot(fingerprint);
            boolean there = fingerprints[slot] == fingerprint && fingerprint != 0;
            if (there) {
                fingerprints[slot] = 0;
            }
            return there;
        }

        long bytes() {
            return (long) fingerprints.length * Integer.BYTES;
        }

        private int slot(int fingerprint) {
            // Unlike the choice of a queue: all fingerprints of one queue share some bits of that.
            return ((fingerprint * 0x85EBCA6B) >>> 8) & (fingerprints.length - 1);
        }
    }
}
