package io.weir.pipeline.filter;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import com.github.benmanes.caffeine.cache.Ticker;
import io.weir.config.NetworkConfig.FilterConfig;
import io.weir.jsonrpc.RawJson;
import io.weir.metrics.OutOfMemory;
import io.weir.pipeline.filter.FilterMeters.Ending;
import io.weir.upstream.Upstream;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Filters of one network's clients, by the proxy's ids. A full table accepts no more until one ends. If it evicted the
 * oldest instead, one client could remove the filters of all others. Thread-safe.
 */
final class FilterTable {

    private final FilterIds ids = new FilterIds(new SecureRandom());
    private final Cache<String, HeldFilter> filters;
    /** The proxy's ids by the node's own ids. */
    private final ConcurrentMap<AtNode, String> byNode = new ConcurrentHashMap<>();

    private final Semaphore slots;
    /** Free positions by the names of keys, whose number the configuration limits. */
    private final ConcurrentMap<String, Semaphore> slotsOfKeys = new ConcurrentHashMap<>();

    private final FilterConfig config;
    private final FilterMeters meters;
    private final Consumer<HeldFilter> idle;

    private record AtNode(Upstream upstream, RawJson nodeId) {
        static AtNode of(HeldFilter filter) {
            return new AtNode(filter.upstream(), filter.nodeId());
        }
    }

    /**
     * Creates an empty table.
     *
     * @param idle receives filters that were unused for too long, on the thread that finds them
     */
    FilterTable(FilterConfig config, FilterMeters meters, Consumer<HeldFilter> idle, Ticker ticker) {
        this.slots = new Semaphore(config.max());
        this.config = config;
        this.meters = meters;
        this.idle = idle;
        this.filters = Caffeine.newBuilder()
                .expireAfterAccess(Duration.ofMillis(config.idleMillis()))
                .ticker(ticker)
                .executor(OutOfMemory::run)
                .removalListener(this::removed)
                .build();
    }

    /**
     * Reserves a position for a new filter.
     *
     * @return null, or the exceeded limit
     */
    @Nullable
    String reserve(String caller) {
        String excess = tryReserve(caller);
        if (excess == null) {
            return null;
        }
        filters.cleanUp();
        return tryReserve(caller);
    }

    private @Nullable String tryReserve(String caller) {
        Semaphore ofKey = placesOf(caller);
        if (!ofKey.tryAcquire()) {
            return "too many filters of this key are open (expected: at most " + config.maxPerKey() + ")";
        }
        if (!slots.tryAcquire()) {
            ofKey.release();
            return "too many filters are open (expected: at most " + config.max() + ")";
        }
        return null;
    }

    /** Releases the position of a filter that was not created. */
    void release(String caller) {
        slots.release();
        placesOf(caller).release();
    }

    private Semaphore placesOf(String caller) {
        return slotsOfKeys.computeIfAbsent(caller, name -> new Semaphore(config.maxPerKey()));
    }

    /** Adds a filter at its caller's reserved position, and returns its id. */
    String add(HeldFilter filter) {
        String id = ids.next();
        filters.put(id, filter);
        String before = byNode.put(AtNode.of(filter), id);
        HeldFilter forgotten = before == null ? null : filters.asMap().get(before);
        if (before != null && forgotten != null) {
            // A restarted node assigns the same ids again. The former owner would see the changes of another filter.
            end(before, forgotten, Ending.REPLACED);
        }
        return id;
    }

    /** Returns the filter with this id if it belongs to this caller. */
    @Nullable
    HeldFilter find(String id, String caller) {
        HeldFilter filter = filters.getIfPresent(id);
        return filter != null && filter.caller().equals(caller) ? filter : null;
    }

    /** Removes a filter. Returns false if it had ended already. */
    boolean end(String id, HeldFilter filter, Ending ending) {
        boolean ended = filters.asMap().remove(id, filter);
        if (ended) {
            meters.count(ending);
        }
        return ended;
    }

    /** Returns the number of filters. */
    long size() {
        filters.cleanUp();
        return filters.estimatedSize();
    }

    private void removed(@Nullable String id, @Nullable HeldFilter filter, RemovalCause cause) {
        if (id == null || filter == null) {
            return;
        }
        release(filter.caller());
        byNode.remove(AtNode.of(filter), id);
        if (cause.wasEvicted()) {
            meters.count(Ending.IDLE);
            idle.accept(filter);
        }
    }
}
