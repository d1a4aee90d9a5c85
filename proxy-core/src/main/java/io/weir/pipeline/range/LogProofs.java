package io.weir.pipeline.range;

import io.weir.cache.LogPattern;
import io.weir.chain.CanonicalLinks;
import io.weir.config.NetworkConfig;
import io.weir.ethereum.block.BlockHeader;
import io.weir.ethereum.block.Bloom;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.MethodFacts;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.CheckedParams;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.CallTrace;
import io.weir.pipeline.NeededProof;
import io.weir.pipeline.Nodes;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Route;
import io.weir.pipeline.Stage;
import io.weir.pipeline.evidence.Anchors;
import io.weir.pipeline.evidence.ProofStage;
import io.weir.pipeline.evidence.VerificationContext;
import io.weir.pipeline.range.HeaderRun.Fact;
import io.weir.pipeline.range.HeaderRuns.Headers;
import io.weir.pipeline.watch.KnownChain;
import io.weir.pipeline.watch.NetworkChain;
import io.weir.upstream.LoopWaiter;
import io.weir.verify.Verification.Part;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Proofs that lists of logs of one network are complete. A list is if each block of its range is: the bloom of its proven header excludes
 * the filter, or its logs are cut out of its proven receipts. Thread-safe.
 */
final class LogProofs {

    /** The error for a range whose proof would take too many calls. */
    static final RpcReply TOO_MANY = RpcReply.failure(ErrorCode.INVALID_INPUT.error("the logs of more than "
            + LogRanges.MAX_PIECES + " blocks that are not stored must be proven: ask for fewer blocks"));

    private static final RpcReply IMPOSSIBLE = RpcReply.failure(
            ErrorCode.INVALID_INPUT.error("the logs cannot be proven to be complete: the network verifies nothing"));

    private static final RpcReply AMBIGUOUS = RpcReply.failure(ErrorCode.INVALID_INPUT.error(
            "the logs cannot be proven to be complete: nodes differ in what the filter means"
                    + " (expected: known members, and no topic that may be missing or anything at the end)"));

    /** The longest range that is proven: the headers of all its blocks are looked at for each call. */
    static final int MAX_BLOCKS = 10_000;

    /** Blocks of a range that is proven although nobody requires it, and that nothing stored proves. */
    private static final int MAX_NEW_BLOCKS = 128;

    /** Calls up to which only the newest blocks are proven if nobody requires it: a list about old ones takes a node one call. */
    private static final int OF_NEW_BLOCKS = 4;

    /** Calls to nodes for the receipts of a block: for the block, and for the receipts. */
    private static final int CALLS_OF_BLOCK = 2;

    /** Time without proofs that nobody requires, after one that no node could give. */
    private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** Time for a proof that nobody requires. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final VerificationContext verification;
    private final Nodes nodes;
    private final NetworkChain chain;
    private final HeaderRuns headers;
    private final CompleteBlocks complete;
    private final LongSupplier clock;
    private final boolean required;
    /** The most calls to nodes for a proof that nobody requires. */
    private final int ownCalls;

    /** Whether the proxy may fetch more than clients ask for. */
    private final boolean fetches;

    private final boolean possible;
    private volatile long failedNanos;

    /**
     * @param store of headers, behind memory
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    LogProofs(
            NetworkConfig config,
            Nodes nodes,
            NetworkChain chain,
            VerificationContext verification,
            Anchors anchors,
            HeaderStore store,
            LongSupplier clock) {
        this.verification = verification;
        this.nodes = nodes;
        this.chain = chain;
        this.headers = new HeaderRuns(verification, nodes, anchors, store);
        this.complete = new CompleteBlocks(store);
        this.required = config.requiresLogs();
        this.ownCalls = Math.max(0, config.proofCalls());
        this.fetches = config.gather().enabled();
        this.clock = clock;
        this.possible = verification.policy().proves()
                && verification.policy().hashesBlocks()
                && verification.known().hasBlooms();
        this.failedNanos = clock.getAsLong() - REST_NANOS;
    }

    /** Takes the headers of blocks that became final. */
    void takeFinal(CanonicalLinks links, long number) {
        if (possible) {
            headers.takeFinal(links, number).forEach(whole -> complete.add(new BlockRange(whole, whole)));
        }
    }

    /** Returns the blocks that are stored with their logs. */
    CompleteBlocks complete() {
        return complete;
    }

    /** Forgets what is known of old blocks. */
    void forget() {
        headers.forget();
        complete.clear();
    }

    /** Returns whether a list that is not proven is no answer to a call: the network, the key or the request requires a proof. */
    boolean areRequired(CallContext context) {
        return required || context.caller().requiresLogs();
    }

    /**
     * Returns the stage that cuts the logs of one block out of its proven receipts.
     *
     * @param next sends what cannot be proven
     */
    Stage ofOneBlock(MethodFacts facts, Stage next) {
        return possible ? new ProofStage(facts, verification, nodes, next) : next;
    }

    /** Returns the stage that refuses lists that are not proven, where a proof is required. */
    Stage before(Stage next) {
        return new LogProofStage(next);
    }

    /**
     * Stage that refuses lists that are not proven. If memory gave one, such as of a block on which nodes do not agree yet, nodes are asked
     * first. Pieces of a range pass, because the range does the same. Thread-safe.
     */
    private final class LogProofStage implements Stage {

        private final Stage next;

        LogProofStage(Stage next) {
            this.next = next;
        }

        @Override
        public void handle(CallContext context, ReplySink sink) {
            if (context.route().proof() != null || !areRequired(context)) {
                next.handle(context, sink);
            } else if (!verification.policy().proves()) {
                sink.accept(IMPOSSIBLE);
            } else {
                context.setRoute(context.route().inWhole());
                next.handle(context, reply -> take(context, reply, sink));
            }
        }

        private void take(CallContext context, RpcReply reply, ReplySink sink) {
            CheckedParams params = context.checkedParams();
            boolean again = reply instanceof RpcReply.Result && !isComplete(context.trace());
            if (again && context.trace().hit() && params != null) {
                CallContext aside = context.asidePastMemory(context.call());
                aside.checked(params);
                next.handle(aside, other -> {
                    context.trace().askedAs(aside.trace());
                    context.trace().markVerified(aside.trace().verified());
                    context.trace().costsMore(aside.trace().moreUnits());
                    sink.accept(proven(other, context.trace()));
                });
            } else {
                sink.accept(proven(reply, context.trace()));
            }
        }
    }

    private static RpcReply proven(RpcReply reply, CallTrace trace) {
        return reply instanceof RpcReply.Failure || isComplete(trace) ? reply : unproven("", trace);
    }

    /**
     * Asks for the logs of one block by its hash, with their proof.
     *
     * @param proven the stage of {@link #ofOneBlock}
     * @param next asks a node if there is no proof, and nobody requires one
     */
    void ask(CallContext context, Stage proven, Stage next, ReplySink sink) {
        Route asked = context.route();
        long deadline = hasten(context);
        context.setRoute(asked.inWhole());
        proven.handle(context, reply -> {
            if (areRequired(context) || isComplete(context.trace())) {
                sink.accept(proven(reply, context.trace()));
            } else {
                failed();
                if (reply instanceof RpcReply.Result) {
                    sink.accept(reply);
                } else {
                    context.setRoute(asked);
                    context.moveDeadline(deadline);
                    next.handle(context, sink);
                }
            }
        });
    }

    /** Returns the proxy's calls, which pass by memory. */
    Stage calls() {
        return verification.calls();
    }

    /** Returns the route of a call for the logs of one block that need a proof. */
    static Route route(Route ofRange) {
        return ofRange.ofEvidence(NeededProof.withoutUncles());
    }

    /** Returns whether logs of a block that is named by its hash may be proven: somebody requires it, or it takes few calls. */
    boolean mayProve(CallContext context) {
        CheckedParams params = context.checkedParams();
        if (!possible || params == null || !(params.block() instanceof BlockSelector.Hash block)) {
            return false;
        }
        boolean wanted = areRequired(context) || (isCheap(context, CALLS_OF_BLOCK) && isNew(block.hash()));
        return wanted && LogPattern.of(params.values().get(0)) != null;
    }

    /** Returns whether a block is among the newest of the chain, and its header known: old ones may lack receipts, and replaced ones all. */
    private boolean isNew(String hash) {
        KnownChain known = verification.known();
        BlockHeader header = known.headerOfReceipts(hash);
        return header != null
                && header.number() > known.top() - MAX_NEW_BLOCKS
                && !known.view().hasOther(header.number(), hash);
    }

    /**
     * Returns whether the logs of a range may be proven: somebody requires it, they are stored, or the header of the last block is or will
     * be known.
     */
    boolean mayProve(CallContext context, BlockRange blocks) {
        if (!possible || areRequired(context)) {
            return possible;
        }
        complete.open(context.loop(), () -> {});
        if (isStored(blocks)) {
            return !context.caller().bypassesCache();
        }
        KnownChain known = verification.known();
        String last = known.hash(blocks.to());
        boolean isAhead = blocks.to() > known.view().top() && blocks.to() <= known.top();
        if (chain.finalized().covers(blocks.to()) && last == null) {
            // Each header takes a call, and one more tells the place of the last.
            return ownCalls > OF_NEW_BLOCKS && blocks.length() < ownCalls && isCheap(context, 0);
        }
        return blocks.length() <= MAX_NEW_BLOCKS && isCheap(context, 0) && (last == null ? isAhead : isNew(last));
    }

    /** Returns whether nothing but the newest blocks of a range, whose headers are known, is not stored. */
    private boolean isStored(BlockRange blocks) {
        long last = lastUnknown(blocks);
        return last >= blocks.from() && complete.covers(new BlockRange(blocks.from(), last));
    }

    /** Returns the last block of a range whose header is not among those of the newest blocks; one below the range if there is none. */
    private long lastUnknown(BlockRange blocks) {
        long number = blocks.to();
        while (number >= blocks.from() && header(number) != null) {
            number--;
        }
        return number;
    }

    /** Returns the header of one of the newest blocks; null if it is not known. */
    private @Nullable BlockHeader header(long number) {
        String hash = verification.known().hash(number);
        return hash == null ? null : verification.known().headerOfReceipts(hash);
    }

    /**
     * Loads the headers of the blocks of a range, but for the newest ones, which are known.
     *
     * @param pays returns whether so many calls to nodes may be made
     * @param sink gets the headers on the call's event loop; none if they cannot be had
     */
    void load(CallContext context, BlockRange blocks, IntPredicate pays, Consumer<Headers> sink) {
        long last = possible ? lastUnknown(blocks) : -1;
        if (last < blocks.from() || blocks.length() > MAX_BLOCKS) {
            sink.accept(Headers.NONE);
            return;
        }
        BlockHeader next = last < blocks.to() ? header(last + 1) : null;
        Runnable load = () -> {
            if (chain.finalized().covers(last)) {
                BlockRange old = new BlockRange(blocks.from(), last);
                headers.load(context, old, next == null ? null : next.parentHash(), pays, sink);
            } else {
                sink.accept(Headers.NONE);
            }
        };
        LoopWaiter<Boolean> read = new LoopWaiter<>(
                context.loop(),
                done -> context.step(() -> chain.finality().whenKnown(context.loop(), last, () -> context.step(load))));
        complete.open(context.loop(), () -> read.end(true));
    }

    /**
     * Returns the blocks of a range that must show their receipts, in order; each is a range of its own.
     *
     * @param old the headers of old blocks
     * @return null if the range is not worth a proof, or none is possible
     */
    @Nullable
    List<BlockRange> open(CallContext context, LogFilterRange filter, Headers old) {
        boolean isRequired = areRequired(context);
        LogPattern pattern = possible ? LogPattern.of(filter.params().values().get(0)) : null;
        if (pattern == null) {
            return null;
        }
        BlockRange blocks = filter.blocks();
        List<BlockRange> open = new ArrayList<>();
        // From the end: the headers of the newest blocks are known.
        for (long number = blocks.to(); number >= blocks.from() && open.size() <= MAX_BLOCKS; number--) {
            Bloom bloom = bloom(number, old);
            if (bloom == null && !isRequired) {
                return null;
            }
            if (bloom == null || mayHaveLogs(bloom, pattern)) {
                open.add(new BlockRange(number, number));
            }
        }
        Collections.reverse(open);
        return open;
    }

    private @Nullable Bloom bloom(long number, Headers old) {
        Fact fact = old.get(number);
        BlockHeader header = fact == null ? header(number) : null;
        return fact != null ? fact.bloom() : header == null ? null : header.logsBloom();
    }

    /** Returns the most calls to nodes for a proof that nobody requires. */
    int ownCalls() {
        return ownCalls;
    }

    /**
     * Returns whether blocks would take too many calls to nodes to show their receipts.
     *
     * @param spent the calls that the headers took
     */
    boolean isDear(CallContext context, List<BlockRange> open, int spent) {
        long blocks = open.stream().filter(block -> !complete.covers(block)).count();
        return blocks > 0
                && (areRequired(context) ? blocks > LogRanges.MAX_PIECES : !isCheap(spent + CALLS_OF_BLOCK * blocks));
    }

    private static boolean mayHaveLogs(Bloom bloom, LogPattern pattern) {
        return !bloom.equals(Bloom.EMPTY) && pattern.mayBeIn(bloom);
    }

    /**
     * Returns the hash of the block at a height; null if nodes do not agree on it.
     *
     * @param old the headers of old blocks
     */
    @Nullable
    String hash(long number, Headers old) {
        String hash = verification.known().hash(number);
        Fact fact = hash == null ? old.get(number) : null;
        return fact == null ? hash : fact.hash().hex();
    }

    /** Past memory no other call shares what a proof takes. */
    private boolean isCheap(CallContext context, int calls) {
        return !context.caller().bypassesCache() && isCheap(calls);
    }

    private boolean isCheap(long calls) {
        return fetches && calls <= ownCalls && clock.getAsLong() - failedNanos >= REST_NANOS;
    }

    /** Returns whether the answer to a call is proven to be complete. */
    static boolean isComplete(CallTrace trace) {
        return Part.isOfAllLogs(trace.verified());
    }

    /** Leaves a call enough time for an answer of a node if nobody requires its proof. Returns the deadline from before. */
    long hasten(CallContext context) {
        long deadline = context.deadlineNanos();
        long now = System.nanoTime();
        if (!areRequired(context)) {
            context.moveDeadline(now + Math.min(PATIENCE_NANOS, (deadline - now) / 2));
        }
        return deadline;
    }

    /** Notes that the list of a filter is proven: if it allows all logs, the blocks that are final are stored now. */
    void proved(LogFilterRange filter, Headers old) {
        LogPattern pattern = LogPattern.of(filter.params().values().get(0));
        BlockRange blocks = filter.blocks();
        boolean isFinal =
                chain.finalized().covers(blocks.to()) && old.get(blocks.to()) != null && old.get(blocks.from()) != null;
        if (isFinal && pattern != null && pattern.isOfAll()) {
            complete.add(blocks);
        }
    }

    /** Notes that no node could give a proof. */
    void failed() {
        failedNanos = clock.getAsLong();
    }

    /**
     * Marks a joined list as complete, and placed if several nodes agree on the last block.
     *
     * @param known whether no block had to show its receipts
     * @param old the headers of old blocks
     */
    void mark(CallTrace trace, boolean known, BlockRange blocks, Headers old) {
        boolean agreed = verification.known().agreedHash(blocks.to()) != null
                || (old.get(blocks.to()) != null && !verification.known().isAlone());
        String parts = known ? Part.NO_LOGS : Part.WHOLE_LOGS;
        String shown = agreed ? Part.placed(parts) : parts;
        if (known) {
            trace.markJudged();
            trace.markDerived(shown);
        } else {
            trace.markVerified(shown);
        }
    }

    /** Returns the error for a call whose logs must be proven and cannot be. */
    static RpcReply refused(CallContext context) {
        CheckedParams params = context.checkedParams();
        return params == null || LogPattern.of(params.values().get(0)) != null
                ? unproven("", context.trace())
                : AMBIGUOUS;
    }

    /**
     * Returns the error for logs that cannot be proven.
     *
     * @param where " of block" and which; empty if no block is known
     */
    static RpcReply unproven(String where, CallTrace trace) {
        String node = trace.upstreamId() == null ? "" : ", by upstream " + trace.upstreamId();
        return RpcReply.failure(
                ErrorCode.INVALID_INPUT.error("the logs" + where + " are not proven to be complete" + node));
    }
}
