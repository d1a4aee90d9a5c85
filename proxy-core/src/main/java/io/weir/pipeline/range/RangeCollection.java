package io.weir.pipeline.range;

import io.weir.access.Caller;
import io.weir.access.KeyRefusal;
import io.weir.chain.CanonicalLinks;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.params.CheckedParams;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.CallGuard;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.pipeline.range.LogRanges.End;
import io.weir.pipeline.range.LogRanges.Piece;
import io.weir.pipeline.watch.NetworkChain;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Collection of the logs of one range in pieces. Each piece is a call with attempts of its own. A refused piece is cut further. The
 * first piece of a new length goes alone, the others together. If blocks of the range were replaced meanwhile, all begins anew, once.
 * Confined to the call's event loop.
 */
final class RangeCollection {

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
        this.logs = new JoinedLogs(ranges.bytes(), context.holder());
    }

    /**
     * Begins.
     *
     * @param otherwise runs instead if the chain cannot be checked: pieces of the newest blocks could be of different chains
     */
    void begin(Runnable otherwise) {
        ChainAnchor.find(ranges.chain(), context, filter.blocks().to(), found -> {
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
        long wait = asked == 0 ? 0 : Caller.admitMore(context.caller(), 1, cost);
        if (wait == 0) {
            context.costsMore(asked == 0 ? 0 : cost);
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

    /** @param everywhere whether nodes that are known to refuse such a piece are asked too, because the others failed */
    private void ask(BlockRange piece, boolean everywhere) {
        asked++;
        running++;
        CheckedParams params = filter.paramsOf(piece);
        CallContext aside =
                context.aside(new RpcCall(RawJson.NULL, context.call().method(), params.json()));
        aside.checked(params);
        PieceAttempts attempts = new PieceAttempts(ranges.limits(), piece);
        aside.observedBy(attempts);
        Set<String> refusing = everywhere ? Set.of() : ranges.limits().refusing(piece.length());
        new CallGuard(
                        aside,
                        reply -> guarded(() -> {
                            running--;
                            if (!over) {
                                ended(piece, aside, attempts.refusal(), !refusing.isEmpty(), reply);
                                askMore();
                            }
                        }))
                .pass(refusing.isEmpty() ? next : ranges.without(refusing));
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
            ranges.pieces().count(Piece.ANSWERED);
            answered(piece, aside, result.value());
        } else if (refusal != null) {
            ranges.pieces().count(Piece.REFUSED);
            refused(piece, refusal, reply);
        } else {
            ranges.pieces().count(Piece.FAILED);
            if (chosen && asked < LogRanges.MAX_PIECES) {
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
        if (logs.size() > ranges.maxBytes()) {
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
                ranges.chain(),
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
                || logs.fit(
                        ranges.chain().view().links(),
                        ranges.chain().finalized().number() + 1);
    }

    private void join() {
        over = true;
        if (sources.size() > 1 && ranges.revokes()) {
            context.trace().markJoined();
        }
        ranges.ends().count(End.JOINED);
        if (!logs.tryJoin(sink)) {
            logs.close();
            sink.accept(RpcReply.NO_ROOM);
        }
    }

    private void end(End how, RpcReply reply) {
        over = true;
        logs.close();
        ranges.ends().count(how);
        sink.accept(reply);
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
