package io.weir.pipeline.cache.admission;

import io.weir.cache.AnswerFacts;
import io.weir.cache.CacheMeters.Keeping;
import io.weir.cache.CachedResult;
import io.weir.cache.CachedResult.BlockRef;
import io.weir.chain.BlockLink;
import io.weir.chain.ChainView.Slot;
import io.weir.jsonrpc.RawJson;
import io.weir.method.CacheClass;
import io.weir.method.params.BlockSelector;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.cache.admission.CacheWriter.Anchor;
import io.weir.pipeline.proof.Anchors;
import io.weir.pipeline.watch.NetworkChain;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether an answer that was just passed on is kept, and for how long: what it depends on must be final, or known to be
 * canonical. Never delays the answer. Thread-safe; each answer stays on its call's event loop until it is verified.
 */
public final class CacheAdmission {

    /** How often the chain is looked at for one answer, where it does not hold still. */
    private static final int CHECKS = 3;

    private final NetworkChain chain;
    private final VerifyingCacheWriter shelf;
    private final Anchors anchors;
    private final boolean manyUpstreams;

    /**
     * Keeps answers of one network.
     *
     * @param anchors which blocks are canonical by several upstreams' word
     * @param manyUpstreams whether one upstream's word on an old block's place could be held against another's
     */
    public CacheAdmission(NetworkChain chain, VerifyingCacheWriter shelf, Anchors anchors, boolean manyUpstreams) {
        this.chain = chain;
        this.shelf = shelf;
        this.anchors = anchors;
        this.manyUpstreams = manyUpstreams;
    }

    /** Whether a result that is kept can be given out. */
    public enum Standing {
        /** It is right. */
        HOLDS,
        /** Its block is canonical no more. */
        FALLEN,
        /** The chain must be looked at before that can be said. */
        UNSURE
    }

    /**
     * Whether a result that is kept can be given out.
     *
     * @param checked whether the chain was looked at just now
     */
    public Standing standing(CachedResult result, boolean checked) {
        if (result.lasting()) {
            return Standing.HOLDS;
        }
        if (!checked && !chain.watch().isFresh()) {
            return Standing.UNSURE;
        }
        BlockRef block = result.block();
        Slot slot = chain.view().at(block.number());
        boolean same = slot == null
                ? block.stamp() == CachedResult.ANY_STAMP
                        && Objects.equals(block.hash(), chain.view().hash(block.number()))
                : slot.block().hash().equals(block.hash())
                        && (block.stamp() == CachedResult.ANY_STAMP || block.stamp() == slot.stamp());
        if (same && isAgreed(block.number()) && chain.finalized().covers(block.number())) {
            result.promote();
        }
        return same ? Standing.HOLDS : Standing.FALLEN;
    }

    private boolean isAgreed(long number) {
        return !manyUpstreams || chain.view().isAgreed(number);
    }

    /**
     * Whether clients may be told what was proven of a result that holds: of its block's place more than one upstream's word is
     * needed, where there are several.
     *
     * @param byHash whether the block was asked for by its hash, so that its place does not matter
     */
    public boolean isTold(CachedResult result, boolean byHash) {
        return byHash || result.lasting() || isAgreed(result.block().number());
    }

    /** Takes an answer of a node; called on the call's event loop, after the answer was passed on. */
    public void take(CacheRequest question, RawJson answer, String upstreamId) {
        if (answer.equals(RawJson.NULL)) {
            shelf.refuse(question, Keeping.UNFIT);
        } else if (question.context().trace().isUnanchored()) {
            shelf.refuse(question, Keeping.UNANCHORED);
        } else if (question.rule().namesBlock()) {
            takeNamed(question, answer, upstreamId);
        } else if (question.params().block() instanceof BlockSelector.Height height) {
            if (question.rule() == CacheClass.LOGS && !LogRange.endsWithNumbers(question.params())) {
                shelf.refuse(question, Keeping.UNFIT);
                return;
            }
            chain.finality()
                    .whenKnown(
                            question.context().loop(),
                            height.number(),
                            () -> keepNumbered(question, answer, height.number(), upstreamId));
        } else if (question.params().block() instanceof BlockSelector.Hash hash) {
            Slot slot = chain.view().find(hash.hash());
            if (slot == null) {
                shelf.refuse(question, Keeping.UNANCHORED);
                return;
            }
            chain.finality()
                    .whenKnown(
                            question.context().loop(), slot.block().number(), () -> keepHashed(question, answer, slot));
        } else {
            shelf.refuse(question, Keeping.UNFIT);
        }
    }

    /** Whether a block at a height may be found to be canonical, so that what is in it can be kept. */
    public boolean mayAnchor(long number) {
        boolean known = chain.view().hash(number) != null;
        return known
                || (chain.finalized().covers(number)
                        ? !manyUpstreams
                        : number > chain.view().top());
    }

    private void takeNamed(CacheRequest question, RawJson answer, String upstreamId) {
        AnswerFacts facts = AnswerFacts.read(question.rule(), answer);
        if (facts == null) {
            shelf.refuse(question, Keeping.UNFIT);
            return;
        }
        if (!question.isAnsweredBy(facts)) {
            shelf.refuseOther(question, upstreamId, facts);
            return;
        }
        CallContext context = question.context();
        feed(question, facts, upstreamId);
        chain.finality().whenKnown(context.loop(), facts.number(), () -> {
            boolean isFinal = chain.finalized().covers(facts.number());
            shelf.claim(question, upstreamId, facts, isFinal);
            if (isFinal) {
                keepFinal(question, answer, facts);
            } else {
                keepOnceFresh(question, answer, facts, CHECKS);
            }
        });
    }

    /** Lets the view learn from a block that passes by. */
    private void feed(CacheRequest question, AnswerFacts facts, String upstreamId) {
        String parent = facts.parentHash();
        if (parent == null || shelf.verifies()) {
            // Where blocks are verified, only those that were are believed.
            return;
        }
        BlockLink link = new BlockLink(facts.number(), facts.hash(), parent);
        if (!question.namesHash()) {
            chain.watch().offerHead(link, question.round(), question.beganNanos(), upstreamId);
        }
        chain.view().extend(link);
    }

    private void keepFinal(CacheRequest question, RawJson answer, AnswerFacts facts) {
        String canonical = chain.view().hash(facts.number());
        Anchors.Standing known = anchors.known(facts.number(), facts.hash());
        boolean elsewhere = known == Anchors.Standing.OTHER || (canonical != null && !canonical.equals(facts.hash()));
        boolean placed = manyUpstreams ? known == Anchors.Standing.CANONICAL : canonical != null;
        boolean anchored = question.namesHash() || placed;
        if (elsewhere || (!anchored && manyUpstreams)) {
            shelf.refuse(question, Keeping.UNANCHORED);
            return;
        }
        if (!question.namesHash()) {
            chain.finalized().anchor(facts.number(), facts.hash());
        }
        BlockRef block = new BlockRef(facts.number(), facts.hash(), CachedResult.ANY_STAMP);
        shelf.keep(question, answer, facts, new Anchor(block, true, anchored, placed || !question.namesHash()));
    }

    /** A check fails where the head rises under it, which at the head is no reason to keep nothing. */
    private void keepOnceFresh(CacheRequest question, RawJson answer, AnswerFacts facts, int checks) {
        CallContext context = question.context();
        chain.watch().whenFresh(context.loop(), context.deadlineNanos(), fresh -> {
            if (fresh || checks <= 1) {
                keepRecent(question, answer, facts, fresh);
            } else {
                keepOnceFresh(question, answer, facts, checks - 1);
            }
        });
    }

    private void keepRecent(CacheRequest question, RawJson answer, AnswerFacts facts, boolean fresh) {
        boolean canonical = fresh && facts.hash().equals(chain.view().hash(facts.number()));
        if (!canonical || question.requiresCanonical()) {
            shelf.refuse(question, Keeping.UNANCHORED);
            return;
        }
        BlockRef block = new BlockRef(facts.number(), facts.hash(), CachedResult.ANY_STAMP);
        shelf.keep(question, answer, facts, new Anchor(block, false, true, true));
    }

    /** What does not name its block is kept with the block that the view had at that place when the node was asked. */
    private void keepNumbered(CacheRequest question, RawJson answer, long number, String upstreamId) {
        Slot slot = question.slot();
        if (question.rule() == CacheClass.UNCLE && manyUpstreams) {
            shelf.refuse(question, Keeping.UNANCHORED);
        } else if (chain.finalized().covers(number)) {
            BlockRef block = new BlockRef(number, null, CachedResult.ANY_STAMP);
            shelf.keep(question, answer, null, new Anchor(block, true, false, true));
        } else if (question.rule() != CacheClass.LOGS
                && slot != null
                && stands(slot)
                && chain.view().isNamedBy(upstreamId)) {
            BlockRef block = new BlockRef(number, slot.block().hash(), slot.stamp());
            shelf.keep(question, answer, null, new Anchor(block, false, false, true));
        } else {
            shelf.refuse(question, Keeping.UNANCHORED);
        }
    }

    private boolean stands(Slot slot) {
        return slot.equals(chain.view().at(slot.block().number()));
    }

    private void keepHashed(CacheRequest question, RawJson answer, Slot slot) {
        long number = slot.block().number();
        boolean lasting = chain.finalized().covers(number);
        boolean fits = stands(slot)
                && (lasting || !(question.requiresCanonical() || question.rule() == CacheClass.LOGS))
                && !(question.rule() == CacheClass.UNCLE && manyUpstreams);
        if (fits) {
            BlockRef block = new BlockRef(number, slot.block().hash(), CachedResult.ANY_STAMP);
            shelf.keep(question, answer, null, new Anchor(block, lasting, false, true));
        } else {
            shelf.refuse(question, Keeping.UNANCHORED);
        }
    }

    /** The block that a call is about, where its answer will not say so and the view can be relied on; else null. */
    public @Nullable Slot slotOf(CallContext context, CacheClass rule, BlockSelector selector) {
        if (rule.namesBlock()
                || !(selector instanceof BlockSelector.Height height)
                || chain.finalized().covers(height.number())) {
            return null;
        }
        if (chain.watch().isFresh()) {
            return chain.view().at(height.number());
        }
        // Too late for this call, and in time for the next.
        chain.watch().whenFresh(context.loop(), context.deadlineNanos(), known -> {});
        return null;
    }
}
