package io.weir.pipeline;

import io.weir.verify.Verification;
import org.jspecify.annotations.Nullable;

/** What became of a call, for response headers and meters. Confined to the call's event loop. */
public final class CallTrace {

    private @Nullable String upstreamId;
    private long upstreamNanos;
    private boolean degraded;
    private boolean forwarded;
    private boolean lackedData;
    private boolean hit;
    private boolean derived;
    private boolean kept;
    private boolean bypassed;
    private boolean collapsed;
    private String verified = "";
    private @Nullable Verification<?> verification;

    /** Notes the upstream whose answer it was, and how long that attempt took. */
    public void answeredBy(String id, long nanos) {
        upstreamId = id;
        upstreamNanos = nanos;
    }

    /** Notes what another call, made in the place of this one, came to. */
    public void askedAs(CallTrace other) {
        upstreamId = other.upstreamId;
        upstreamNanos = other.upstreamNanos;
        degraded |= other.degraded;
        forwarded |= other.forwarded;
        lackedData = other.lackedData;
    }

    /** The upstream that answered, or null where none was asked. */
    public @Nullable String upstreamId() {
        return upstreamId;
    }

    /** How long the answering attempt took. */
    public long upstreamNanos() {
        return upstreamNanos;
    }

    /** Notes that an upstream was asked. */
    public void markForwarded() {
        forwarded = true;
    }

    /** Whether an upstream was asked. */
    public boolean forwarded() {
        return forwarded;
    }

    /** Notes whether the node that answered last said that it lacks the block, or what belongs to it. */
    public void lackedData(boolean lacked) {
        lackedData = lacked;
    }

    /** Whether the node that answered last said that it lacks the block, or what belongs to it. */
    public boolean lackedData() {
        return lackedData;
    }

    /** Notes that no healthy upstream was left. */
    public void markDegraded() {
        degraded = true;
    }

    /** Whether no healthy upstream was left and the least bad one was asked. */
    public boolean degraded() {
        return degraded;
    }

    /**
     * Notes that the answer was in memory.
     *
     * @param proven what was proven of it, as clients are told; empty where nothing was
     */
    public void markHit(String proven) {
        hit = true;
        verified = proven;
    }

    /** Whether no node was needed for the answer. */
    public boolean hit() {
        return hit;
    }

    /**
     * Notes that the answer was cut out of something larger in memory.
     *
     * @param proven what was proven of it, as clients are told; empty where nothing was
     */
    public void markDerived(String proven) {
        markHit(proven);
        derived = true;
    }

    /** Notes that the answer could have been in memory. */
    public void markMiss() {
        kept = true;
    }

    /** Notes that the caller wanted an answer past the memory. */
    public void markBypassed() {
        bypassed = true;
    }

    /** Notes that the answer was that to another call, the same one. */
    public void markCollapsed() {
        collapsed = true;
    }

    /** Whether the answer was that to another call. */
    public boolean collapsed() {
        return collapsed;
    }

    /** Notes what was proven of a node's answer, as clients are told; empty where nothing was. */
    public void markVerified(String parts) {
        verified = parts;
    }

    /** Notes the verification of the node's answer, its block's place included; once, before the answer is served. */
    public void verifiedAs(Verification<?> result) {
        verification = result;
        verified = result.parts();
    }

    /** Returns the verification of the node's answer; null if the answer was not verified before serving. */
    public @Nullable Verification<?> verification() {
        return verification;
    }

    /** Returns whether the answer's block is not known to be canonical, although another node was asked. */
    public boolean isUnanchored() {
        return verification instanceof Verification.Unanchored;
    }

    /** Returns whether all of the node's answer was proven before serving. */
    public boolean isProven() {
        return verification instanceof Verification.Proven;
    }

    /** What was proven of the answer, as clients are told; empty where nothing was. */
    public String verified() {
        return verified;
    }

    /** What the memory had to do with it, in the words of RFC 9211; null where it was not asked and no upstream was. */
    public @Nullable String cacheStatus() {
        if (hit) {
            return derived ? "hit; detail=derived" : "hit";
        }
        if (!forwarded) {
            return null;
        }
        String why = bypassed ? "fwd=request" : kept ? "fwd=uri-miss" : "fwd=method";
        return collapsed ? why + "; collapsed" : why;
    }
}
