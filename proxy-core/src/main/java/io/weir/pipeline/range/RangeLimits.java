package io.weir.pipeline.range;

import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.Route;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.UpstreamStatus;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Ranges that the nodes of one network take, as their refusals showed. A limit is forgotten after a time, and once the node takes a
 * longer range. Refusals for the number of results teach nothing, because they depend on the filter. There is one limit for each
 * configured node at most. Thread-safe.
 *
 * <p>A call goes to nodes that are not known to refuse its range. If the lowest tier with a usable node has none, the range is cut by
 * the largest limit in that tier. A node with a small limit thus makes no more pieces than needed.
 */
final class RangeLimits {

    /** Length of ranges that any node may take. */
    static final long NONE = Long.MAX_VALUE;

    /** Limits of providers change rarely; a node is asked in vain once in this time. */
    private static final long REMEMBER_NANOS = TimeUnit.HOURS.toNanos(1);

    private final Supplier<List<UpstreamStatus>> nodes;
    private final LongSupplier clock;
    private final Map<String, Limit> limits = new ConcurrentHashMap<>();

    /** Limit of a node. Immutable. */
    private record Limit(long length, long sinceNanos) {}

    /**
     * @param nodes the present states of the network's nodes
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    RangeLimits(Supplier<List<UpstreamStatus>> nodes, LongSupplier clock) {
        this.nodes = nodes;
        this.clock = clock;
    }

    /** Returns the longest range that a node is known to take; {@link #NONE} if it refused none lately. */
    long of(String upstreamId) {
        Limit limit = limits.get(upstreamId);
        long length = limit == null ? NONE : of(limit);
        if (limit != null && length == NONE) {
            limits.remove(upstreamId, limit);
        }
        return length;
    }

    /** Notes that a node refused a range for its number of blocks. */
    void refused(String upstreamId, RangeRefusal refusal) {
        limits.compute(
                upstreamId,
                (id, known) -> known != null && of(known) <= refusal.length()
                        ? known
                        : new Limit(refusal.length(), clock.getAsLong()));
    }

    private long of(Limit limit) {
        return clock.getAsLong() - limit.sinceNanos() >= REMEMBER_NANOS ? NONE : limit.length();
    }

    /** Notes that a node took a range. */
    void took(String upstreamId, long length) {
        Limit limit = limits.get(upstreamId);
        if (limit != null && limit.length() < length) {
            limits.remove(upstreamId, limit);
        }
    }

    /** Returns the longest range that a usable node of the lowest tier may take; {@link #NONE} if one has no known limit. */
    long longest() {
        if (limits.isEmpty()) {
            return NONE;
        }
        int tier = Integer.MAX_VALUE;
        long longest = NONE;
        for (UpstreamStatus node : nodes.get()) {
            if (node.isInPool() && node.tier() <= tier) {
                long limit = of(node.id());
                longest = node.tier() < tier ? limit : Math.max(longest, limit);
                tier = node.tier();
            }
        }
        return longest;
    }

    /** Returns the longest range that one of these nodes may take. */
    long longestOf(Set<String> upstreamIds) {
        return upstreamIds.stream().mapToLong(this::of).max().orElse(NONE);
    }

    /** Returns the nodes that are known to refuse ranges of a length; none if no usable node would be left. */
    Set<String> refusing(long length) {
        if (limits.isEmpty()) {
            return Set.of();
        }
        Set<String> refusing = new HashSet<>();
        boolean left = false;
        for (UpstreamStatus node : nodes.get()) {
            if (of(node.id()) < length) {
                refusing.add(node.id());
            } else {
                left |= node.isInPool();
            }
        }
        return left ? refusing : Set.of();
    }

    /**
     * Attempts to get the logs of one range. Notes what nodes take and refuse. Of several refusals the one counts that leaves the longest
     * range. Confined to the call's event loop.
     */
    static final class PieceAttempts implements Route.Observer {

        private final RangeLimits limits;
        private final BlockRange range;
        private @Nullable RangeRefusal refusal;
        private boolean doubtful;

        PieceAttempts(RangeLimits limits, BlockRange range) {
            this.limits = limits;
            this.range = range;
        }

        @Override
        public void ended(String upstreamId, NodeOutcome outcome) {
            if (outcome instanceof Answered answered && !(answered.reply() instanceof RpcReply.Failure)) {
                limits.took(upstreamId, range.length());
                return;
            }
            RangeRefusal next = RangeRefusal.of(outcome, range);
            if (next == null) {
                doubtful |= RangeRefusal.mayBe(outcome);
                return;
            }
            if (next.reason() == RangeRefusal.Reason.BLOCKS) {
                limits.refused(upstreamId, next);
            }
            if (refusal == null || refusal.length() < next.length()) {
                refusal = next;
            }
        }

        /** Returns the refusal that counts; null if no node refused the range. */
        @Nullable
        RangeRefusal refusal() {
            return refusal;
        }

        /** Returns the refusal that a node's other words may be; null if there are none. */
        @Nullable
        RangeRefusal doubtfulRefusal() {
            return doubtful ? RangeRefusal.halving(range) : null;
        }
    }
}
