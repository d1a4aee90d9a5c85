package io.weir.subscription.filter;

import com.codahale.metrics.Counter;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import com.github.benmanes.caffeine.cache.Scheduler;
import io.weir.access.Caller;
import io.weir.access.Holding;
import io.weir.config.NetworkConfig.FilterConfig;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RpcReply;
import io.weir.limit.Budget;
import io.weir.limit.Budget.KeyBudgets;
import io.weir.metrics.EnumCounters;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.metrics.OutOfMemory;
import io.weir.subscription.delivery.StreamMember;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Filters of one network's clients, by the proxy's ids. A full table accepts no more until one ends. If it evicted the
 * oldest instead, one client could remove the filters of all others. Thread-safe.
 */
final class FilterTable {

    /** Answer to a call about a filter that is lost. Geth's words, after which clients that know filters create a new one. */
    static final RpcReply.Failure NOT_FOUND = RpcReply.failure(ErrorCode.INVALID_INPUT.error("filter not found"));

    /** Filters of all clients: a few MiB of heap. What a key may have is a setting. */
    private static final int MAX = 10_000;

    /** A filter that nobody polls for this time ends, as at nodes. */
    static final Duration IDLE = Duration.ofMinutes(5);

    private final Random ids = new SecureRandom();
    private final Cache<String, StreamFilter> filters;
    private final Budget slots;
    private final KeyBudgets slotsOfKeys;
    private final FilterConfig config;
    private final Duration idle;
    private final Counter refused;
    private final EnumCounters<Ending> endings;

    /** Reason for a filter's end. */
    enum Ending {
        /** Its client removed it. */
        UNINSTALLED,
        /** No call used it. */
        IDLE,
        /** The stream of blocks could not go on, or no node gives pending transactions any more. */
        LOST,
        /** Its next change left the journal before it was polled. */
        EVICTED,
        /** Its key may reach other contracts now. */
        REVOKED
    }

    FilterTable(FilterConfig config, Meters meters, String network, Duration idle) {
        this(MAX, config, meters, network, idle);
    }

    /**
     * @param max filters of all clients
     * @param idle the time after which a filter ends that nobody polls
     */
    FilterTable(int max, FilterConfig config, Meters meters, String network, Duration idle) {
        this.slots = new Budget(max);
        this.slotsOfKeys = new KeyBudgets(config.maxPerKey());
        this.config = config;
        this.idle = idle;
        this.refused = meters.counter(Meter.FILTERS_REFUSED, network);
        this.endings = new EnumCounters<>(meters, Meter.FILTERS_ENDED, Ending.class, network);
        this.filters = Caffeine.newBuilder()
                .expireAfterAccess(idle)
                // A network that was replaced is asked for nothing any more, and its filters still have to end.
                .scheduler(Scheduler.systemScheduler())
                .executor(OutOfMemory::run)
                .removalListener(this::removed)
                .build();
        meters.gauge(Meter.FILTERS, this::size, network);
    }

    /** Returns the time after which a filter ends that nobody polls. */
    Duration idle() {
        return idle;
    }

    /**
     * Reserves a position for a new filter.
     *
     * @param holding of the filter, which has taken nothing; the filter's end gives back what it takes
     * @return null, or the reply if a limit is exceeded
     */
    RpcReply.@Nullable Failure reserve(Holding holding) {
        if (tryReserve(holding)) {
            return null;
        }
        filters.cleanUp();
        if (tryReserve(holding)) {
            return null;
        }
        refused.inc();
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
    String add(StreamFilter filter) {
        String id = StreamMember.newId(ids);
        filters.put(id, filter);
        return id;
    }

    /**
     * Returns the filter with this id if it belongs to this caller. This counts as a use of it. A filter ends whose caller may reach
     * other contracts now.
     */
    @Nullable
    StreamFilter find(String id, Caller caller) {
        StreamFilter filter = filters.getIfPresent(id);
        Caller owner = filter == null ? null : filter.holding().caller();
        if (filter == null || owner == null || !owner.name().equals(caller.name())) {
            return null;
        }
        if (!Objects.equals(owner.bounds().contracts(), caller.bounds().contracts())) {
            end(id, filter, Ending.REVOKED);
            return null;
        }
        return filter;
    }

    /** Removes a filter. Returns false if it had ended already. */
    boolean end(String id, StreamFilter filter, Ending ending) {
        boolean ended = filters.asMap().remove(id, filter);
        if (ended) {
            endings.count(ending);
        }
        return ended;
    }

    long size() {
        filters.cleanUp();
        return filters.estimatedSize();
    }

    private void removed(@Nullable String id, @Nullable StreamFilter filter, RemovalCause cause) {
        if (id == null || filter == null) {
            return;
        }
        filter.holding().close();
        if (cause.wasEvicted()) {
            endings.count(Ending.IDLE);
        }
        filter.ended();
    }
}
