package io.weir.pipeline.admission;

import io.netty.channel.EventLoop;
import io.weir.cache.AnswerFacts;
import io.weir.cache.CacheMeters;
import io.weir.cache.CacheMeters.Keeping;
import io.weir.cache.CachedResult;
import io.weir.cache.block.BlockLayout;
import io.weir.cache.memory.ResultMemory;
import io.weir.chain.BlockLink;
import io.weir.chain.ChainView;
import io.weir.jsonrpc.RawJson;
import io.weir.method.AnswerKind;
import io.weir.method.CacheClass;
import io.weir.method.params.BlockSelector;
import io.weir.pipeline.CallTrace;
import io.weir.pipeline.admission.AdmissionDecision.Proof;
import io.weir.pipeline.admission.CacheWriter.Anchor;
import io.weir.pipeline.proof.MisbehaviourTracker;
import io.weir.verify.AnswerProof;
import io.weir.verify.MemberNames;
import io.weir.verify.Verification;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Puts answers into the memory, those that can be proven only once they are. Thread-safe. */
public final class VerifyingCacheWriter {

    /** A block has two at most. */
    private static final int MAX_UNCLES = 2;

    private final ResultMemory memory;
    private final CacheWriter shelf;
    private final Uncles uncles;
    private final CacheMeters meters;
    private final ChainView view;
    private final @Nullable Verifying verifying;

    /**
     * How answers are proven before they are kept.
     *
     * @param ledger hears of what is proven and what is not
     * @param names the members that may stand in a proven answer
     * @param claims places of transactions that no block has proven yet
     */
    public record Verifying(MisbehaviourTracker ledger, MemberNames names, PositionClaims claims) {}

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
     * @param verifying null where answers are kept without proof
     */
    public VerifyingCacheWriter(
            ResultMemory memory,
            CacheWriter shelf,
            Uncles uncles,
            CacheMeters meters,
            ChainView view,
            @Nullable Verifying verifying) {
        this.shelf = shelf;
        this.uncles = uncles;
        this.view = view;
        this.memory = memory;
        this.meters = meters;
        this.verifying = verifying;
    }

    boolean verifies() {
        return verifying != null;
    }

    /**
     * Notes where an upstream says that a transaction stands, to compare it with the block once that is proven.
     *
     * @param isFinal whether the height is final
     */
    void claim(CacheRequest question, String upstreamId, AnswerFacts facts, boolean isFinal) {
        if (verifying != null && !question.context().trace().isProven()) {
            verifying.claims().note(upstreamId, question.key().method(), facts, isFinal);
        }
    }

    /** Says why an answer is not kept. */
    void refuse(CacheRequest question, Keeping why) {
        meters.count(why);
        question.settled().accept(false);
    }

    /**
     * Refuses an answer about another object than the one that was asked for. It is false where the call names a hash, because a
     * hash has one object only; a height may have had another block. Counts against the node where answers are verified.
     */
    void refuseOther(CacheRequest question, String upstreamId, AnswerFacts facts) {
        boolean ofBlock = question.params().block() instanceof BlockSelector.Hash;
        String asked = question.params().block() instanceof BlockSelector.Hash block
                ? block.hash()
                : question.params().lookupHash();
        String got = ofBlock ? facts.hash() : facts.transactionHash();
        if (verifying == null || asked == null || got == null || got.equals(asked)) {
            refuse(question, Keeping.UNFIT);
            return;
        }
        String detail = "hash: " + got + " (expected: " + asked + ")";
        note(verifying, question, upstreamId, new Verification.Wrong<>(detail));
        refuse(question, Keeping.WRONG);
    }

    /**
     * Keeps an answer, now or once it is proven.
     *
     * @param facts what it says of itself; null where it does not
     */
    void keep(CacheRequest question, RawJson answer, @Nullable AnswerFacts facts, Anchor anchor) {
        CacheClass rule = question.rule();
        CallTrace trace = question.context().trace();
        String upstream = trace.upstreamId();
        Proof needed = anchor.store().proof();
        if (verifying == null || upstream == null || needed == Proof.NONE) {
            put(question, answer, "", anchor);
            return;
        }
        if (needed == Proof.DONE) {
            learn(facts);
            put(question, answer, trace.verified(), anchor);
            return;
        }
        boolean byHeight = anchor.block().hash() == null && anchor.lasting();
        String hash = byHeight
                ? shelf.hashAt(anchor.block().number())
                : anchor.block().hash();
        boolean besideBlock = needed == Proof.BLOCK || needed == Proof.HASH_AND_BLOCK;
        CachedResult kept = besideBlock && hash != null ? shelf.block(hash) : null;
        if (needed == Proof.BLOCK && kept == null) {
            // An answer that only its block proves is not stored without that block.
            refuse(question, Keeping.UNVERIFIED);
            return;
        }
        Verifying with = verifying;
        RawJson block = kept == null ? null : kept.value();
        Runnable proof = () -> {
            Verification<?> result;
            try {
                result = check(with.names(), question, answer, facts, block, hash);
            } catch (RuntimeException e) {
                refuse(question, Keeping.UNVERIFIED);
                throw e;
            }
            note(with, question, upstream, result);
            verified(question, answer, facts, anchor, result);
        };
        if (rule == CacheClass.HEADER) {
            proof.run();
        } else if (!memory.executor().tryRun(answer.length() + (block == null ? 0 : block.length()), proof)) {
            refuse(question, Keeping.NO_ROOM);
        }
    }

    /** Verifies an answer by its hashes, and by its block if only the block proves its position. */
    private static Verification<?> check(
            MemberNames names,
            CacheRequest question,
            RawJson answer,
            @Nullable AnswerFacts facts,
            @Nullable RawJson block,
            @Nullable String hash) {
        CacheClass rule = question.rule();
        if (rule == CacheClass.RECEIPTS) {
            return AnswerProof.checkReceipts(
                    answer, Objects.requireNonNull(block), Objects.requireNonNull(hash), names);
        }
        AnswerKind kind = Objects.requireNonNull(rule.provenAs());
        Verification<?> result = AnswerProof.check(kind, answer, question.provenHash(facts), names);
        if (!rule.isPlacedByItsBlock() || !(result instanceof Verification.Proven)) {
            return result;
        }
        return block == null || hash == null
                ? new Verification.Incomplete<>("without its block")
                : AnswerProof.checkPosition(answer, block, hash, rule == CacheClass.UNCLE ? question.index() : -1);
    }

    private static void note(Verifying with, CacheRequest question, String upstream, Verification<?> result) {
        String method = question.key().method();
        boolean block = question.rule() == CacheClass.BLOCK || question.rule() == CacheClass.HEADER;
        with.ledger().note(upstream, method, method + question.key().params(), block, result);
    }

    private void verified(
            CacheRequest question, RawJson answer, @Nullable AnswerFacts facts, Anchor anchor, Verification<?> result) {
        meters.count(result.kind());
        switch (result.kind()) {
            case PROVEN -> {
                learn(facts);
                boolean place = anchor.named() || question.rule().isPlacedByItsBlock();
                put(question, answer, place ? result.parts() : "", anchor);
            }
            case INCOMPLETE -> complete(question, answer, facts, anchor);
            case WRONG -> refuse(question, Keeping.WRONG);
            default -> refuse(question, Keeping.UNVERIFIED);
        }
    }

    /** Verifies a block of which only the uncles are not proven, if the budget allows to fetch them. */
    private void complete(CacheRequest question, RawJson answer, @Nullable AnswerFacts facts, Anchor anchor) {
        BlockLayout layout = question.rule() == CacheClass.BLOCK ? BlockLayout.read(answer) : null;
        String hash = anchor.block().hash();
        String upstream = question.context().trace().upstreamId();
        int lacking = layout == null ? 0 : layout.uncles();
        Verifying with = verifying;
        if (lacking == 0 || lacking > MAX_UNCLES || hash == null || upstream == null || with == null) {
            refuse(question, Keeping.UNVERIFIED);
            return;
        }
        EventLoop loop = question.context().loop();
        loop.execute(() -> uncles.ask(hash, lacking, loop, found -> {
            if (found == null) {
                refuse(question, Keeping.UNVERIFIED);
                return;
            }
            Runnable proof = () -> {
                Verification<?> result = AnswerProof.checkWithUncles(answer, hash, found, with.names());
                if (result instanceof Verification.Wrong) {
                    note(with, question, upstream, result);
                }
                verified(question, answer, facts, anchor, result);
            };
            if (!memory.executor().tryRun(answer.length(), proof)) {
                refuse(question, Keeping.NO_ROOM);
            }
        }));
    }

    private void learn(@Nullable AnswerFacts facts) {
        if (facts != null && facts.parentHash() != null) {
            view.extend(new BlockLink(facts.number(), facts.hash(), facts.parentHash()));
        }
    }

    private void put(CacheRequest question, RawJson answer, String proven, Anchor anchor) {
        if (shelf.put(question, answer, proven, anchor)) {
            boolean provable = question.rule().isProvable() || question.rule().isProvenByItsBlock();
            meters.count(verifying != null && provable ? Keeping.PROVEN : Keeping.UNPROVEN);
            compareClaims(question, answer, anchor);
            question.settled().accept(true);
        } else {
            refuse(question, Keeping.NO_ROOM);
        }
    }

    private void compareClaims(CacheRequest question, RawJson answer, Anchor anchor) {
        String hash = anchor.block().hash();
        if (verifying == null
                || question.rule() != CacheClass.BLOCK
                || hash == null
                || verifying.claims().isEmpty()) {
            return;
        }
        BlockLayout layout = BlockLayout.read(answer);
        if (layout != null) {
            List<String> transactions = IntStream.range(0, layout.size())
                    .mapToObj(i -> layout.hash(answer, i))
                    .toList();
            boolean canonical = anchor.lasting() && anchor.placed();
            verifying.claims().compare(anchor.block().number(), hash, transactions, canonical);
        }
    }
}
