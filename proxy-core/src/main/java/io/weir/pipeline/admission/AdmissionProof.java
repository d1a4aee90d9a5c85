package io.weir.pipeline.admission;

import io.weir.cache.AnswerFacts;
import io.weir.jsonrpc.RawJson;
import io.weir.method.AnswerKind;
import io.weir.method.CacheClass;
import io.weir.method.params.BlockSelector;
import io.weir.verify.AnswerProof;
import io.weir.verify.ChainRules;
import io.weir.verify.Verification;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Verification of an answer that is to be stored: by its own hashes, and by its block where only that proves its place. Pure. */
final class AdmissionProof {

    private AdmissionProof() {}

    /**
     * The block that a call is about, by which the place of the answer is verified. Immutable.
     *
     * @param block null if it is not stored
     * @param hash the block's; null if it is not known
     * @param lasting whether its height was final when the node was asked
     */
    record AskedBlock(@Nullable RawJson block, @Nullable String hash, boolean lasting) {}

    /** Verifies an answer by its hashes, and by its block if only the block proves its position. */
    static Verification<?> check(
            ChainRules rules, CacheRequest request, RawJson answer, @Nullable AnswerFacts facts, AskedBlock asked) {
        CacheClass rule = request.rule();
        if (rule == CacheClass.RECEIPTS) {
            return AnswerProof.checkReceipts(
                    answer, Objects.requireNonNull(asked.block()), Objects.requireNonNull(asked.hash()), rules);
        }
        AnswerKind kind = Objects.requireNonNull(rule.provenAs());
        Verification<?> result = AnswerProof.check(kind, answer, request.provenHash(facts), rules);
        if (!rule.isPlacedByItsBlock() || !(result instanceof Verification.Proven)) {
            return result;
        }
        if (asked.block() == null || asked.hash() == null) {
            return new Verification.Incomplete<>("without its block");
        }
        long index = rule == CacheClass.UNCLE ? request.index() : -1;
        Verification<?> placed = AnswerProof.checkPosition(answer, asked.block(), asked.hash(), index, rules);
        return placed instanceof Verification.Wrong && mayBeOfOther(request, asked)
                ? new Verification.Unanchored<>()
                : placed;
    }

    /**
     * Returns whether an answer that does not fit the block may be right for another one. An uncle names no block, and until a
     * height is final, the node may have had another block there than the chain view.
     */
    private static boolean mayBeOfOther(CacheRequest request, AskedBlock asked) {
        return request.rule() == CacheClass.UNCLE
                && request.params().block() instanceof BlockSelector.Height
                && !asked.lasting();
    }
}
