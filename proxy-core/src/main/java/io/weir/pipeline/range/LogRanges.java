package io.weir.pipeline.range;

import io.weir.chain.CanonicalLinks;
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
import io.weir.pipeline.evidence.Anchors;
import io.weir.pipeline.evidence.VerificationContext;
import io.weir.pipeline.range.RangeLimits.PieceAttempts;
import io.weir.pipeline.range.RangeRefusal.Reason;
import io.weir.pipeline.watch.NetworkChain;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lists of logs of one network that are put together from those of pieces: ranges that nodes refuse as too large, and lists that are proven
 * block by block. Makes the stages, and holds what their calls share. Thread-safe.
 */
public final class LogRanges {

    /**
     * The most calls for the pieces of one range, refused ones included: enough for 100,000 blocks at a node that takes 500, and a bound
     * to what one call costs at a provider.
     */
    static final int MAX_PIECES = 256;

    /** The most of these calls at once: few, because many providers limit the rate of such calls. */
    static final int AT_ONCE = 4;

    final Nodes nodes;
    final NetworkChain chain;
    final Budget bytes;
    final RangeLimits limits;
    final LogProofs proofs;
    final EnumCounters<End> ends;
    final long maxBytes;
    final boolean revokes;
    private final List<String> agreed;

    /** End of a range that was too large for a node, or was to be proven, and of a call for a piece of one. */
    enum End {
        /** The logs of its pieces were joined. */
        JOINED,
        /** They were, and are proven to be complete. */
        PROVEN,
        /** The logs of a block could not be proven. */
        UNPROVEN,
        /** It needs more pieces than allowed, or a single block is refused: the client got the node's error. */
        REFUSED,
        /** Twice, blocks of the range were replaced while pieces were under way. */
        REPLACED,
        /** A piece failed, or the logs are larger than the proxy passes on. */
        FAILED,
        /** A call for a piece was answered. */
        PIECE_ANSWERED,
        /** A piece was too large too. */
        PIECE_REFUSED,
        /** No node answered a call for a piece. */
        PIECE_FAILED
    }

    /**
     * Creates the parts, with no limit of a node known.
     *
     * @param store of headers, behind memory
     * @param bytes the budget of answers in flight
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    public LogRanges(
            NetworkConfig config,
            Nodes nodes,
            NetworkChain chain,
            VerificationContext verification,
            Anchors anchors,
            HeaderStore store,
            Budget bytes,
            Meters meters,
            LongSupplier clock) {
        this.nodes = nodes;
        this.proofs = new LogProofs(config, nodes, chain, verification, anchors, store, clock);
        this.chain = chain;
        this.bytes = bytes;
        this.limits = new RangeLimits(nodes.states(), clock);
        this.ends = new EnumCounters<>(meters, Meter.LOG_RANGES, End.class, config.name());
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

    /** Takes the headers of blocks that became final, which prove lists about them from now on. */
    public void takeFinal(CanonicalLinks links, long number) {
        proofs.takeFinal(links, number);
    }

    /** Forgets what is known of final blocks, because some were replaced, or everything is to be asked anew. */
    public void forget() {
        proofs.forget();
    }

    /** Returns the ranges of blocks, such as {@code 0-99}, whose logs are proven. They outlast a restart in files of the proxy. */
    public List<String> complete() {
        return proofs.complete().texts();
    }

    /** Returns whether a list of logs that is not proven is no answer to a call. */
    public boolean areProofsRequired(CallContext context) {
        return proofs.areRequired(context);
    }

    /** Returns the stage that refuses lists of logs which are not proven, where a proof is required; {@code next} for other methods. */
    public Stage requireProofs(MethodFacts facts, Stage next) {
        return facts.cacheClass() == CacheClass.LOGS ? proofs.before(next) : next;
    }

    /** Returns the stage that cuts the ranges of a method; {@code next} if its calls have none. */
    public Stage before(MethodFacts facts, Stage next) {
        return facts.params() != null && facts.cacheClass() == CacheClass.LOGS
                ? new LogRangeStage(facts.cost(), agreed.contains(facts.name()), proofs.ofOneBlock(facts, next), next)
                : next;
    }

    /**
     * Stage that cuts a range of logs that nodes refuse as too large, and joins the logs of its pieces. A range goes to nodes as it came
     * until one refuses it. Then {@link RangeLimits} remembers what the node takes, and the next range beyond that is cut at once. A range
     * that would need too many pieces is not cut. An error in words that may be a refusal is believed once half of the range gets it too.
     * Only ranges whose ends have numbers are cut; {@code latest} has the number of the head to which the call was held. Thread-safe.
     */
    private final class LogRangeStage implements Stage {

        private final int cost;
        private final boolean agree;
        private final Stage proven;
        private final Stage next;

        /**
         * Makes the stage of a method.
         *
         * @param cost of a piece in units
         * @param agree whether nodes must agree, which then get the same range. Where a proof is required, it takes the place of that
         * @param proven cuts the logs of one block out of its proven receipts
         */
        LogRangeStage(int cost, boolean agree, Stage proven, Stage next) {
            this.cost = cost;
            this.agree = agree;
            this.proven = proven;
            this.next = next;
        }

        @Override
        public void handle(CallContext context, ReplySink sink) {
            if (agree && !proofs.areRequired(context)) {
                next.handle(context, sink);
                return;
            }
            LogFilterRange filter = LogFilterRange.of(context);
            if (context.route().proof() != null) {
                // A piece of a list that is proven: the proof is of its block, not of a node's list.
                context.setRoute(context.route().ofOtherCall());
                proven.handle(context, sink);
            } else if (filter != null && proofs.mayProve(context, filter.blocks())) {
                // A call for one block would wait for itself.
                Stage pieces = filter.blocks().length() == 1 ? this : proofs.calls();
                long deadline = proofs.hasten(context);
                collection(pieces, context, filter, new PieceLength(1, true), LogProofs.TOO_MANY, sink)
                        .prove(() -> {
                            context.moveDeadline(deadline);
                            ask(context, filter, sink);
                        });
            } else if (proofs.mayProve(context)) {
                proofs.ask(context, proven, next, sink);
            } else {
                ask(context, filter, sink);
            }
        }

        private RangeCollection collection(
                Stage pieces,
                CallContext context,
                LogFilterRange filter,
                PieceLength length,
                @Nullable RpcReply refused,
                ReplySink sink) {
            return new RangeCollection(LogRanges.this, cost, pieces, context, filter, length, refused, sink);
        }

        private void ask(CallContext context, @Nullable LogFilterRange filter, ReplySink sink) {
            if (proofs.areRequired(context)) {
                sink.accept(LogProofs.refused(context));
            } else if (filter == null || filter.blocks().length() == 1) {
                next.handle(context, sink);
            } else {
                askRange(context, filter, sink);
            }
        }

        private void askRange(CallContext context, LogFilterRange filter, ReplySink sink) {
            long longest = limits.longest();
            if (longest < filter.blocks().length() && filter.blocks().pieces(longest) <= MAX_PIECES) {
                collection(next, context, filter, new PieceLength(longest, true), null, sink)
                        .begin(() -> askWhole(context, filter, sink));
            } else {
                askWhole(context, filter, sink);
            }
        }

        /** Sends the whole range to nodes that are not known to refuse it. */
        private void askWhole(CallContext context, LogFilterRange filter, ReplySink sink) {
            PieceAttempts attempts = new PieceAttempts(limits, filter.blocks());
            context.setRoute(context.route().observedBy(attempts));
            Set<String> refusing = limits.refusing(filter.blocks().length());
            Stage stage = refusing.isEmpty() ? next : nodes.without().apply(refusing);
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
            if (refusal.reason() == Reason.BLOCKS && filter.blocks().pieces(refusal.length()) > MAX_PIECES) {
                ends.count(End.REFUSED);
                sink.accept(reply);
                return;
            }
            PieceLength length = new PieceLength(filter.blocks().length(), false);
            length.refused(refusal);
            collection(next, context, filter, length, reply, sink).begin(() -> sink.accept(reply));
        }

        /** Cuts the range for the nodes that would refuse the whole, because the others failed. */
        private void cutForOthers(
                CallContext context, LogFilterRange filter, Set<String> refusing, RpcReply reply, ReplySink sink) {
            long longest = limits.longestOf(refusing);
            if (longest < filter.blocks().length() && filter.blocks().pieces(longest) <= MAX_PIECES) {
                collection(next, context, filter, new PieceLength(longest, true), reply, sink)
                        .begin(() -> sink.accept(reply));
            } else {
                sink.accept(reply);
            }
        }
    }
}
