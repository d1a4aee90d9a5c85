package io.weir.cache.memory;

import io.weir.cache.CachedResult;
import io.weir.cache.CallKey;
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
final class ProbationQueue implements PackedQueue.SharedBudget {

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
        long least = 2L * count * (PackedQueue.MIN_CHUNKS * (long) chunk + (long) BYTES_OF_GHOST * ghosts);
        this.earned = new AtomicLong(Math.max(BEGINNING_BYTES, Math.min(maxBytes, least)));
        this.maxResultBytes = max == 0 ? 0 : chunk / RESULTS_PER_CHUNK;
        this.queues = IntStream.range(0, count)
                .mapToObj(i -> new PackedQueue(chunk, max, ghosts, labels, this))
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

    @Override
    public boolean has(long more) {
        return bytes.get() + more
                <= Math.min(earned.get(), Math.max(maxBytes / OWN_PART, maxBytes - othersBytes.get()));
    }

    @Override
    public void returned() {
        if (earned.get() < maxBytes) {
            earned.addAndGet(chunkBytes);
        }
    }

    @Override
    public void took(long more) {
        bytes.addAndGet(more);
    }

    @Override
    public void evicted(long results) {
        evicted.addAndGet(results);
    }

    long entries() {
        long sum = 0;
        for (PackedQueue queue : queues) {
            sum += queue.entries();
        }
        return sum;
    }

    /** Returns the bytes of the queue. */
    long bytes() {
        return bytes.get();
    }

    /** Returns the number of evicted results. */
    long evicted() {
        return evicted.get();
    }

    private PackedQueue queue(CallKey key) {
        return queues[((key.hashCode() * 0x9E3779B9) >>> 16) & (queues.length - 1)];
    }
}
