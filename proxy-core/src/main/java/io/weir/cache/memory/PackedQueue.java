package io.weir.cache.memory;

import io.weir.cache.CachedResult;
import io.weir.cache.CallKey;
import io.weir.cache.PositionIndex;
import io.weir.cache.memory.Labels.Label;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * FIFO queue of packed results in a ring of chunks. New results are written to the newest chunk, and the oldest chunk is
 * dropped as a whole. Of two keys with one fingerprint the later one is known. Thread-safe. The lock is held at most for one
 * pass over a chunk or one growth of the index.
 */
final class PackedQueue {

    /** One chunk to write to, and one with older results. */
    static final int MIN_CHUNKS = 2;

    private final int chunkBytes;
    private final int ghostSlots;
    private final Labels labels;
    private final SharedBudget budget;
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

    /** Budget that all queues share. Thread-safe. */
    interface SharedBudget {

        /** Returns whether so many more bytes are available. */
        boolean has(long bytes);

        /** Notes that bytes were allocated; negative if they were freed. */
        void took(long bytes);

        /** Notes that results were evicted. */
        void evicted(long results);

        /** Notes that a result was stored again after it was evicted. */
        void returned();
    }

    /**
     * @param chunkBytes a power of two
     * @param maxChunks the maximum number of chunks
     * @param ghostSlots the number of evicted results to remember; a power of two
     */
    PackedQueue(int chunkBytes, int maxChunks, int ghostSlots, Labels labels, SharedBudget budget) {
        this.chunkBytes = chunkBytes;
        this.ghostSlots = ghostSlots;
        this.labels = labels;
        this.budget = budget;
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
                budget.returned();
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
        boolean same =
                labels.get(PackedResult.label(chunk, at)).isOf(key) && PackedResult.hasParams(key.params(), chunk, at);
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

    /** Returns the number of results. */
    int entries() {
        return index.entries();
    }

    private void beginChunk() {
        boolean full = used >= MIN_CHUNKS && (used == chunks.length || !budget.has(chunkBytes));
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
        budget.evicted(before - index.entries());
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
            budget.took(now - taken);
            taken = now;
        }
    }
}
