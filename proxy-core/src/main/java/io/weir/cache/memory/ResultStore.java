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
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Results of all networks in memory, within one bound in bytes: large ones, and those that were asked for again, as objects in
 * Caffeine, which knows what to evict; the others as {@link ProbationQueue}. There is no index beside it: what depends on a block is found by
 * looking at everything, which nobody waits for, and whether a result still holds is asked when it is wanted. Thread-safe.
 */
public final class ResultStore {

    /**
     * What an entry takes beside its parameters and its result: the map's and the eviction's nodes, the key, the value, the
     * headers of their arrays, and the block's hash, on a 64-bit JVM.
     */
    static final int OVERHEAD_BYTES = 400;

    /** One result may take no more than this part of all: a few of them must not drive out everything. */
    private static final int MAX_PART = 8;

    private final long maxBytes;
    private final Cache<CallKey, CachedResult> results;
    private final ProbationQueue newcomers;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong evictions = new AtomicLong();
    private final AtomicLong purges = new AtomicLong();
    private final Map<String, LastingListener> listeners = new ConcurrentHashMap<>();

    /** Hears of results that cannot become wrong any more, on the thread that put them there: it must be quick. */
    public interface LastingListener {

        /**
         * A result is there.
         *
         * @param purgesBefore {@link #purges} before it was: where that is another now, it may be what was to go
         */
        void kept(CallKey key, CachedResult result, long purgesBefore);
    }

    /** An empty store that does everything on the threads that call it. */
    public ResultStore(long maxBytes) {
        this(maxBytes, Runnable::run);
    }

    /**
     * An empty store.
     *
     * @param maxBytes the most of all results together; 0 keeps none
     * @param housekeeper makes room where a large result needs much: a little later the bound holds again
     */
    public ResultStore(long maxBytes, Executor housekeeper) {
        this.maxBytes = maxBytes;
        this.newcomers = new ProbationQueue(maxBytes, new Whole(), housekeeper);
        this.results = Caffeine.newBuilder()
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

    /** Those that are objects. */
    private final class Whole implements ProbationQueue.Others {

        @Override
        public long bytes() {
            return bytes.get();
        }

        @Override
        public void limit(long most) {
            results.policy().eviction().ifPresent(eviction -> eviction.setMaximum(most));
        }
    }

    private static int weigh(CallKey key, CachedResult result) {
        ResultLayout layout = result.layout();
        long weight = OVERHEAD_BYTES
                + (long) key.params().length()
                + result.value().length()
                + (layout == null ? 0 : layout.weightBytes());
        return (int) Math.min(Integer.MAX_VALUE, weight);
    }

    /** Whether anything is kept at all. */
    public boolean isOn() {
        return maxBytes > 0;
    }

    /** The result of a call, or null. */
    public @Nullable CachedResult get(CallKey key) {
        CachedResult result = results.getIfPresent(key);
        return result == null ? newcomer(key) : result;
    }

    /** What is asked for a second time is worth an object. */
    private @Nullable CachedResult newcomer(CallKey key) {
        CachedResult result = newcomers.take(key, taken -> putWhole(key.compact(), taken));
        // For the eviction this is the second time too; and another thread may have taken it since it was not whole
        // yet.
        CachedResult whole = results.getIfPresent(key);
        if (result == null) {
            return whole;
        }
        newcomers.balance();
        return result;
    }

    private void putWhole(CallKey key, CachedResult result) {
        bytes.addAndGet(weigh(key, result));
        results.put(key, result);
    }

    /** Tells apart what was asked before a purge and what after: to be taken before a node is asked. */
    public long purges() {
        return purges.get();
    }

    /** Has a listener hear of one network's results. */
    public void listen(String network, LastingListener listener) {
        listeners.put(network, listener);
    }

    /** Notes that a result answers a call too under whose own key it may not be. */
    public void answers(CallKey key, CachedResult result, long purgesBefore) {
        if (result.lasting() && !results.asMap().containsKey(key) && !newcomers.has(key)) {
            tell(key, result, purgesBefore);
        }
    }

    /** Notes that a result that was got just now cannot become wrong any more. */
    public void promoted(CallKey key, CachedResult result) {
        long purgesNow = purges.get();
        // Where a purge has passed it is gone; where one is under way it counts once more when it ends.
        if (result.equals(results.getIfPresent(key))) {
            tell(key, result, purgesNow);
        }
    }

    private void tell(CallKey key, CachedResult result, long purgesBefore) {
        LastingListener listener = listeners.get(key.network());
        if (listener != null) {
            listener.kept(key, result, purgesBefore);
        }
    }

    /**
     * Keeps a result, as {@link #keep}, and tells the listener of it.
     *
     * @param result holds an array of its own
     * @param purgesBefore {@link #purges} when the call began
     */
    public boolean put(CallKey key, CachedResult result, long purgesBefore) {
        boolean kept = keep(key, result, purgesBefore);
        if (kept && result.lasting()) {
            tell(key, result, purgesBefore);
        }
        return kept;
    }

    /**
     * Keeps a result, unless it is very large, or something was purged since its call began.
     *
     * @param result holds an array of its own
     * @param purgesBefore {@link #purges} when the call began
     */
    public boolean keep(CallKey key, CachedResult result, long purgesBefore) {
        if (weigh(key, result) > maxBytes / MAX_PART || purges.get() != purgesBefore) {
            return false;
        }
        if (results.asMap().containsKey(key) || !newcomers.offer(key, result)) {
            putWhole(key.compact(), result);
            newcomers.balance();
        }
        if (purges.get() != purgesBefore) {
            // The purge may have looked before this was there. In this order: it may become whole meanwhile.
            newcomers.remove(key);
            results.asMap().remove(key);
            return false;
        }
        return true;
    }

    /** Puts the same result, of which more is known, in the place of one, if that is still there. */
    public void replace(CallKey key, CachedResult result, CachedResult same) {
        bytes.addAndGet(weigh(key, same));
        if (!results.asMap().replace(key, result, same)) {
            bytes.addAndGet(-weigh(key, same));
        }
        newcomers.balance();
    }

    /** Takes away a result that was found to be wrong, unless another has taken its place. */
    public void remove(CallKey key, CachedResult result) {
        results.asMap().remove(key, result);
    }

    /** Takes away what an operator, or the end of a chain, says, and what is being asked for meanwhile. */
    public long purge(String network, Predicate<CachedResult> which) {
        purges.incrementAndGet();
        try {
            return removeIf(network, which);
        } finally {
            purges.incrementAndGet();
        }
    }

    /**
     * Takes away some results of a network. Looks at every one: not for an event loop.
     *
     * @return how many
     */
    public long removeIf(String network, Predicate<CachedResult> which) {
        // In this order: they become whole results, and not the other way round.
        long removed = newcomers.removeIf(network, which);
        for (var entry : results.asMap().entrySet()) {
            if (entry.getKey().network().equals(network)
                    && which.test(entry.getValue())
                    && results.asMap().remove(entry.getKey(), entry.getValue())) {
                removed++;
            }
        }
        return removed;
    }

    /** How many results are kept. */
    public long entries() {
        return results.estimatedSize() + newcomers.entries();
    }

    /** How many bytes they take. */
    public long bytes() {
        return bytes.get() + newcomers.bytes();
    }

    /** How many had to go for others since the start. */
    public long evictions() {
        return evictions.get() + newcomers.dropped();
    }
}
