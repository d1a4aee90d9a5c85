package io.weir.pipeline.admission;

import io.weir.cache.CachedResult;
import io.weir.cache.CachedResult.BlockRef;
import io.weir.cache.SourceMarks;
import io.weir.chain.CanonicalLinks;
import io.weir.chain.Slot;
import io.weir.method.ResultKind;
import io.weir.pipeline.watch.NetworkChain;
import io.weir.verify.Verification.Part;
import java.util.Objects;

/**
 * The check of stored results: whether their block is still canonical, and their node still trusted. Thread-safe.
 *
 * @param manyUpstreams whether one upstream's word about an old block's place could contradict another's
 * @param marks of the nodes
 */
public record CanonicalCheck(NetworkChain chain, boolean manyUpstreams, SourceMarks marks) {

    /** The validity of a stored result. */
    public enum Validity {
        /** The result is right. */
        VALID,
        /** Its block is no longer canonical, or its node gave a false answer since. */
        STALE,
        /** The chain must be checked, or followed further down, before that can be said. */
        UNKNOWN
    }

    /**
     * Returns whether a stored result is still right. Promotes it if its block is found to be final.
     *
     * @param checked whether the chain was checked just now
     */
    public Validity validity(CachedResult result, boolean checked) {
        if (!isTrusted(result)) {
            return Validity.STALE;
        }
        if (result.lasting()) {
            return Validity.VALID;
        }
        if (!checked && !chain.watch().isFresh()) {
            return Validity.UNKNOWN;
        }
        BlockRef block = result.block();
        CanonicalLinks links = chain.view().links();
        Slot slot = links.at(block.number());
        String canonical =
                slot == null ? links.hash(block.number()) : slot.block().hash();
        if (canonical == null && block.number() <= links.top()) {
            return Validity.UNKNOWN;
        }
        // A slot in a filled gap may be of an earlier view, and has another stamp then.
        boolean stands = slot == null
                || slot.isFilled()
                || block.stamp() == CachedResult.ANY_STAMP
                || block.stamp() == slot.stamp();
        if (!stands || !Objects.equals(block.hash(), canonical)) {
            return Validity.STALE;
        }
        if (isFinal(block.number())) {
            result.promote();
        }
        return Validity.VALID;
    }

    /** Returns whether a result is proven, or its node is not known to have given a false answer since. */
    public boolean isTrusted(CachedResult result) {
        return marks.isValid(result.source());
    }

    /** Returns whether a block of the chain view stays canonical, and no other node could contradict that. */
    public boolean isFinal(long number) {
        return isAgreed(number) && chain.isSettled(number);
    }

    /**
     * Returns the proven parts of a valid result that clients may learn, with the place of its block if several upstreams named it. If there
     * are several, more than one must have named the block, or clients learn nothing.
     *
     * @param byHash whether the call names the block's hash, so that the block's place does not matter, and is not shown
     */
    public String shown(CachedResult result, boolean byHash) {
        String parts = result.proven();
        if (!byHash && isPlaced(result)) {
            return Part.placed(parts);
        }
        // A transaction is the same in each block.
        boolean anywhere = byHash || result.kind() == ResultKind.TRANSACTION;
        return anywhere || result.lasting() || isAgreed(result.blockNumber()) ? parts : "";
    }

    /** The agreement is read before the hash, so that it is not that of a block which came in place of the result's. */
    private boolean isPlaced(CachedResult result) {
        long number = result.blockNumber();
        boolean certain = result.lasting()
                || (isAgreed(number) && Objects.equals(chain.view().hash(number), result.blockHash()));
        return manyUpstreams && certain && result.placed() && result.source() == SourceMarks.NONE;
    }

    private boolean isAgreed(long number) {
        return !manyUpstreams || chain.view().isAgreed(number);
    }

    /** Returns whether a block at a height may turn out to be canonical; only then could its results be stored. */
    public boolean mayBeCanonical(long number) {
        boolean known = chain.view().hash(number) != null;
        return known
                || (chain.finalized().covers(number)
                        ? !manyUpstreams
                        : number > chain.view().top() || chain.watch().isReachable(number));
    }
}
