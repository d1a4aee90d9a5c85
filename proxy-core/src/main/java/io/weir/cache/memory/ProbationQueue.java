package io.weir.cache.memory;

import io.weir.cache.CachedResult;
import io.weir.cache.CallKey;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Small results that nobody has asked for again yet, which is what most results are: the small queue of S3-FIFO (Yang et al., SOSP
 * 2023), with its ghosts. They are kept as bytes in large arrays, so that a result costs the garbage collector nothing before it is
 * worth an object. Where others leave room, they take it. Thread-safe.
 */
final class ProbationQueue implements PackedQueue.Room {

    /** What they may take in any case, of all: of a chain, most is asked for again soon or never. */
    private static final int OWN_PART = 3;

    /** By which part of all the others' limit must be too low before it is raised. */
    private static final int SLACK_PART = 64;

    /** Of one queue: for how long its lock is held while its index grows depends on it. */
    private static final long QUEUE_BYTES = 2 << 20;

    private static final int MAX_QUEUES = 1 << 12;
    private static final int CHUNKS_OF_A_QUEUE = 64;
    private static final int MAX_CHUNK = 64 * 1024;
    private static final int SMALLEST_CHUNK = 2 * 1024;
    private static final int RESULTS_OF_A_CHUNK = 4;
    private static final int BYTES_OF_A_GHOST = 256;
    /** That one call gives back at the most: a fraction of a millisecond. */
    private static final int CHUNKS_OF_A_CALL = 8;

    private final long maxBytes;
    private final Others others;
    private final Executor housekeeper;
    private final AtomicBoolean housekeeping = new AtomicBoolean();
    private final Labels labels = new Labels();
    private final PackedQueue[] queues;
    private final int largest;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicInteger nextToShrink = new AtomicInteger();
    private volatile long limit;

    /** All other results. Thread-safe. */
    interface Others {

        /** The bytes that they take. */
        long bytes();

        /** Lets them take so many from now on, and takes away what is beyond. */
        void limit(long most);
    }

    /**
     * None yet.
     *
     * @param maxBytes of these and all other results together, which is the others' limit at first
     * @param others begin without a result
     * @param housekeeper does what would take a call too long
     */
    ProbationQueue(long maxBytes, Others others, Executor housekeeper) {
        this.limit = maxBytes;
        this.maxBytes = maxBytes;
        this.others = others;
        this.housekeeper = housekeeper;
        int count = (int) Math.min(MAX_QUEUES, Math.max(1, Long.highestOneBit(maxBytes / QUEUE_BYTES)));
        long each = maxBytes / count;
        int chunk = (int) Math.min(MAX_CHUNK, Long.highestOneBit(each / CHUNKS_OF_A_QUEUE));
        int most = chunk < SMALLEST_CHUNK ? 0 : (int) Math.min(Integer.MAX_VALUE / chunk, 2 * each / chunk);
        int ghosts = (int) Math.min(1 << 30, Math.max(1, Long.highestOneBit(each / BYTES_OF_A_GHOST)));
        this.largest = most == 0 ? 0 : chunk / RESULTS_OF_A_CHUNK;
        this.queues = IntStream.range(0, count)
                .mapToObj(i -> new PackedQueue(chunk, most, ghosts, labels, this))
                .toArray(PackedQueue[]::new);
    }

    /**
     * Takes a result, and copies it.
     *
     * @return whether it did; not, where the result is no newcomer, or too large
     */
    boolean offer(CallKey key, CachedResult result) {
        if (key.params().length() + result.value().length() > largest || !PackedResult.isPackable(result)) {
            return false;
        }
        int label = labels.number(key, result);
        if (label < 0) {
            return false;
        }
        byte[] packed = PackedResult.pack(key, result, label);
        boolean added = packed.length <= largest && queue(key).add(packed);
        balance();
        return added;
    }

    /** Whether there is a result under a key. */
    boolean has(CallKey key) {
        return queue(key).has(key);
    }

    /** As {@link PackedQueue#take}. */
    @Nullable
    CachedResult take(CallKey key, Consumer<CachedResult> taker) {
        return queue(key).take(key, taker);
    }

    /** Forgets the result under a key. */
    void remove(CallKey key) {
        queue(key).remove(key);
    }

    /** Forgets results of a network, and says how many. Looks at every one: not for an event loop. */
    long removeIf(String network, Predicate<CachedResult> which) {
        long removed = 0;
        for (PackedQueue queue : queues) {
            removed += queue.removeIf(network, which);
        }
        return removed;
    }

    /** Sees to it that these and the others together are within the bound: whoever has more than its part gives way. */
    void balance() {
        if (!shrink(CHUNKS_OF_A_CALL) && housekeeping.compareAndSet(false, true)) {
            housekeeper.execute(() -> {
                housekeeping.set(false);
                shrink(Integer.MAX_VALUE);
            });
        }
        long room = maxBytes - Math.min(bytes.get(), maxBytes / OWN_PART);
        boolean tooMany = room < limit && others.bytes() > room;
        if (tooMany || room - limit > maxBytes / SLACK_PART) {
            limit = room;
            others.limit(room);
        }
    }

    /** Gives back so many chunks at the most, and says whether all is done that can be. */
    private boolean shrink(int most) {
        int chunks = 0;
        for (int without = 0; without < queues.length && !has(0); ) {
            if (chunks == most) {
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
        return bytes.get() + more <= Math.max(maxBytes / OWN_PART, maxBytes - others.bytes());
    }

    @Override
    public void took(long more) {
        bytes.addAndGet(more);
    }

    @Override
    public void dropped(long results) {
        dropped.addAndGet(results);
    }

    long entries() {
        long sum = 0;
        for (PackedQueue queue : queues) {
            sum += queue.entries();
        }
        return sum;
    }

    /** The bytes that they take. */
    long bytes() {
        return bytes.get();
    }

    /** How many had to go. */
    long dropped() {
        return dropped.get();
    }

    private PackedQueue queue(CallKey key) {
        return queues[((key.hashCode() * 0x9E3779B9) >>> 16) & (queues.length - 1)];
    }
}
