package io.weir.pipeline.proof;

import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallTrace;
import io.weir.pipeline.evidence.ClaimedBlock;
import io.weir.pipeline.evidence.FetchedBlock;
import io.weir.pipeline.evidence.VerifiedReply;
import io.weir.verify.Verification;
import org.jspecify.annotations.Nullable;

/**
 * Answer to a client's call, together with its verification. Immutable.
 *
 * @param reply null if nothing can be proven and that is allowed: the call is sent unverified
 * @param block the block that the answer depends on; null if the call names it by hash, or if nothing was proven
 * @param verification of the answer, apart from the place of its block; null if nothing was verified
 * @param evidence the block that proves the answer, if one was fetched
 * @param trace of the fetching calls
 */
record VerifiedAnswer(
        @Nullable RpcReply reply,
        @Nullable ClaimedBlock block,
        @Nullable Verification<RpcReply> verification,
        @Nullable FetchedBlock evidence,
        CallTrace trace) {

    /**
     * Returns an answer that is right.
     *
     * @param parts the proven parts, as clients read them
     * @param listed whether it has only members that are listed for the chain; else it is not called verified, and not cached
     */
    static VerifiedAnswer proven(
            RpcReply reply,
            @Nullable ClaimedBlock block,
            String parts,
            boolean listed,
            @Nullable FetchedBlock evidence,
            CallTrace trace) {
        Verification<RpcReply> verification = listed
                ? new Verification.Proven<>(reply, parts)
                : new Verification.Unlisted<>(reply, "a member that is not listed");
        return new VerifiedAnswer(reply, block, verification, evidence, trace);
    }

    /** Returns the answer to a call of which nothing can be proven, and which may be sent unverified. */
    static VerifiedAnswer none(CallTrace trace) {
        return new VerifiedAnswer(null, null, null, null, trace);
    }

    /** Returns an answer of which nothing is proven. */
    static VerifiedAnswer unproven(RpcReply reply, CallTrace trace) {
        return new VerifiedAnswer(reply, null, null, null, trace);
    }

    /** Returns an answer whose block was fetched, but not its receipts. The block may have been dropped since. */
    static VerifiedAnswer missing(RpcReply reply, CallTrace trace) {
        return new VerifiedAnswer(reply, null, new Verification.Missing<>("without receipts"), null, trace);
    }

    /** Returns a reply without a proven value as the answer to its call. */
    static VerifiedAnswer unproven(VerifiedReply<?> got) {
        return got.verification() instanceof Verification.Missing<?> missing
                ? new VerifiedAnswer(got.reply(), null, missing.failure(), null, got.trace())
                : unproven(got.reply(), got.trace());
    }

    /**
     * Returns the answer that a reply without a proven value was to prove. The reply is not that there is no such object.
     *
     * @param passing whether answers that cannot be verified are served
     */
    static VerifiedAnswer withoutEvidence(VerifiedReply<?> got, boolean passing) {
        if (got.isUnserved()) {
            return passing
                    ? none(got.trace())
                    : unproven(
                            RpcReply.failure(ErrorCode.INVALID_INPUT.error("no upstream's answer can be verified")),
                            got.trace());
        }
        // A result without a proven value was served unverified, and so may be the answer that it was to prove.
        return got.reply() instanceof RpcReply.Result ? none(got.trace()) : unproven(got);
    }

    /** Returns whether the proof did not arrive: the block may have been dropped meanwhile. */
    boolean isMissing() {
        return verification instanceof Verification.Missing;
    }
}
