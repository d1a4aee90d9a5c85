package io.weir.pipeline.range;

import io.weir.access.Caller;
import io.weir.access.KeyRefusal;
import io.weir.chain.CanonicalLinks;
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
import io.weir.pipeline.range.RangeRefusal.Reason;
import io.weir.pipeline.watch.NetworkChain;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Ranges of logs that one network's nodes refuse as too large: makes the stages, and holds what their calls share. Thread-safe. */
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
        return has && !agreed.contains(facts.name()) ? new LogRangeStage(facts.cost(), next) : next;
    }

    /**
     * Stage that cuts a range of logs that nodes refuse as too large, and joins the logs of its pieces. A range goes to nodes as it came
     * until one refuses it. Then {@link RangeLimits} remembers what the node takes, and the next range beyond that is cut at once. A range
     * that would need too many pieces is not cut. An error in words that may be a refusal is believed once half of the range gets it too.
     * Only ranges whose ends have numbers are cut; {@code latest} has the number of the head to which the call was held. Thread-safe.
     */
    private final class LogRangeStage implements Stage {

        private final int cost;
        private final Stage next;

        /** @param cost of a piece in units */
        LogRangeStage(int cost, Stage next) {
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
            long longest = limits.longest();
            if (longest < filter.blocks().length() && isPossible(filter, longest)) {
                new RangeCollection(cost, next, context, filter, new PieceLength(longest, true), null, sink)
                        .begin(() -> askWhole(context, filter, sink));
            } else {
                askWhole(context, filter, sink);
            }
        }

        private boolean isPossible(LogFilterRange filter, long length) {
            return filter.blocks().pieces(length) <= MAX_PIECES;
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
            if (refusal.reason() == Reason.BLOCKS && !isPossible(filter, refusal.length())) {
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
            if (longest < filter.blocks().length() && isPossible(filter, longest)) {
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

        /**
         * Begins.
         *
         * @param otherwise runs instead if the chain cannot be checked: pieces of the newest blocks could be of different chains
         */
        void begin(Runnable otherwise) {
            ChainAnchor.find(chain, context, filter.blocks().to(), found -> {
                anchor = found;
                if (found != null) {
                    begin();
                } else if (anew) {
                    end(End.REPLACED, REPLACED);
                } else {
                    otherwise.run();
                }
            });
        }

        private void begin() {
            open.put(filter.blocks().from(), filter.blocks());
            askMore();
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
            long wait = asked == 0 ? 0 : Caller.admitMore(context.caller(), 1, cost);
            if (wait == 0) {
                context.trace().costsMore(asked == 0 ? 0 : cost);
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

        /** @param everywhere whether nodes that are known to refuse such a piece are asked too, because the others failed */
        private void ask(BlockRange piece, boolean everywhere) {
            asked++;
            running++;
            CheckedParams params = filter.paramsOf(piece);
            CallContext aside =
                    context.aside(new RpcCall(RawJson.NULL, context.call().method(), params.json()));
            aside.checked(params);
            PieceAttempts attempts = new PieceAttempts(limits, piece);
            aside.setRoute(aside.route().observedBy(attempts));
            Set<String> refusing = everywhere ? Set.of() : limits.refusing(piece.length());
            new CallGuard(
                            aside,
                            reply -> guarded(() -> {
                                running--;
                                if (!over) {
                                    ended(piece, aside, attempts.refusal(), !refusing.isEmpty(), reply);
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

        private void ended(
                BlockRange piece, CallContext aside, @Nullable RangeRefusal refusal, boolean chosen, RpcReply reply) {
            context.trace().askedAs(aside.trace());
            if (reply instanceof RpcReply.Result result) {
                pieces.count(Piece.ANSWERED);
                answered(piece, aside, result.value());
            } else if (refusal != null) {
                pieces.count(Piece.REFUSED);
                refused(piece, refusal, reply);
            } else {
                pieces.count(Piece.FAILED);
                if (chosen && asked < MAX_PIECES) {
                    ask(piece, true);
                } else {
                    end(End.FAILED, reply);
                }
            }
        }

        private void answered(BlockRange piece, CallContext aside, RawJson value) {
            if (value.first() != '[') {
                end(End.FAILED, NO_LOGS);
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
            ChainAnchor known = anchor;
            if (known == null) {
                return;
            }
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
                            sources.clear();
                            logs.clear();
                            begin(() -> {});
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
            ends.count(End.JOINED);
            if (!logs.tryJoin(sink)) {
                logs.close();
                sink.accept(RpcReply.NO_ROOM);
            }
        }

        private void end(End how, RpcReply reply) {
            over = true;
            logs.close();
            ends.count(how);
            sink.accept(reply);
        }
    }

    /**
     * Canonical block that shows whether the blocks of a range were replaced: while it is canonical, all blocks below it are. Immutable.
     *
     * @param hash of the block; null if the range is final, so that nothing can replace its blocks
     */
    private record ChainAnchor(long number, @Nullable String hash) {

        /** Anchor of final blocks. */
        private static final ChainAnchor FINAL = new ChainAnchor(-1, null);

        /**
         * Finds the anchor of a range. The newest known block takes the place of a last block that is not known.
         *
         * @param to the last block of the range
         * @param sink gets the anchor, on the call's loop; null if the chain cannot be checked
         */
        static void find(NetworkChain chain, CallContext context, long to, Consumer<@Nullable ChainAnchor> sink) {
            if (chain.finalized().covers(to)) {
                sink.accept(FINAL);
                return;
            }
            whenFresh(
                    chain, context, fresh -> sink.accept(fresh ? of(chain.view().links(), to) : null));
        }

        private static @Nullable ChainAnchor of(CanonicalLinks links, long to) {
            long number = links.hash(to) == null ? links.top() : to;
            String hash = links.hash(number);
            return hash == null ? null : new ChainAnchor(number, hash);
        }

        /**
         * Checks the chain.
         *
         * @param sink gets whether the block is still canonical, on the call's loop; false if that is not known
         */
        void check(NetworkChain chain, CallContext context, Consumer<Boolean> sink) {
            if (hash == null) {
                sink.accept(true);
            } else {
                whenFresh(
                        chain,
                        context,
                        fresh -> sink.accept(fresh && hash.equals(chain.view().hash(number))));
            }
        }

        private static void whenFresh(NetworkChain chain, CallContext context, Consumer<Boolean> sink) {
            chain.watch()
                    .whenFresh(
                            context.loop(), context.deadlineNanos(), fresh -> context.step(() -> sink.accept(fresh)));
        }

        /** Returns whether blocks up to a height can be replaced. */
        boolean isOpen() {
            return hash != null;
        }
    }
}
