package io.weir.pipeline.range;

import io.weir.config.NetworkConfig;
import io.weir.config.NetworkConfig.Verify;
import io.weir.config.UpstreamConfig;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.RpcReply.FailureKind;
import io.weir.limit.Budget;
import io.weir.method.CacheClass;
import io.weir.method.MethodFacts;
import io.weir.metrics.EnumCounters;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.Nodes;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.pipeline.range.RangeRefusal.Reason;
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

    /**
     * Stage that cuts a range of logs that nodes refuse as too large, and joins the logs of its pieces. A range goes to nodes as it came
     * until one refuses it. Then {@link RangeLimits} remembers what the node takes, and the next range beyond that is cut at once. A range
     * that would need too many pieces is not cut. An error in words that may be a refusal is believed once half of the range gets it too. Only ranges whose ends have numbers are cut; {@code latest} has the number of the head
     * to which the call was held. Thread-safe.
     */
    private static final class LogRangeStage implements Stage {

        private final LogRanges ranges;
        private final int cost;
        private final Stage next;

        /** @param cost of a piece in units */
        LogRangeStage(LogRanges ranges, int cost, Stage next) {
            this.ranges = ranges;
            this.cost = cost;
            this.next = next;
        }

        @Override
        public void handle(CallContext context, ReplySink sink) {
            LogFilterRange filter = LogFilterRange.of(context);
            if (filter == null) {
                next.handle(context, sink);
                return;
            }
            long longest = ranges.limits().longest();
            if (longest < filter.blocks().length() && isPossible(filter, longest)) {
                new RangeCollection(ranges, cost, next, context, filter, new PieceLength(longest, true), null, sink)
                        .begin(() -> askWhole(context, filter, sink));
            } else {
                askWhole(context, filter, sink);
            }
        }

        private boolean isPossible(LogFilterRange filter, long length) {
            return filter.blocks().pieces(length) <= LogRanges.MAX_PIECES;
        }

        /** Sends the whole range to nodes that are not known to refuse it. */
        private void askWhole(CallContext context, LogFilterRange filter, ReplySink sink) {
            PieceAttempts attempts = new PieceAttempts(ranges.limits(), filter.blocks());
            context.observedBy(attempts);
            Set<String> refusing = ranges.limits().refusing(filter.blocks().length());
            Stage stage = refusing.isEmpty() ? next : ranges.without(refusing);
            stage.handle(context, reply -> {
                RangeRefusal refusal = attempts.refusal();
                RangeRefusal doubtful = attempts.doubtfulRefusal();
                if (!(reply instanceof RpcReply.Failure failure)) {
                    sink.accept(reply);
                } else if (refusal != null) {
                    cut(context, filter, refusal, reply, sink);
                } else if (!refusing.isEmpty() && (failure.kind() != FailureKind.ANSWER || doubtful != null)) {
                    cutForOthers(context, filter, refusing, reply, sink);
                } else if (doubtful != null && failure.kind() == FailureKind.ANSWER) {
                    cut(context, filter, doubtful, reply, sink);
                } else {
                    sink.accept(reply);
                }
            });
        }

        private void cut(
                CallContext context, LogFilterRange filter, RangeRefusal refusal, RpcReply reply, ReplySink sink) {
            if (refusal.reason() == Reason.BLOCKS && !isPossible(filter, refusal.length())) {
                ranges.ends().count(End.REFUSED);
                sink.accept(reply);
                return;
            }
            PieceLength length = new PieceLength(filter.blocks().length(), false);
            length.refused(refusal);
            new RangeCollection(ranges, cost, next, context, filter, length, reply, sink)
                    .begin(() -> sink.accept(reply));
        }

        /** Cuts the range for the nodes that would refuse the whole, because the others failed. */
        private void cutForOthers(
                CallContext context, LogFilterRange filter, Set<String> refusing, RpcReply reply, ReplySink sink) {
            long longest = ranges.limits().longestOf(refusing);
            if (longest < filter.blocks().length() && isPossible(filter, longest)) {
                new RangeCollection(ranges, cost, next, context, filter, new PieceLength(longest, true), reply, sink)
                        .begin(() -> sink.accept(reply));
            } else {
                sink.accept(reply);
            }
        }
    }
}
