package io.weir.pipeline.range;

import io.weir.access.Caller;
import io.weir.access.KeyRefusal;
import io.weir.config.NetworkConfig;
import io.weir.config.NetworkConfig.Verify;
import io.weir.config.UpstreamConfig;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.RpcReply.FailureKind;
import io.weir.limit.Budget;
import io.weir.method.CacheClass;
import io.weir.method.MethodFacts;
import io.weir.method.params.CheckedParams;
import io.weir.metrics.EnumCounters;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.CallGuard;
import io.weir.pipeline.Nodes;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.pipeline.evidence.VerificationContext;
import io.weir.pipeline.range.RangeRefusal.Reason;
import io.weir.pipeline.watch.NetworkChain;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
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

    private final Nodes nodes;
    private final NetworkChain chain;
    private final Budget bytes;
    private final RangeLimits limits;
    private final LogProofs proofs;
    private final EnumCounters<End> ends;
    private final EnumCounters<Piece> pieces;
    private final long maxBytes;
    private final boolean revokes;
    private final List<String> agreed;

    /** End of a range that was too large for a node, or was to be proven. */
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
            NetworkConfig config,
            Nodes nodes,
            NetworkChain chain,
            VerificationContext verification,
            Budget bytes,
            Meters meters,
            LongSupplier clock) {
        this.nodes = nodes;
        this.proofs = new LogProofs(config, nodes, verification, clock);
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

    /** Returns the stage that refuses lists of logs which are not proven; {@code next} if no proof is required. */
    public Stage requireProofs(MethodFacts facts, Stage next) {
        return facts.cacheClass() == CacheClass.LOGS && proofs.areRequired() ? proofs.before(next) : next;
    }

    /** Returns the stage that cuts the ranges of a method; {@code next} if its calls have none. */
    public Stage before(MethodFacts facts, Stage next) {
        boolean has = facts.params() != null && facts.cacheClass() == CacheClass.LOGS;
        // Nodes that must agree get the same range. Where a proof is required, it takes the place of their agreement.
        return has && (proofs.areRequired() || !agreed.contains(facts.name()))
                ? new LogRangeStage(facts.cost(), proofs.ofOneBlock(facts, next), next)
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
        private final Stage proven;
        private final Stage next;

        /**
         * Makes the stage of a method.
         *
         * @param cost of a piece in units
         * @param proven cuts the logs of one block out of its proven receipts
         */
        LogRangeStage(int cost, Stage proven, Stage next) {
            this.cost = cost;
            this.proven = proven;
            this.next = next;
        }

        @Override
        public void handle(CallContext context, ReplySink sink) {
            LogFilterRange filter = LogFilterRange.of(context);
            if (context.route().proof() != null) {
                context.setRoute(context.route().ofOtherCall());
                proven.handle(context, sink);
            } else if (filter != null && proofs.mayProve(context, filter.blocks())) {
                // A call for one block would wait for itself.
                Stage pieces = filter.blocks().length() == 1 ? this : proofs.calls();
                long deadline = proofs.hasten(context);
                new RangeCollection(cost, pieces, context, filter, new PieceLength(1, true), LogProofs.TOO_MANY, sink)
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

        private void ask(CallContext context, @Nullable LogFilterRange filter, ReplySink sink) {
            if (proofs.areRequired()) {
                sink.accept(LogProofs.unproven("", context.trace()));
            } else if (filter == null || filter.blocks().length() == 1) {
                next.handle(context, sink);
            } else {
                askRange(context, filter, sink);
            }
        }

        private void askRange(CallContext context, LogFilterRange filter, ReplySink sink) {
            long longest = limits.longest();
            if (longest < filter.blocks().length() && filter.blocks().pieces(longest) <= MAX_PIECES) {
                new RangeCollection(cost, next, context, filter, new PieceLength(longest, true), null, sink)
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
            new RangeCollection(cost, next, context, filter, length, reply, sink).begin(() -> sink.accept(reply));
        }

        /** Cuts the range for the nodes that would refuse the whole, because the others failed. */
        private void cutForOthers(
                CallContext context, LogFilterRange filter, Set<String> refusing, RpcReply reply, ReplySink sink) {
            long longest = limits.longestOf(refusing);
            if (longest < filter.blocks().length() && filter.blocks().pieces(longest) <= MAX_PIECES) {
                new RangeCollection(cost, next, context, filter, new PieceLength(longest, true), reply, sink)
                        .begin(() -> sink.accept(reply));
            } else {
                sink.accept(reply);
            }
        }
    }

    /**
     * Collection of the logs of one range in pieces. Each piece is a call with attempts of its own. A refused piece is cut further. The
     * first piece of a new length goes alone, the others together. If blocks of the range were replaced meanwhile, all begins anew, once.
     * Confined to the call's event loop.
     */
    private final class RangeCollection {

        private static final RpcReply TOO_LARGE =
                RpcReply.failure(ErrorCode.INVALID_INPUT.error("the result is larger than this proxy passes on"));
        private static final RpcReply NO_LOGS = RpcReply.unavailable("no upstream could answer: no valid answer");
        private static final RpcReply UNKNOWN =
                RpcReply.unavailable("no upstream could answer: the chain is not known");
        private static final RpcReply OVER_RATE = new RpcReply.Failure(
                ErrorCode.LIMIT_EXCEEDED.error(
                        "the pieces of the block range exceed the rate or the units of this api key"),
                RpcReply.FailureKind.RATE_LIMITED,
                1);
        private static final RpcReply REPLACED =
                RpcReply.unavailable("blocks of the range were replaced while its logs were collected");

        private final long cost;
        private final Stage next;
        private final CallContext context;
        private final LogFilterRange filter;
        private final PieceLength length;
        private final ReplySink sink;
        private final TreeMap<Long, BlockRange> open = new TreeMap<>();
        private final JoinedLogs logs;
        private final Set<String> sources = new HashSet<>();
        private @Nullable RpcReply refused;
        private @Nullable ChainAnchor anchor;
        private int asked;
        private int running;
        private boolean asking;
        private boolean anew;
        private boolean waiting;
        private boolean over;
        private boolean proves;
        private boolean proven = true;
        private Runnable otherwise = () -> {};

        /**
         * @param cost of a piece in units of the catalogue
         * @param next asks any node
         * @param length of the first piece
         * @param refused the error of the node that refused the whole range; null if none was asked
         */
        RangeCollection(
                int cost,
                Stage next,
                CallContext context,
                LogFilterRange filter,
                PieceLength length,
                @Nullable RpcReply refused,
                ReplySink sink) {
            this.cost = context.caller().bounds().costs().of(context.call().method(), cost);
            this.next = next;
            this.context = context;
            this.filter = filter;
            this.length = length;
            this.refused = refused;
            this.sink = sink;
            this.logs = new JoinedLogs(bytes, context.holder());
        }

        /** Begins with the blocks that must show their receipts, each in a piece; else as {@link #begin(Runnable)}. */
        void prove(Runnable otherwise) {
            proves = true;
            begin(otherwise);
        }

        /**
         * Begins.
         *
         * @param otherwise runs instead if the chain cannot be checked: pieces of the newest blocks could be of different chains
         */
        void begin(Runnable otherwise) {
            this.otherwise = otherwise;
            begin();
        }

        private void begin() {
            ChainAnchor.find(chain, context, filter.blocks().to(), found -> {
                anchor = found;
                if (found != null) {
                    open();
                } else if (anew || (proves && !isOwn())) {
                    end(anew ? End.REPLACED : End.FAILED, anew ? REPLACED : UNKNOWN);
                } else {
                    otherwise.run();
                }
            });
        }

        private void open() {
            List<BlockRange> ranges = proves ? proofs.open(filter) : List.of(filter.blocks());
            if (ranges == null) {
                giveUp();
                return;
            }
            ranges.forEach(range -> open.put(range.from(), range));
            askMore();
        }

        /** Leaves the call to what runs instead. */
        private void giveUp() {
            over = true;
            logs.close();
            otherwise.run();
        }

        /** Returns whether the proxy proves a list of its own accord, so that no key pays for it. */
        private boolean isOwn() {
            return proves && !proofs.areRequired();
        }

        /** Asks for further pieces while that is allowed. A piece that is answered at once returns here. */
        private void askMore() {
            if (asking || waiting) {
                return;
            }
            asking = true;
            try {
                while (!over && !waiting && !open.isEmpty() && running < (length.isTested() ? AT_ONCE : 1)) {
                    if (context.isClientGone()) {
                        end(End.FAILED, RpcReply.CLIENT_GONE);
                    } else if (isTooMuch()) {
                        end(End.REFUSED, refused == null ? NO_LOGS : refused);
                    } else if (isPaid()) {
                        ask(take(), false);
                    }
                }
            } finally {
                asking = false;
            }
            if (!over && running == 0 && open.isEmpty()) {
                check();
            }
        }

        /** Pays for a piece; the first one was paid with the call. Returns false if the next one waits until the key may pay. */
        private boolean isPaid() {
            boolean free = asked == 0 || isOwn();
            long wait = free ? 0 : Caller.admitMore(context.caller(), 1, cost);
            if (wait == 0) {
                context.trace().costsMore(free ? 0 : cost);
                return true;
            }
            if (wait >= context.deadlineNanos() - System.nanoTime()) {
                boolean ofDay = wait > TimeUnit.HOURS.toNanos(1);
                context.caller().account().refused(ofDay ? KeyRefusal.UNITS : KeyRefusal.RATE);
                end(End.REFUSED, OVER_RATE);
                return false;
            }
            waiting = true;
            context.loop()
                    .schedule(
                            () -> context.step(() -> guarded(() -> {
                                waiting = false;
                                askMore();
                            })),
                            wait,
                            TimeUnit.NANOSECONDS);
            return false;
        }

        /** Returns whether the range needs more calls than allowed. */
        private boolean isTooMuch() {
            long calls = asked;
            for (BlockRange range : open.values()) {
                calls += range.pieces(length.limit());
            }
            return asked >= MAX_PIECES || calls > MAX_PIECES;
        }

        private BlockRange take() {
            BlockRange first = open.pollFirstEntry().getValue();
            if (first.length() <= length.blocks()) {
                return first;
            }
            BlockRange rest = first.after(length.blocks());
            open.put(rest.from(), rest);
            return first.first(length.blocks());
        }

        /**
         * Asks for a piece.
         *
         * @param again whether the others failed, so that nodes are asked too that are known to refuse such a piece; or memory has no proof,
         *     so that nodes are asked
         */
        private void ask(BlockRange piece, boolean again) {
            asked++;
            running++;
            String hash = proves ? proofs.hash(piece.from()) : null;
            CheckedParams params = hash == null ? filter.paramsOf(piece) : filter.paramsOf(hash);
            RpcCall call = new RpcCall(RawJson.NULL, context.call().method(), params.json());
            CallContext aside = proves && again ? context.asidePastMemory(call) : context.aside(call);
            aside.checked(params);
            PieceAttempts attempts = new PieceAttempts(limits, piece);
            aside.setRoute(
                    proves ? LogProofs.route(aside.route()) : aside.route().observedBy(attempts));
            Set<String> refusing = again || proves ? Set.of() : limits.refusing(piece.length());
            new CallGuard(
                            aside,
                            reply -> guarded(() -> {
                                running--;
                                if (!over) {
                                    boolean once = !refusing.isEmpty() || (proves && !again);
                                    ended(piece, aside, attempts.refusal(), once, reply);
                                    askMore();
                                }
                            }))
                    .pass(refusing.isEmpty() ? next : nodes.without().apply(refusing));
        }

        /** Gives the budget back if a step fails. The call itself is answered by its guard. */
        private void guarded(Runnable step) {
            try {
                step.run();
            } catch (RuntimeException | Error e) {
                over = true;
                logs.close();
                throw e;
            }
        }

        /** @param once whether the piece may be asked for in another way */
        private void ended(
                BlockRange piece, CallContext aside, @Nullable RangeRefusal refusal, boolean once, RpcReply reply) {
            context.trace().askedAs(aside.trace());
            if (reply instanceof RpcReply.Result result) {
                pieces.count(Piece.ANSWERED);
                answered(piece, aside, once, result.value());
            } else if (refusal != null) {
                pieces.count(Piece.REFUSED);
                refused(piece, refusal, reply);
            } else {
                pieces.count(Piece.FAILED);
                if (isOwn()) {
                    proofs.failed();
                    end(End.UNPROVEN, reply);
                } else if (once && asked < MAX_PIECES) {
                    ask(piece, true);
                } else {
                    end(End.FAILED, reply);
                }
            }
        }

        private void answered(BlockRange piece, CallContext aside, boolean once, RawJson value) {
            if (value.first() != '[') {
                end(End.FAILED, NO_LOGS);
                return;
            }
            boolean complete = !proves || LogProofs.isComplete(aside.trace());
            if (!complete && once && aside.trace().hit()) {
                ask(piece, true);
                return;
            }
            proven &= complete;
            if (!proven && !isOwn()) {
                end(End.UNPROVEN, LogProofs.unproven(" of block " + piece.from(), aside.trace()));
                return;
            }
            String source = aside.trace().upstreamId();
            if (source != null) {
                sources.add(source);
            }
            logs.add(piece, value);
            length.answered(piece.length(), value.length());
            if (logs.size() > maxBytes) {
                end(End.FAILED, TOO_LARGE);
            }
        }

        private void refused(BlockRange piece, RangeRefusal refusal, RpcReply reply) {
            if (refused == null) {
                refused = reply;
            }
            if (piece.length() == 1) {
                end(End.REFUSED, refused);
            } else {
                length.refused(refusal);
                open.put(piece.from(), piece);
            }
        }

        private void check() {
            ChainAnchor known = Objects.requireNonNull(anchor);
            known.check(
                    chain,
                    context,
                    same -> guarded(() -> {
                        if (same && isOfOneChain(known)) {
                            join();
                        } else if (anew) {
                            end(End.REPLACED, REPLACED);
                        } else {
                            anew = true;
                            asked = 0;
                            proven = true;
                            sources.clear();
                            logs.clear();
                            begin();
                        }
                    }));
        }

        private boolean isOfOneChain(ChainAnchor known) {
            return !known.isOpen()
                    || logs.fit(chain.view().links(), chain.finalized().number() + 1);
        }

        private void join() {
            over = true;
            if (sources.size() > 1 && revokes) {
                context.trace().markJoined();
            }
            if (proves && proven) {
                ends.count(End.PROVEN);
                proofs.mark(context.trace(), asked == 0, filter.blocks());
            } else if (proves) {
                ends.count(End.UNPROVEN);
                proofs.failed();
            } else {
                ends.count(End.JOINED);
            }
            if (!logs.tryJoin(sink)) {
                logs.close();
                sink.accept(RpcReply.NO_ROOM);
            }
        }

        private void end(End how, RpcReply reply) {
            if (isOwn() && !context.isClientGone()) {
                ends.count(End.UNPROVEN);
                giveUp();
            } else {
                over = true;
                logs.close();
                ends.count(how);
                sink.accept(reply);
            }
        }
    }
}
