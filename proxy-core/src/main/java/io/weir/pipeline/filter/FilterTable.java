package io.weir.pipeline.filter;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import com.github.benmanes.caffeine.cache.Scheduler;
import com.github.benmanes.caffeine.cache.Ticker;
import io.weir.access.Caller;
import io.weir.access.Holding;
import io.weir.config.NetworkConfig.FilterConfig;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.limit.Budget;
import io.weir.limit.KeyBudgets;
import io.weir.metrics.OutOfMemory;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Filters of one network's clients, by the proxy's ids. A full table accepts no more until one ends. If it evicted the
 * oldest instead, one client could remove the filters of all others. Thread-safe.
 */
public final class FilterTable {

    /** Answer to a call about a filter that is lost. Geth's words, after which clients that know filters create a new one. */
    public static final RpcReply.Failure NOT_FOUND =
            RpcReply.failure(ErrorCode.INVALID_INPUT.error("filter not found"));

    /** Answer to the removal of a filter. */
    public static final RpcReply REMOVED = new RpcReply.Result(RawJson.of("true"));

    /** Answer to the removal of a filter that the caller does not have. */
    public static final RpcReply NOT_REMOVED = new RpcReply.Result(RawJson.of("false"));

    /** Filters of all clients: a few MiB of heap. What a key may have is a setting. */
    private static final int MAX = 10_000;

    /** A filter that nobody polls for this time ends, as at nodes. */
    public static final Duration IDLE = Duration.ofMinutes(5);

    private final FilterIds ids = new FilterIds(new SecureRandom());
    private final Cache<String, OpenFilter> filters;
    private final Budget slots;
    private final KeyBudgets slotsOfKeys;
    private final FilterConfig config;
    private final Duration idle;
    private final FilterMeters meters;

    FilterTable(FilterConfig config, FilterMeters meters, Duration idle) {
        this(MAX, config, meters, idle, Ticker.systemTicker());
    }

    /** @param max filters of all clients */
    FilterTable(int max, FilterConfig config, FilterMeters meters, Duration idle, Ticker ticker) {
        this.slots = new Budget(max);
        this.slotsOfKeys = new KeyBudgets(config.maxPerKey());
        this.config = config;
        this.idle = idle;
        this.meters = meters;
        this.filters = Caffeine.newBuilder()
                .expireAfterAccess(idle)
                .ticker(ticker)
                // A network that was replaced is asked for nothing any more, and its filters still have to end.
                .scheduler(Scheduler.systemScheduler())
                .executor(OutOfMemory::run)
                .removalListener(this::removed)
                .build();
    }

    /** Returns the time after which a filter ends that nobody polls. */
    public Duration idle() {
        return idle;
    }

    /**
     * Reserves a position for a new filter.
     *
     * @param holding of the filter, which has taken nothing; the filter's end gives back what it takes
     * @return null, or the reply if a limit is exceeded
     */
    public RpcReply.@Nullable Failure reserve(Holding holding) {
        if (tryReserve(holding)) {
            return null;
        }
        filters.cleanUp();
        if (tryReserve(holding)) {
            return null;
        }
        meters.countRefused();
        return RpcReply.failure(ErrorCode.LIMIT_EXCEEDED.error(
                holding.own(slotsOfKeys).hasCapacity()
                        ? "too many filters are open " + holding.refused(slots, 1)
                        : "too many filters of this key are open (expected: at most " + config.maxPerKey() + ")"));
    }

    private boolean tryReserve(Holding holding) {
        if (!holding.tryTake(slotsOfKeys, 1)) {
            return false;
        }
        boolean reserved = holding.tryTake(slots, 1);
        if (!reserved) {
            holding.close();
        }
        return reserved;
    }

    /** Adds a filter at its reserved position, and returns its id. */
    public String add(OpenFilter filter) {
        String id = ids.next();
        filters.put(id, filter);
        return id;
    }

    /**
     * Returns the filter with this id if it belongs to this caller. This counts as a use of it. A filter ends whose caller may reach
     * other contracts now.
     */
    public @Nullable OpenFilter find(String id, Caller caller) {
        OpenFilter filter = filters.getIfPresent(id);
        Caller owner = filter == null ? null : filter.holding().caller();
        if (filter == null || owner == null || !owner.name().equals(caller.name())) {
            return null;
        }
        if (!Objects.equals(owner.bounds().contracts(), caller.bounds().contracts())) {
            end(id, filter, FilterEnding.REVOKED);
            return null;
        }
        return filter;
    }

    /** Returns the filter with this id, whosever it is. */
    @Nullable
    OpenFilter at(String id) {
        return filters.asMap().get(id);
    }

    /** Removes a filter. Returns false if it had ended already. */
    public boolean end(String id, OpenFilter filter, FilterEnding ending) {
        boolean ended = filters.asMap().remove(id, filter);
        if (ended) {
            meters.count(ending);
        }
        return ended;
    }

    /** Returns the number of filters. */
    public long size() {
        filters.cleanUp();
        return filters.estimatedSize();
    }

    private void removed(@Nullable String id, @Nullable OpenFilter filter, RemovalCause cause) {
        if (id == null || filter == null) {
            return;
        }
        filter.holding().close();
        if (cause.wasEvicted()) {
            meters.count(FilterEnding.IDLE);
        }
        filter.ended(id, cause.wasEvicted());
    }
}
