package io.weir.pipeline.evidence;

import io.weir.access.Caller;
import io.weir.answer.ChainFacts;
import io.weir.answer.Judge;
import io.weir.answer.Judgement;
import io.weir.answer.LogRules;
import io.weir.answer.Policy;
import io.weir.answer.Policy.Extent;
import io.weir.cache.AnswerFacts;
import io.weir.cache.BlockQuestion;
import io.weir.cache.LogPattern;
import io.weir.cache.ReceiptsLayout;
import io.weir.cache.ResultLayout.Slice;
import io.weir.ethereum.block.BlockHeader;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.CacheClass;
import io.weir.method.ChainCalls;
import io.weir.method.MethodFacts;
import io.weir.method.NullMeaning;
import io.weir.method.ResultForm;
import io.weir.method.params.BlockIds;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.BlockTag;
import io.weir.method.params.CheckedParams;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.Nodes;
import io.weir.pipeline.ReplyCheck;
import io.weir.pipeline.Stage;
import io.weir.pipeline.watch.KnownChain;
import io.weir.upstream.CallCause;
import io.weir.upstream.LoopWaiter;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.NodeOutcome.Flaw;
import io.weir.upstream.ResultStream;
import io.weir.upstream.WatchedStream;
import io.weir.upstream.verdict.ErrorClass;
import io.weir.upstream.verdict.Verdict;
import io.weir.verify.Verification;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Check of every result that a node gives. A result with a fault is a failed attempt, so that another node is asked. Thread-safe; the
 * results of a call stay on its event loop, except for the judgement of large ones.
 *
 * <ol>
 *   <li>{@link Judge} judges a result by its question and by what is known of the chain. Without {@code verify} it does so by the question
 *       alone.
 *   <li>{@link ResultProof} proves what its hashes cover, and all of it if the call waits for that.
 *   <li>Where only receipts show whether a list of logs is whole, it fetches them: of one block it then answers from them.
 * </ol>
 */
public final class JudgeCheck implements ReplyCheck {

    /** Blocks from the top down of which nodes may not have everything yet. Those below should have it, or have pruned it. */
    private static final int NEW_BLOCKS = 64;

    /** Bytes. The judgement of larger lists is no work for an event loop. */
    private static final int MAX_INLINE = 64 << 10;

    /** Bytes. A longer list is refused if the executor has no room: on the loop its judgement would delay other calls. */
    private static final int MAX_ON_LOOP = 1 << 20;

    /** Blocks of a range whose receipts are fetched because their blooms may hold a log that is not listed. */
    private static final int MAX_SILENT = 8;

    /** Time that nodes have for their log index, if no node gives receipts. Afterwards a bloom counts as wrong. */
    private static final long INDEX_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** Time for a call of the proxy's own about a result. */
    private static final long MAX_ASIDE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** Time after which nodes are taken to have the logs of a block in ranges: receipts are not fetched for each false bloom. */
    private static final long NEW_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final NodeOutcome LATE = new Failed(Fault.UNCHECKED, Executed.NO, "not judged in time", 0);

    private static final Verdict LACKS = Verdict.ofError(
            ErrorClass.LACKS_DATA, Verdict.Lack.DATA, Verdict.Then.ELSEWHERE, "nothing of a block that exists");

    private final VerificationContext verification;
    private final Policy policy;
    private final ResultProof proofs;
    private final KnownChain chain;
    /** The facts by which results are judged. */
    private final ChainFacts facts;

    private final Function<String, MethodFacts> methods;
    private final Stage calls;

    /** @param methods returns the facts about a method */
    public JudgeCheck(VerificationContext verification, Function<String, MethodFacts> methods) {
        this.verification = verification;
        this.policy = verification.policy();
        this.proofs = new ResultProof(verification);
        this.chain = verification.known();
        this.facts = policy.ofAll() == Extent.QUESTION ? ChainFacts.NONE : chain;
        this.methods = methods;
        this.calls = verification.calls();
    }

    /** Sets what calls that wait for all of a proof need; before the first such call. */
    public void provesBy(Nodes nodes, Anchors anchors) {
        proofs.completeBy(nodes, anchors);
    }

    /**
     * A result of a node, as the answer to a call. Immutable.
     *
     * @param result stands for the whole one if there is {@code logs}
     * @param logs what the result told while it went on; null if it is whole
     */
    record JudgedResult(
            CallContext context,
            MethodFacts facts,
            CheckedParams params,
            String upstreamId,
            RawJson result,
            @Nullable LogRules logs,
            Consumer<Checked> sink) {

        /** Returns the form of the result; only of one that can be proven. */
        CacheClass rule() {
            return Objects.requireNonNull(facts.cacheClass());
        }

        Judgement judgement(ChainFacts known) {
            return logs == null ? Judge.judge(facts, params, result, known) : Judge.logs(params, logs, known);
        }

        /** Returns whether it shows by which rules the chain hashes blocks: it is a block or a header, but not the first of the chain. */
        boolean showsRules() {
            boolean isBlock = rule() == CacheClass.BLOCK || rule() == CacheClass.HEADER || rule() == CacheClass.UNCLE;
            AnswerFacts named = isBlock ? AnswerFacts.read(CacheClass.BLOCK, result) : null;
            return named != null && named.number() > 0;
        }

        void accept() {
            end(new Answered(new RpcReply.Result(result)), null);
        }

        /** Puts another outcome in place of the result. */
        void replace(NodeOutcome outcome) {
            end(outcome, null);
        }

        /** @param proof what was proven of the result; null if nothing was */
        void end(NodeOutcome outcome, @Nullable Verification<?> proof) {
            sink.accept(new Checked(outcome, proof));
        }
    }

    @Override
    public boolean passesAtOnce(CallContext context, RawJson result) {
        MethodFacts facts = methods.apply(context.call().method());
        CheckedParams params = params(context, facts);
        if (params == null) {
            return true;
        }
        boolean checked = mayBeLong(facts) && (policy.proves() || result.length() > MAX_INLINE);
        if (checked || (!isNull(result) && isProven(context, facts))) {
            return false;
        }
        Judgement judgement = Judge.judge(facts, params, result, this.facts);
        return judgement.fault() == null
                && judgement.open().isEmpty()
                && judgement.silent().isEmpty();
    }

    private static boolean isNull(RawJson result) {
        return result.equals(RawJson.NULL);
    }

    /** Returns whether the judgement of a result may take long: it is a list, or a proof of many slots. */
    private static boolean mayBeLong(MethodFacts facts) {
        return facts.cacheClass() == CacheClass.LOGS || facts.cacheClass() == CacheClass.RECEIPTS || isOfState(facts);
    }

    private static boolean isOfState(MethodFacts facts) {
        return facts.name().equals(ChainCalls.PROOF);
    }

    /** Returns whether something may prove a result. */
    private boolean isProven(CallContext context, MethodFacts facts) {
        return context.route().proof() != null || policy.provesByHashes(facts.cacheClass());
    }

    @Override
    public boolean needsWhole(CallContext context) {
        MethodFacts called = methods.apply(context.call().method());
        return isProven(context, called)
                || (isOfState(called) && context.caller().requiresState());
    }

    @Override
    public boolean takeDoubt() {
        return verification.misbehaviour().takeDoubt();
    }

    @Override
    public boolean mayServeDoubtful() {
        return !verification.misbehaviour().isCertain();
    }

    @Override
    public void check(CallContext context, String upstreamId, RawJson result, Consumer<Checked> sink) {
        MethodFacts facts = methods.apply(context.call().method());
        CheckedParams params = params(context, facts);
        if (params == null) {
            sink.accept(new Checked(new Answered(new RpcReply.Result(result)), null));
            return;
        }
        JudgedResult given = new JudgedResult(context, facts, params, upstreamId, result, null, sink);
        judge(given, () -> given.judgement(this.facts));
    }

    @Override
    public ResultStream checked(CallContext context, String upstreamId, ResultStream result) {
        MethodFacts facts = methods.apply(context.call().method());
        CheckedParams params = params(context, facts);
        if (params == null || facts.form() == ResultForm.ANY) {
            return result;
        }
        return facts.cacheClass() == CacheClass.LOGS
                ? new JudgedLogs(context, facts, params, upstreamId, result)
                : new JudgedForm(facts, upstreamId, result);
    }

    /** A result whose first byte tells whether it may have the form of its method. Confined to the call's event loop. */
    private final class JudgedForm extends WatchedStream {

        private final MethodFacts facts;
        private final String upstreamId;
        private boolean fits = true;

        JudgedForm(MethodFacts facts, String upstreamId, ResultStream result) {
            super(result);
            this.facts = facts;
            this.upstreamId = upstreamId;
        }

        @Override
        protected void look(byte first) {
            fits = facts.form().mayBeLarge(first);
        }

        @Override
        protected void decide() {
            if (!fits) {
                String detail = facts.name() + ": " + Judge.otherForm(facts).detail();
                verification.misbehaviour().report(upstreamId, Flaw.WRONG_FORM, detail, false);
            }
            end(fits);
        }
    }

    /** A list of logs that is judged while it goes on. Its end waits for the judgement. Confined to the call's event loop. */
    private final class JudgedLogs extends WatchedStream {

        private final LogRules rules;
        private final JudgedResult given;
        private final LoopWaiter<Checked> waiter;

        JudgedLogs(
                CallContext context, MethodFacts facts, CheckedParams params, String upstreamId, ResultStream result) {
            super(result);
            this.rules = new LogRules(params.values().get(0), JudgeCheck.this.facts);
            this.waiter = new LoopWaiter<>(context.loop(), this::end);
            this.given = new JudgedResult(context, facts, params, upstreamId, RawJson.EMPTY_ARRAY, rules, waiter::end);
            result.show(rules);
        }

        @Override
        protected void decide() {
            CallContext context = given.context();
            long now = System.nanoTime();
            context.moveDeadline(Math.max(context.deadlineNanos(), now + 2 * MAX_ASIDE_NANOS));
            waiter.giveUpAfter(context.deadlineNanos() - now, new Checked(LATE, null));
            apply(given, rules.areObjects() ? given.judgement(JudgeCheck.this.facts) : Judge.otherForm(given.facts()));
        }

        private void end(Checked checked) {
            end(checked.outcome() instanceof Answered answered && answered.verdict() == null);
        }
    }

    private void judge(JudgedResult given, Supplier<Judgement> judge) {
        boolean large = mayBeLong(given.facts()) && given.result().length() > MAX_INLINE;
        if (!large) {
            apply(given, judge.get());
            return;
        }
        CallContext context = given.context();
        boolean taken = verification
                .executor()
                .tryRun(context.holder(), given.result().length(), () -> {
                    Runnable end = () -> given.replace(LATE);
                    try {
                        Judgement judgement = judge.get();
                        end = () -> apply(given, judgement);
                    } finally {
                        Runnable ended = end;
                        context.loop().execute(() -> context.step(ended));
                    }
                });
        if (!taken && given.result().length() <= MAX_ON_LOOP) {
            apply(given, judge.get());
        } else if (!taken) {
            given.replace(LATE);
        }
    }

    /** Returns the parameters of a call; null if they cannot be read. Parameters of the proxy's own calls were not checked before. */
    private static @Nullable CheckedParams params(CallContext context, MethodFacts facts) {
        CheckedParams checked = context.checkedParams();
        if (checked != null || facts.params() == null) {
            return checked;
        }
        try {
            return facts.params().check(context.call().params());
        } catch (InvalidParamsException e) {
            return null;
        }
    }

    private void apply(JudgedResult given, Judgement judgement) {
        Judgement.Fault fault = judgement.fault();
        if (fault == null) {
            boolean something = !isNull(given.result());
            // The proof that a call needs takes no blocks that are open.
            boolean needed = something && given.context().route().proof() != null;
            if (!judgement.open().isEmpty() && !needed) {
                judgeWith(given, judgement.open());
            } else if (something && isProven(given.context(), given.facts())) {
                proofs.check(given);
            } else {
                compareWithReceipts(given, judgement);
            }
            return;
        }
        String detail = given.context().call().method() + ": " + judgement.detail();
        switch (fault) {
            case FORM -> refute(given, Flaw.WRONG_FORM, detail, false);
            case UNFIT -> refute(given, Flaw.UNFIT, detail, true);
            case REFUTED -> refute(given, Flaw.FALSE_HASH, detail, true);
            case STATE -> {
                if (given.context().caller().requiresState()) {
                    refute(given, Flaw.FALSE_HASH, detail, false);
                } else {
                    given.accept();
                }
            }
            case OTHER_BRANCH -> {
                if (followsChain(given)) {
                    given.accept();
                } else {
                    // Perhaps the chain was reorganised: then the next attempt passes.
                    chain.doubtHead();
                    verification.misbehaviour().report(given.upstreamId(), Flaw.OTHER_BLOCK, detail, false);
                    given.replace(new Failed(Fault.BEHIND, Executed.NO, detail, 0));
                }
            }
            default -> lack(given, detail);
        }
    }

    /** Judges a result anew with blocks without which nobody can tell whether it is right. */
    private void judgeWith(JudgedResult given, List<BlockSelector> blocks) {
        ChainFacts[] known = {chain};
        int[] missing = {blocks.size()};
        for (BlockSelector block : blocks) {
            RpcCall call = Objects.requireNonNull(BlockIds.ETHEREUM.call(block));
            calls.handle(aside(given, call), reply -> {
                if (reply instanceof RpcReply.Result result) {
                    known[0] = chain.with(known[0], result.value());
                }
                if (--missing[0] == 0) {
                    // A block that no node has says nothing.
                    judge(given, () -> given.judgement(known[0]).with(List.of()));
                }
            });
        }
    }

    /** Returns the context of a call of the proxy's own about a result. It gets a part of the time that is left: the result may be right. */
    private static CallContext aside(JudgedResult given, RpcCall call) {
        CallContext context = given.context();
        CallContext sub = context.aside(call, CallCause.VERIFY);
        // It must not wait for a fetch that may wait for an equal call.
        sub.setRoute(sub.route().byItself());
        long now = System.nanoTime();
        sub.moveDeadline(now + Math.min(MAX_ASIDE_NANOS, (context.deadlineNanos() - now) / 2));
        return sub;
    }

    /**
     * Returns whether a call is the proxy's own for a block. Whether a chain has become shorter, or has another branch, those who follow
     * it find out by such results.
     */
    private static boolean followsChain(JudgedResult given) {
        return given.context().cause() == CallCause.FOLLOWER
                || (Caller.PROXY.equals(given.context().caller())
                        && given.facts().nullMeaning() == NullMeaning.NO_BLOCK);
    }

    /** Fails a result of nothing, unless it tells that the chain went back: a lone node may have been reset. */
    private void lack(JudgedResult given, String detail) {
        if (followsChain(given)) {
            given.accept();
            return;
        }
        boolean recent = isRecent(number(given.params().block()));
        boolean reset = chain.isAlone() && (given.context().route().blockExists() || !recent);
        if (recent || reset) {
            chain.doubtHead();
        }
        if (reset) {
            given.accept();
        } else {
            given.replace(nothing(detail, recent));
        }
    }

    private boolean isRecent(long number) {
        return number > chain.top() - NEW_BLOCKS;
    }

    private void refute(JudgedResult given, Flaw flaw, String detail, boolean costs) {
        verification.misbehaviour().report(given.upstreamId(), flaw, detail, costs);
        given.replace(Failed.unproven(flaw, detail));
    }

    /** Returns the number of the block that a call is about; the top's if it is not known. */
    private long number(BlockSelector block) {
        if (block instanceof BlockSelector.Height height) {
            return height.number();
        }
        if (block instanceof BlockSelector.Tag named && named.tag() == BlockTag.EARLIEST) {
            return 0;
        }
        BlockHeader header = block instanceof BlockSelector.Hash hash ? chain.header(hash.hash()) : null;
        return header == null ? chain.top() : header.number();
    }

    /** Returns the outcome of a result that lacks what must be there: an honest node is late, or has pruned an old block. */
    private static NodeOutcome nothing(String detail, boolean recent) {
        return recent
                ? new Failed(Fault.BEHIND, Executed.NO, detail, 0)
                : new Answered(
                        RpcReply.failure(ErrorCode.INVALID_INPUT.error(
                                "pruned history unavailable: the upstream has nothing of a block that exists")),
                        200,
                        LACKS);
    }

    /** Asks for the receipts of blocks of which a list has no log, although their blooms may hold one. */
    private void compareWithReceipts(JudgedResult given, Judgement judgement) {
        LogPattern pattern = judgement.silent().isEmpty()
                ? null
                : LogPattern.of(given.params().values().get(0));
        if (pattern == null) {
            RpcReply reply = new RpcReply.Result(given.result());
            Verification<?> proof = switch (policy.proves() ? judgement.proven() : Judgement.Proven.NOTHING) {
                case NOTHING -> null;
                case BLOOM -> Verification.Incomplete.FILLED_BLOOM;
                case STATE -> new Verification.Proven<>(reply, Verification.Part.STATE.word());
            };
            given.end(new Answered(reply), proof);
            return;
        }
        BlockQuestion question = BlockQuestion.of(given.facts().blockField(), given.params());
        Iterator<BlockHeader> compared = judgement.silent().stream()
                .filter(header ->
                        question != null || chain.knownNanos(header.hash().hex()) < NEW_NANOS)
                .limit(MAX_SILENT)
                .iterator();
        new ReceiptsComparison(this, given, question, pattern, compared, judgement.unread()).next();
    }

    /**
     * Comparison of one list of logs with receipts, block by block. Confined to the call's event loop.
     *
     * @param question null unless the list is about one block
     */
    private record ReceiptsComparison(
            JudgeCheck check,
            JudgedResult given,
            @Nullable BlockQuestion question,
            LogPattern pattern,
            Iterator<BlockHeader> silent,
            boolean unread) {

        void next() {
            if (!silent.hasNext()) {
                given.accept();
                return;
            }
            BlockHeader header = silent.next();
            CallContext sub = aside(given, ChainCalls.receipts(header.hash().hex()));
            sub.setRoute(sub.route().toBlock(header.number(), true));
            check.calls.handle(sub, reply -> compare(header, reply));
        }

        private void compare(BlockHeader header, RpcReply reply) {
            RawJson receipts = reply instanceof RpcReply.Result result ? result.value() : RawJson.NULL;
            ReceiptsLayout layout = receipts.equals(RawJson.NULL) ? null : ReceiptsLayout.read(receipts);
            if (layout == null) {
                without(header);
                return;
            }
            RawJson logs = layout.logs(receipts, pattern, false);
            // The chain's own form of a log: then those that were not read may be the block's.
            boolean ownForm = logs != null && unread && !LogRules.areReadable(logs);
            if (logs == null || logs.equals(RawJson.EMPTY_ARRAY) || ownForm) {
                next();
                return;
            }
            Slice whole = question == null ? null : layout.answer(receipts, question, -1, false, false);
            String detail = "no logs of block " + header.number() + ", which has some";
            if (given.logs() != null) {
                // Its client has most of the list. The node's index may be late.
                check.refute(
                        given,
                        Flaw.UNFIT,
                        given.context().call().method() + ": " + detail,
                        !check.isRecent(header.number()));
            } else if (whole != null) {
                given.replace(new Answered(new RpcReply.Result(whole.value())));
            } else {
                given.replace(nothing(detail, check.isRecent(header.number())));
            }
        }

        /**
         * Goes on without receipts. A late index shows only in that other nodes, or the same one a moment later, list the logs. If no node
         * has the block, it was replaced.
         */
        private void without(BlockHeader header) {
            String hash = header.hash().hex();
            // A list of all logs has the bloom of the block. Another filter may seem to be in it by chance.
            boolean byChance = !pattern.isOfAll() && check.chain.knownNanos(hash) >= INDEX_NANOS;
            if (unread || byChance) {
                next();
                return;
            }
            check.calls.handle(aside(given, ChainCalls.blockByHash(hash, false)), reply -> {
                if (reply instanceof RpcReply.Result result && result.value().equals(RawJson.NULL)) {
                    next();
                } else {
                    given.replace(nothing(
                            "no logs of block " + header.number() + ", whose bloom may hold some",
                            check.isRecent(header.number())));
                }
            });
        }
    }
}
