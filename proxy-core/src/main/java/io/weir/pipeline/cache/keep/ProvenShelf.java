package io.weir.pipeline.cache.keep;

import io.netty.channel.EventLoop;
import io.weir.access.Caller;
import io.weir.cache.AnswerFacts;
import io.weir.cache.AnswerProof;
import io.weir.cache.CacheMeters;
import io.weir.cache.CacheMeters.Keeping;
import io.weir.cache.CachedResult;
import io.weir.cache.KeepRule;
import io.weir.cache.block.BlockLayout;
import io.weir.cache.memory.ResultMemory;
import io.weir.chain.BlockLink;
import io.weir.chain.ChainView;
import io.weir.jsonrpc.RawJson;
import io.weir.pipeline.CallTrace;
import io.weir.pipeline.cache.keep.BlockShelf.Anchor;
import io.weir.pipeline.proof.FaultLedger;
import io.weir.upstream.NodeOutcome.Flaw;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Puts answers into the memory, those that can be proven only once they are. Thread-safe. */
public final class ProvenShelf {

    /** A block has two at most. */
    private static final int MOST_UNCLES = 2;

    private final ResultMemory memory;
    private final BlockShelf shelf;
    private final Uncles uncles;
    private final CacheMeters meters;
    private final ChainView view;
    private final @Nullable FaultLedger ledger;

    /** Asks for the uncles of blocks. Thread-safe. */
    @FunctionalInterface
    public interface Uncles {

        /**
         * Asks for a block's uncles, of which there are a few; called on the loop.
         *
         * @param block its hash
         * @param sink gets all of them, on the loop; null where one is missing
         */
        void ask(String block, int count, EventLoop loop, Consumer<@Nullable List<RawJson>> sink);
    }

    /**
     * Puts answers of one network.
     *
     * @param shelf of the memory's store
     * @param uncles asks for the uncles of blocks
     * @param view learns of blocks that are proven
     * @param ledger hears of what is proven and what is not; null where answers are kept without proof
     */
    public ProvenShelf(
            ResultMemory memory,
            BlockShelf shelf,
            Uncles uncles,
            CacheMeters meters,
            ChainView view,
            @Nullable FaultLedger ledger) {
        this.shelf = shelf;
        this.uncles = uncles;
        this.view = view;
        this.memory = memory;
        this.meters = meters;
        this.ledger = ledger;
    }

    boolean verifies() {
        return ledger != null;
    }

    /** Says why an answer is not kept. */
    void refuse(Question question, Keeping why) {
        meters.count(why);
        question.settled().accept(false);
    }

    /**
     * Keeps an answer, now or once it is proven.
     *
     * @param facts what it says of itself; null where it does not
     */
    void keep(Question question, RawJson answer, @Nullable AnswerFacts facts, Anchor anchor) {
        KeepRule rule = question.rule();
        CallTrace trace = question.context().trace();
        String upstream = trace.upstreamId();
        if (ledger == null || upstream == null || !(rule.isProvable() || rule.isProvenByItsBlock())) {
            put(question, answer, "", anchor);
            return;
        }
        if (trace.isProven()) {
            learn(facts);
            put(question, answer, trace.verified(), anchor);
            return;
        }
        String hash = anchor.block().hash();
        CachedResult block = rule == KeepRule.RECEIPTS && hash != null ? shelf.block(hash) : null;
        if (rule.isProvenByItsBlock() && block == null) {
            // What could be proven is not kept without the proof, and its block is not at hand.
            refuse(question, Keeping.UNVERIFIED);
            return;
        }
        FaultLedger faults = ledger;
        Runnable proof = () -> {
            AnswerProof.Result result;
            try {
                result = block == null
                        ? AnswerProof.check(rule, answer, question.provenHash(facts))
                        : AnswerProof.checkReceipts(answer, block.value(), Objects.requireNonNull(hash));
            } catch (RuntimeException e) {
                refuse(question, Keeping.UNVERIFIED);
                throw e;
            }
            tell(faults, question, upstream, result);
            proven(question, answer, facts, anchor, result);
        };
        if (rule == KeepRule.HEADER) {
            proof.run();
        } else if (!memory.executor()
                .tryRun(answer.length() + (block == null ? 0 : block.value().length()), proof)) {
            refuse(question, Keeping.NO_ROOM);
        }
    }

    private static void tell(FaultLedger ledger, Question question, String upstream, AnswerProof.Result result) {
        String method = question.key().method();
        String object = method + question.key().params();
        boolean block = question.rule() == KeepRule.BLOCK || question.rule() == KeepRule.HEADER;
        switch (result.outcome()) {
            case PROVEN, INCOMPLETE -> ledger.proven(upstream, object, block);
            case UNVERIFIABLE -> ledger.unverifiable(upstream, method, object, result.detail());
            default -> ledger.refuted(upstream, method, Flaw.FALSE_HASH, result.detail());
        }
    }

    private void proven(
            Question question, RawJson answer, @Nullable AnswerFacts facts, Anchor anchor, AnswerProof.Result result) {
        meters.count(result.outcome());
        switch (result.outcome()) {
            case PROVEN -> {
                learn(facts);
                boolean place = anchor.named() || question.rule() == KeepRule.TRANSACTION;
                put(question, answer, place ? result.parts() : "", anchor);
            }
            case INCOMPLETE -> complete(question, answer, facts, anchor);
            case UNVERIFIABLE -> refuse(question, Keeping.UNVERIFIED);
            default -> refuse(question, Keeping.WRONG);
        }
    }

    /** A block that the proxy asked for is compared with its uncles, where it is only these that are not proven. */
    private void complete(Question question, RawJson answer, @Nullable AnswerFacts facts, Anchor anchor) {
        BlockLayout layout = question.rule() == KeepRule.BLOCK ? BlockLayout.read(answer) : null;
        String hash = anchor.block().hash();
        int lacking = layout == null ? 0 : layout.uncles();
        boolean lacksUncles = lacking > 0 && lacking <= MOST_UNCLES;
        if (!lacksUncles || hash == null || !question.context().caller().equals(Caller.PROXY)) {
            refuse(question, Keeping.UNVERIFIED);
            return;
        }
        EventLoop loop = question.context().loop();
        loop.execute(() -> uncles.ask(hash, lacking, loop, found -> {
            Runnable proof =
                    () -> proven(question, answer, facts, anchor, AnswerProof.checkWithUncles(answer, hash, found));
            if (found == null) {
                refuse(question, Keeping.UNVERIFIED);
            } else if (!memory.executor().tryRun(answer.length(), proof)) {
                refuse(question, Keeping.NO_ROOM);
            }
        }));
    }

    private void learn(@Nullable AnswerFacts facts) {
        if (facts != null && facts.parentHash() != null) {
            view.extend(new BlockLink(facts.number(), facts.hash(), facts.parentHash()));
        }
    }

    private void put(Question question, RawJson answer, String proven, Anchor anchor) {
        if (shelf.put(question, answer, proven, anchor)) {
            boolean provable = question.rule().isProvable() || question.rule().isProvenByItsBlock();
            meters.count(ledger != null && provable ? Keeping.PROVEN : Keeping.UNPROVEN);
            question.settled().accept(true);
        } else {
            refuse(question, Keeping.NO_ROOM);
        }
    }
}
