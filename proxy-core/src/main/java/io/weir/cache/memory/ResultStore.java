package io.weir.cache.memory;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.weir.cache.CachedResult;
import io.weir.cache.CallKey;
import io.weir.cache.ResultLayout;
import io.weir.metrics.OutOfMemory;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Results of all networks in memory, within one limit in bytes. Large results, and those that were used again, are objects
 * in Caffeine, which chooses what to evict. The others are in the {@link ProbationQueue}. There is no index by block: a
 * search for a block's results scans everything, and no call waits for it. Whether a result still holds is checked when it
 * is used. Thread-safe.
 */
public final class ResultStore {

    /**
     * Bytes of an entry besides its parameters and its result, on a 64-bit JVM. They are the nodes of the map and of the
     * eviction, the key, the value, the headers of their arrays, and the block's hash.
     */
    static final int OVERHEAD_BYTES = 400;

    /** Divisor of the total for the largest result, so that a few results cannot evict everything. */
    private static final int MAX_PART = 8;

    private final long maxBytes;
    private final long maxEntryBytes;
    private final Cache<CallKey, CachedResult> results;
    private final ProbationQueue probation;
    /** The bytes of the main queue, whose results are objects. */
    private final AtomicLong bytes = new AtomicLong();

    private final BiConsumer<CallKey, CachedResult> toMain = this::moveToMain;
    private final AtomicLong evictions = new AtomicLong();
    private final AtomicLong purges = new AtomicLong();
    private final Map<String, LastingListener> listeners = new ConcurrentHashMap<>();

    /** Listener of results that can no longer become wrong. It runs on the thread that stored them and must be quick. */
    public interface LastingListener {

        /**
         * Handles a stored result.
         *
         * @param purgesBefore {@link #purges} before it was stored; if that has changed, the result may have been purged
         */
        void kept(CallKey key, CachedResult result, long purgesBefore);
    }

    /** Creates an empty store that does everything on the calling threads. */
    public ResultStore(long maxBytes) {
        this(maxBytes, Long.MAX_VALUE, Runnable::run);
    }

    /**
     * @param maxBytes the maximum of all results together; 0 stores none
     * @param maxEntryBytes the maximum of one result
     * @param housekeeper evicts much for a large result; shortly after that the limit holds again
     */
    public ResultStore(long maxBytes, long maxEntryBytes, Executor housekeeper) {
        this.maxBytes = maxBytes;
        this.maxEntryBytes = Math.min(maxEntryBytes, maxBytes / MAX_PART);
        Cache<CallKey, CachedResult> main = main(maxBytes, bytes, evictions);
        this.results = main;
        this.probation = new ProbationQueue(
                maxBytes,
                bytes,
                max -> main.policy().eviction().ifPresent(eviction -> eviction.setMaximum(max)),
                housekeeper);
    }

    private static Cache<CallKey, CachedResult> main(long maxBytes, AtomicLong bytes, AtomicLong evictions) {
        return Caffeine.newBuilder()
                .maximumWeight(maxBytes)
                .weigher(ResultStore::weigh)
                .executor(OutOfMemory::run)
                .<CallKey, CachedResult>removalListener((key, result, cause) -> {
                    if (key != null && result != null) {
                        bytes.addAndGet(-weigh(key, result));
                    }
                    if (cause.wasEvicted()) {
                        evictions.incrementAndGet();
                    }
                })
                .build();
    }

    private static int weigh(CallKey key, CachedResult result) {
        ResultLayout layout = result.layout();
        long weight = OVERHEAD_BYTES
                + (long) key.paramsLength()
                + result.value().length()
                + (layout == null ? 0 : layout.weightBytes());
        return (int) Math.min(Integer.MAX_VALUE, weight);
    }

    /** Returns whether anything is cached at all. */
    public boolean isOn() {
        return maxBytes > 0;
    }

    public @Nullable CachedResult get(CallKey key) {
        CachedResult result = results.getIfPresent(key);
        return result == null ? takeFromProbation(key) : result;
    }

    /** Moves a result to the main queue at its second use. */
    private @Nullable CachedResult takeFromProbation(CallKey key) {
        CachedResult result = probation.take(key, toMain);
        // This counts as a use for the eviction. Another thread may also have moved it since the first look.
        CachedResult inMain = results.getIfPresent(key);
        if (result == null) {
            return inMain;
        }
        probation.balance();
        return result;
    }

    private void moveToMain(CallKey key, CachedResult taken) {
        putInMain(key.compact(), taken);
    }

    private void putInMain(CallKey key, CachedResult result) {
        bytes.addAndGet(weigh(key, result));
        results.put(key, result);
    }

    /** Returns the number of purges, to be read before a node is asked. It tells calls before a purge from later ones. */
    public long purges() {
        return purges.get();
    }

    /** Registers the listener of one network's results. */
    public void listen(String network, LastingListener listener) {
        listeners.put(network, listener);
    }

    /** Takes back the listener of a network's results. */
    public void forget(String network) {
        listeners.remove(network);
    }

    /** Notes that a result that was just read can no longer become wrong. */
    public void promoted(CallKey key, CachedResult result) {
        long purgesNow = purges.get();
        // If a purge has passed, the result is gone. A purge in progress counts once more when it ends.
        if (result.equals(results.getIfPresent(key))) {
            notifyListener(key, result, purgesNow);
        }
    }

    private void notifyListener(CallKey key, CachedResult result, long purgesBefore) {
        LastingListener listener = listeners.get(key.network());
        if (listener != null) {
            listener.kept(key.compact(), result.compact(), purgesBefore);
        }
    }

    /**
     * Stores a result as {@link #keep}, and notifies the listener.
     *
     * @param result of which a copy is stored if it shares its array
     * @param purgesBefore {@link #purges} when the call began
     */
    public boolean put(CallKey key, CachedResult result, long purgesBefore) {
        boolean kept = keep(key, result, purgesBefore);
        if (kept && result.lasting()) {
            notifyListener(key, result, purgesBefore);
        }
        return kept;
    }

    /** Returns the largest size of a result with its key that is stored. */
    public long maxEntryBytes() {
        return maxEntryBytes;
    }

    /**
     * Stores a result, unless it is very large or a purge has happened since its call began.
     *
     * @param result of which a copy is stored if it shares its array
     * @param purgesBefore {@link #purges} when the call began
     */
    public boolean keep(CallKey key, CachedResult result, long purgesBefore) {
        if (weigh(key, result) > maxEntryBytes || purges.get() != purgesBefore) {
            return false;
        }
        if (results.asMap().containsKey(key) || !probation.offer(key, result)) {
            putInMain(key.compact(), result.compact());
            probation.balance();
        }
        if (purges.get() != purgesBefore) {
            // The purge may have missed this result. The order matters: it may move to the main queue in the meantime.
            probation.remove(key);
            results.asMap().remove(key);
            return false;
        }
        return true;
    }

    /** Replaces a result with a copy that has more properties, if it is still there. */
    public void replace(CallKey key, CachedResult result, CachedResult same) {
        bytes.addAndGet(weigh(key, same));
        if (!results.asMap().replace(key, result, same)) {
            bytes.addAndGet(-weigh(key, same));
        }
        probation.balance();
    }

    /** Removes a result that proved wrong, unless another has replaced it. */
    public void remove(CallKey key, CachedResult result) {
        results.asMap().remove(key, result);
    }

    /** Removes results for an operator or after the end of a chain. Answers of calls in flight are not stored either. */
    public long purge(String network, Predicate<CachedResult> which) {
        purges.incrementAndGet();
        try {
            return removeIf(network, which);
        } finally {
            purges.incrementAndGet();
        }
    }

    /**
     * Removes some results of a network. It looks at every result, so it must not run on an event loop.
     *
     * @return the number of removed results
     */
    public long removeIf(String network, Predicate<CachedResult> which) {
        // The order matters: results move to the main queue and never back.
        long removed = probation.removeIf(network, which);
        for (var entry : results.asMap().entrySet()) {
            if (entry.getKey().network().equals(network)
                    && which.test(entry.getValue())
                    && results.asMap().remove(entry.getKey(), entry.getValue())) {
                removed++;
            }
        }
        return removed;
    }

    /**
     * Promotes some results of a network that could become wrong until now. It looks at every result, so it must not run on
     * an event loop.
     *
     * @param purgesBefore {@link #purges} when it became known that they no longer can
     * @param promoted receives each of them
     */
    public void promoteIf(
            String network, Predicate<CachedResult> which, long purgesBefore, Consumer<CachedResult> promoted) {
        Predicate<CachedResult> open = result -> !result.lasting() && which.test(result);
        BiConsumer<CallKey, CachedResult> taker = (key, result) -> {
            notifyListener(key, result, purgesBefore);
            promoted.accept(result);
        };
        // The order matters: results move to the main queue and never back.
        probation.promoteIf(network, open, taker);
        results.asMap().forEach((key, result) -> {
            if (key.network().equals(network) && open.test(result)) {
                result.promote();
                taker.accept(key, result);
            }
        });
    }

    public long entries() {
        return results.estimatedSize() + probation.entries();
    }

    public long bytes() {
        return bytes.get() + probation.bytes();
    }

    /** Returns how many results were evicted since the start. */
    public long evictions() {
        return evictions.get() + probation.evicted();
    }
}
