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
 * The filters that clients of one network hold, by the proxy's ids. A full table takes no more until one ends: were the
 * oldest dropped in place of that, one client could take the filters of all others away. Thread-safe.
 */
final class FilterTable {

    private final FilterIds ids = new FilterIds(new SecureRandom());
    private final Cache<String, HeldFilter> filters;
    /** The proxy's id of what a node holds under an id of its own. */
    private final ConcurrentMap<AtNode, String> byNode = new ConcurrentHashMap<>();

    private final Semaphore places;
    /** By the names of keys, of which the configuration has so many. */
    private final ConcurrentMap<String, Semaphore> placesOfKeys = new ConcurrentHashMap<>();

    private final FilterConfig config;
    private final FilterMeters meters;
    private final Consumer<HeldFilter> idle;

    private record AtNode(Upstream upstream, RawJson nodeId) {
        static AtNode of(HeldFilter filter) {
            return new AtNode(filter.upstream(), filter.nodeId());
        }
    }

    /**
     * Makes an empty table.
     *
     * @param idle hears of filters that nobody asked about for too long, on whatever thread finds them
     */
    FilterTable(FilterConfig config, FilterMeters meters, Consumer<HeldFilter> idle, Ticker ticker) {
        this.places = new Semaphore(config.max());
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
     * Takes a place for a filter that is about to be made.
     *
     * @return null, or the bound that is reached where no place is left
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
        if (!places.tryAcquire()) {
            ofKey.release();
            return "too many filters are open (expected: at most " + config.max() + ")";
        }
        return null;
    }

    /** Gives the place back of a filter that was not made. */
    void release(String caller) {
        places.release();
        placesOf(caller).release();
    }

    private Semaphore placesOf(String caller) {
        return placesOfKeys.computeIfAbsent(caller, name -> new Semaphore(config.maxPerKey()));
    }

    /** Puts a filter into the place taken for its caller, and gives its id. */
    String add(HeldFilter filter) {
        String id = ids.next();
        filters.put(id, filter);
        String before = byNode.put(AtNode.of(filter), id);
        HeldFilter forgotten = before == null ? null : filters.asMap().get(before);
        if (before != null && forgotten != null) {
            // A node that began anew counts from the start again: who held that id before would see another's changes.
            end(before, forgotten, Ending.REPLACED);
        }
        return id;
    }

    /** The filter of this id, where it is this caller's. */
    @Nullable
    HeldFilter find(String id, String caller) {
        HeldFilter filter = filters.getIfPresent(id);
        return filter != null && filter.caller().equals(caller) ? filter : null;
    }

    /** Forgets a filter; false where it had ended already. */
    boolean end(String id, HeldFilter filter, Ending ending) {
        boolean ended = filters.asMap().remove(id, filter);
        if (ended) {
            meters.count(ending);
        }
        return ended;
    }

    /** How many there are. */
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
