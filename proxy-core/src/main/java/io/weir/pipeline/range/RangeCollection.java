package io.weir.pipeline.range;

import io.weir.access.KeyRefusal;
import io.weir.chain.CanonicalLinks;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.ChainCalls;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.method.params.CheckedParams;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.CallGuard;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.pipeline.range.HeaderRuns.Headers;
import io.weir.pipeline.range.LogRanges.End;
import io.weir.pipeline.range.RangeLimits.PieceAttempts;
import io.weir.pipeline.watch.NetworkChain;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Collection of the logs of one range in pieces. Each piece is a call with attempts of its own. A refused piece is cut further. The
 * first piece of a new length goes alone, the others together. To prove a list, the pieces are the blocks that must show their receipts
 * ({@link LogProofs}). If blocks of the range were replaced meanwhile, all begins anew, once. Confined to the call's event loop.
 */
final class RangeCollection {

    private static final RpcReply TOO_LARGE =
            RpcReply.failure(ErrorCode.INVALID_INPUT.error("the result is larger than this proxy passes on"));
    private static final RpcReply NO_LOGS = RpcReply.unavailable("no upstream could answer: no valid answer");
    private static final RpcReply UNKNOWN = RpcReply.unavailable("no upstream could answer: the chain is not known");
    private static final RpcReply OVER_RATE = new RpcReply.Failure(
            ErrorCode.LIMIT_EXCEEDED.error(
                    "the pieces of the block range exceed the rate or the units of this api key"),
            RpcReply.FailureKind.RATE_LIMITED,
            1);
    private static final RpcReply REPLACED =
            RpcReply.unavailable("blocks of the range were replaced while its logs were collected");

    private final LogRanges ranges;
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
    private Headers old = Headers.NONE;
    /** Calls for headers. */
    private int spent;

    private int asked;
    /** Pieces that a node answered. */
    private int forwarded;

    private int running;
    private boolean asking;
    private boolean anew;
    private boolean waiting;
    private boolean over;
    private boolean proves;
    /** Whether the key may not pay for the calls about headers now. */
    private boolean overRate;

    private boolean proven = true;
    private Runnable otherwise = () -> {};

    /**
     * @param ranges what all collections of the network share
     * @param cost of a piece in units of the catalogue
     * @param next asks for a piece
     * @param length of the first piece
     * @param refused the error of the node that refused the whole range; null if none was asked
     */
    RangeCollection(
            LogRanges ranges,
            int cost,
            Stage next,
            CallContext context,
            LogFilterRange filter,
            PieceLength length,
            @Nullable RpcReply refused,
            ReplySink sink) {
        this.ranges = ranges;
        this.cost = context.caller().bounds().costs().of(context.call().method(), cost);
        this.next = next;
        this.context = context;
        this.filter = filter;
        this.length = length;
        this.refused = refused;
        this.sink = sink;
        this.logs = new JoinedLogs(ranges.bytes, context.holder());
    }

    /** Begins with the blocks that must show their receipts, each in a piece; else as {@link #begin(Runnable)}. */
    void prove(Runnable otherwise) {
        proves = true;
        begin(otherwise);
    }

    /**
     * Begins.
     *
     * @param otherwise runs instead if the chain cannot be checked, as pieces of the newest blocks could be of different chains; and if a
     *     proof that nobody requires cannot be had
     */
    void begin(Runnable otherwise) {
        this.otherwise = otherwise;
        begin();
    }

    private void begin() {
        ChainAnchor.find(ranges.chain, context, filter.blocks().to(), found -> {
            anchor = found;
            if (found != null) {
                open();
            } else if (anew || (proves && !isOwn())) {
                end(anew ? End.REPLACED : End.FAILED, anew ? REPLACED : UNKNOWN);
            } else {
                giveUp();
            }
        });
    }

    private void open() {
        if (proves) {
            ranges.proofs.load(
                    context,
                    filter.blocks(),
                    this::pays,
                    loaded -> guarded(() -> {
                        old = loaded;
                        open(ranges.proofs.open(context, filter, loaded));
                    }));
        } else {
            open(List.of(filter.blocks()));
        }
    }

    private void open(@Nullable List<BlockRange> wanted) {
        boolean dear = proves && wanted != null && ranges.proofs.isDear(context, wanted, spent);
        if (wanted == null || (dear && isOwn())) {
            giveUp();
        } else if (dear && overRate) {
            context.caller().account().refused(KeyRefusal.RATE);
            end(End.REFUSED, OVER_RATE);
        } else if (dear) {
            end(End.REFUSED, LogProofs.TOO_MANY);
        } else {
            wanted.forEach(range -> open.put(range.from(), range));
            askMore();
        }
    }

    /** Pays for calls about headers, if they may be made. */
    private boolean pays(int calls) {
        int catalogue = MethodCatalogue.ofName(ChainCalls.BLOCK_BY_NUMBER).cost();
        long units = (long) calls * context.caller().bounds().costs().of(ChainCalls.BLOCK_BY_NUMBER, catalogue);
        spent = calls;
        if (isOwn()) {
            return calls <= ranges.proofs.ownCalls();
        }
        boolean few = calls <= LogRanges.MAX_PIECES;
        boolean may = few && context.caller().admitMore(calls, units) == 0;
        overRate = few && !may;
        context.trace().costsMore(may ? units : 0);
        return may;
    }

    /** Leaves the call to what runs instead. */
    private void giveUp() {
        over = true;
        logs.close();
        otherwise.run();
    }

    /** Returns whether the proxy proves a list of its own accord, so that no key pays for it. */
    private boolean isOwn() {
        return proves && !ranges.proofs.areRequired(context);
    }

    /** Asks for further pieces while that is allowed. A piece that is answered at once returns here. */
    private void askMore() {
        if (asking || waiting) {
            return;
        }
        asking = true;
        try {
            while (!over && !waiting && !open.isEmpty() && running < (length.isTested() ? LogRanges.AT_ONCE : 1)) {
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
        boolean free = asked == 0 || isOwn() || isStored();
        long wait = free ? 0 : context.caller().admitMore(1, cost);
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

    /** Returns whether the next piece is stored, so that it takes no call to a node. */
    private boolean isStored() {
        return proves && ranges.proofs.complete().covers(open.firstEntry().getValue());
    }

    /** Returns whether the range needs more calls than allowed. */
    private boolean isTooMuch() {
        if (proves) {
            return forwarded >= LogRanges.MAX_PIECES;
        }
        long calls = asked;
        for (BlockRange range : open.values()) {
            calls += range.pieces(length.limit());
        }
        return asked >= LogRanges.MAX_PIECES || calls > LogRanges.MAX_PIECES;
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
        String hash = proves ? ranges.proofs.hash(piece.from(), old) : null;
        CheckedParams params = hash == null ? filter.paramsOf(piece) : filter.paramsOf(hash);
        RpcCall call = new RpcCall(RawJson.NULL, context.call().method(), params.json());
        CallContext aside = proves && again ? context.asidePastMemory(call) : context.aside(call);
        aside.checked(params);
        PieceAttempts attempts = new PieceAttempts(ranges.limits, piece);
        aside.setRoute(proves ? LogProofs.route(aside.route()) : aside.route().observedBy(attempts));
        Set<String> refusing = again || proves ? Set.of() : ranges.limits.refusing(piece.length());
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
                .pass(refusing.isEmpty() ? next : ranges.nodes.without().apply(refusing));
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
        forwarded += aside.trace().upstreamId() == null ? 0 : 1;
        if (isOwn() && forwarded > Math.max(1, ranges.proofs.ownCalls() / 2)) {
            ranges.proofs.complete().remove(piece.from());
            end(End.UNPROVEN, reply);
            return;
        }
        if (reply instanceof RpcReply.Result result) {
            ranges.ends.count(End.PIECE_ANSWERED);
            answered(piece, aside, once, result.value());
        } else if (refusal != null) {
            ranges.ends.count(End.PIECE_REFUSED);
            refused(piece, refusal, reply);
        } else {
            ranges.ends.count(End.PIECE_FAILED);
            if (isOwn()) {
                ranges.proofs.failed();
                end(End.UNPROVEN, reply);
            } else if (once && asked < LogRanges.MAX_PIECES) {
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
        if (!complete && once && (aside.trace().hit() || !isOwn())) {
            // Memory, or an equal call that needs no proof, gave what is not proven.
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
        if (logs.size() > ranges.maxBytes) {
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
                ranges.chain,
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
                || logs.fit(
                        ranges.chain.view().links(), ranges.chain.finalized().number() + 1);
    }

    private void join() {
        over = true;
        if (sources.size() > 1 && ranges.revokes) {
            context.trace().markJoined();
        }
        if (proves && proven) {
            ranges.ends.count(End.PROVEN);
            ranges.proofs.mark(context.trace(), asked == 0, filter.blocks(), old);
            ranges.proofs.proved(filter, old);
        } else if (proves) {
            ranges.ends.count(End.UNPROVEN);
            ranges.proofs.failed();
        } else {
            ranges.ends.count(End.JOINED);
        }
        if (!logs.tryJoin(sink)) {
            logs.close();
            sink.accept(RpcReply.NO_ROOM);
        }
    }

    private void end(End how, RpcReply reply) {
        if (isOwn() && !context.isClientGone()) {
            ranges.ends.count(End.UNPROVEN);
            giveUp();
        } else {
            over = true;
            logs.close();
            ranges.ends.count(how);
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
