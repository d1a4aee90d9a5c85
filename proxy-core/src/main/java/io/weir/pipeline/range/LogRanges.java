package io.weir.pipeline.range;

import io.weir.config.NetworkConfig;
import io.weir.config.NetworkConfig.Verify;
import io.weir.config.UpstreamConfig;
import io.weir.limit.Budget;
import io.weir.method.CacheClass;
import io.weir.method.MethodFacts;
import io.weir.metrics.EnumCounters;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.pipeline.Nodes;
import io.weir.pipeline.Stage;
import io.weir.pipeline.watch.NetworkChain;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/** Parts that the ranges of logs of one network share. Immutable; its parts are thread-safe. */
public final class LogRanges {

    /**
     * The most calls for the pieces of one range, refused ones included: enough for 100,000 blocks at a node that takes 500, and a bound
     * to what one call costs at a provider.
     */
    static final int MAX_PIECES = 256;

    /** The most of these calls at once: few, because many providers limit the rate of such calls. */
    static final int AT_ONCE = 4;

    private final Nodes nodes;
    private final NetworkChain chain;
    private final Budget bytes;
    private final RangeLimits limits;
    private final EnumCounters<End> ends;
    private final EnumCounters<Piece> pieces;
    private final long maxBytes;
    private final boolean revokes;
    private final List<String> agreed;

    /** End of a range that was too large for a node. */
    enum End {
        /** The logs of its pieces were joined. */
        JOINED,
        /** It needs more pieces than allowed, or a single block is refused: the client got the node's error. */
        REFUSED,
        /** Twice, blocks of the range were replaced while pieces were under way. */
        REPLACED,
        /** A piece failed, or the logs are larger than the proxy passes on. */
        FAILED
    }

    /** Outcome of a call for a piece. */
    enum Piece {
        /** A node answered. */
        ANSWERED,
        /** It was too large too. */
        REFUSED,
        /** No node answered. */
        FAILED
    }

    /**
     * Creates the parts, with no limit of a node known.
     *
     * @param bytes the budget of answers in flight
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    public LogRanges(
            NetworkConfig config, Nodes nodes, NetworkChain chain, Budget bytes, Meters meters, LongSupplier clock) {
        this.nodes = nodes;
        this.chain = chain;
        this.bytes = bytes;
        this.limits = new RangeLimits(nodes.states(), clock);
        this.ends = new EnumCounters<>(meters, Meter.LOG_RANGES, End.class, config.name());
        this.pieces = new EnumCounters<>(meters, Meter.LOG_RANGE_CALLS, Piece.class, config.name());
        this.maxBytes = config.upstreams().values().stream()
                .mapToLong(UpstreamConfig::maxResponseBytes)
                .max()
                .orElse(0);
        this.revokes = config.verify() != Verify.OFF;
        this.agreed = config.agree().methods();
        for (String id : config.upstreams().keySet()) {
            meters.gauge(
                    Meter.LOG_RANGE_LIMIT,
                    () -> limits.of(id) == RangeLimits.NONE ? 0 : limits.of(id),
                    config.name(),
                    id);
        }
    }

    /** Returns the stage that cuts the ranges of a method; {@code next} if its calls have none. */
    public Stage before(MethodFacts facts, Stage next) {
        boolean has = facts.params() != null && facts.cacheClass() == CacheClass.LOGS;
        // Nodes that must agree get the same range.
        return has && !agreed.contains(facts.name()) ? new LogRangeStage(this, facts.cost(), next) : next;
    }

    NetworkChain chain() {
        return chain;
    }

    Budget bytes() {
        return bytes;
    }

    RangeLimits limits() {
        return limits;
    }

    EnumCounters<End> ends() {
        return ends;
    }

    EnumCounters<Piece> pieces() {
        return pieces;
    }

    /** Returns the size of the largest answer of a node that passes. */
    long maxBytes() {
        return maxBytes;
    }

    /** Returns whether a node may lose the unproven results that it gave. */
    boolean revokes() {
        return revokes;
    }

    /** Returns the stage that asks any node except these. */
    Stage without(Set<String> upstreamIds) {
        return nodes.without().apply(upstreamIds);
    }
}
