package io.weir.pipeline;

import io.weir.tracing.CallSpan;
import io.weir.tracing.CallSpan.CacheOutcome;
import io.weir.verify.ProvenBlock;
import io.weir.verify.Verification;
import io.weir.verify.Verification.Part;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Record of how a call was answered, for response headers and meters. Confined to the call's event loop. */
public final class CallTrace {

    /** The part of the cache in an answer that it holds as it is; see {@link #cacheStatus}. */
    public static final String HIT = "hit";

    private @Nullable String upstreamId;
    private long upstreamNanos;
    private long moreUnits;
    private boolean degraded;
    private boolean forwarded;
    private boolean lackedData;
    private boolean hit;
    private boolean derived;
    private boolean kept;
    private boolean bypassed;
    private boolean collapsed;
    private boolean joined;
    private boolean judged;
    private String verified = "";
    private boolean filledBloom;
    /** Null unless the answer is a list of logs. */
    private @Nullable LogGrade logs;

    private @Nullable Verification<?> verification;
    private int outvoted;
    /** Null while tracing is off. */
    private @Nullable CallSpan span;

    /** The grade of a list of logs that could lack some, the best first. */
    public enum LogGrade {
        /** No log is missing. */
        COMPLETE,
        /** The logs of one whole block fill the bloom of the block's proven header exactly. */
        BLOOM,
        /** Neither is known. */
        UNPROVEN;

        private final String word = name().toLowerCase(Locale.ROOT);

        /** Returns the word of the response header. */
        public String word() {
            return word;
        }
    }

    /** Sets the span of the call. */
    public void spannedBy(@Nullable CallSpan begun) {
        span = begun;
    }

    /** Returns the span of the call; null while tracing is off, and for calls of the proxy's own. */
    public @Nullable CallSpan span() {
        return span;
    }

    /** Notes the upstream that answered, and how many nanoseconds that attempt took. */
    public void answeredBy(String id, long nanos) {
        upstreamId = id;
        upstreamNanos = nanos;
    }

    /** Copies the trace of another call that was made in place of this one. */
    public void askedAs(CallTrace other) {
        upstreamId = other.upstreamId;
        upstreamNanos = other.upstreamNanos;
        degraded |= other.degraded;
        forwarded |= other.forwarded;
        collapsed |= other.collapsed;
        hit = (hit || other.hit) && !forwarded;
        derived = hit;
        lackedData = other.lackedData;
        judged |= other.judged;
    }

    /** Notes that the call shared the answer to an equal call, and how that one was answered. */
    public void sharedFrom(CallTrace leader) {
        collapsed = true;
        judged |= leader.judged;
        verified = leader.verified;
        filledBloom = leader.filledBloom;
        if (leader.hit) {
            hit = true;
            return;
        }
        forwarded = true;
        if (leader.upstreamId != null) {
            answeredBy(leader.upstreamId, leader.upstreamNanos);
        }
        degraded |= leader.degraded;
        lackedData = leader.lackedData;
    }

    /** Returns a copy for other calls and threads, without the span and the costs. */
    public CallTrace copy() {
        CallTrace copy = new CallTrace();
        copy.askedAs(this);
        copy.hit = hit;
        copy.verified = verified;
        copy.filledBloom = filledBloom;
        copy.verification = verification;
        return copy;
    }

    /** Returns the upstream that answered, or null if none was asked. */
    public @Nullable String upstreamId() {
        return upstreamId;
    }

    /** Returns the nanoseconds that the answering attempt took. */
    public long upstreamNanos() {
        return upstreamNanos;
    }

    /** Notes that an upstream was asked. */
    public void markForwarded() {
        forwarded = true;
    }

    public boolean forwarded() {
        return forwarded;
    }

    /** Notes whether the node that answered last said that it lacks the block or its data. */
    public void lackedData(boolean lacked) {
        lackedData = lacked;
    }

    public boolean lackedData() {
        return lackedData;
    }

    /** Notes units that the call costs more than others of its method. */
    public void costsMore(long units) {
        moreUnits += units;
    }

    public long moreUnits() {
        return moreUnits;
    }

    /** Notes that the upstream which answers is not healthy. */
    public void markDegraded() {
        degraded = true;
    }

    public boolean degraded() {
        return degraded;
    }

    /**
     * Notes that a cache gave the answer.
     *
     * @param proven parts that were proven, as clients see them; empty if none was
     */
    public void markHit(String proven) {
        hit = true;
        verified = proven;
    }

    /** Returns whether no node was needed for the answer. */
    public boolean hit() {
        return hit;
    }

    /** Notes that the answer was cut out of a larger result in memory; else as {@link #markHit}. */
    public void markDerived(String proven) {
        markHit(proven);
        derived = true;
    }

    /** Notes that the cache was asked and had no answer. */
    public void markMiss() {
        kept = true;
    }

    /** Notes that the caller asked to bypass the cache. */
    public void markBypassed() {
        bypassed = true;
    }

    public boolean collapsed() {
        return collapsed;
    }

    /** Notes that several nodes gave parts of the answer, and that none of them answers for all of it. */
    public void markJoined() {
        joined = true;
    }

    public boolean joined() {
        return joined;
    }

    /** Notes that the result has the form of its method and answers its question. */
    public void markJudged() {
        judged = true;
    }

    public boolean isJudged() {
        return judged;
    }

    /** Notes the parts of a node's answer that were proven, as clients see them; empty if none was. */
    public void markVerified(String parts) {
        verified = parts;
    }

    /**
     * Notes the verification of a node's answer, before the answer is served. The last one counts.
     *
     * @param result null if nothing was proven
     */
    public void verifiedAs(@Nullable Verification<?> result) {
        verification = result;
        verified = result == null ? "" : result.shown();
        filledBloom = Verification.Incomplete.FILLED_BLOOM.equals(result);
    }

    /** Grades the answer, which is a list of logs. Returns the grade. */
    public LogGrade gradeLogs() {
        LogGrade ofNode = filledBloom ? LogGrade.BLOOM : LogGrade.UNPROVEN;
        LogGrade grade = Part.isOfAllLogs(verified) ? LogGrade.COMPLETE : ofNode;
        logs = grade;
        return grade;
    }

    /** Returns the grade of the answer; null unless it is a list of logs. */
    public @Nullable LogGrade logs() {
        return logs;
    }

    /**
     * Returns the verification of the last node's answer; null if there was none, as for a result from memory. Only one of a call that
     * waited for it says anything of the place of the answer's block.
     */
    public @Nullable Verification<?> verification() {
        return verification;
    }

    /** Notes that two other nodes name another block than an answer's. */
    public void markOutvoted() {
        outvoted++;
    }

    public int outvoted() {
        return outvoted;
    }

    /** Returns whether uncles of a block were left unproven that the call does not need, so that no other call may get it. */
    public boolean lacksUncles() {
        return !(verification instanceof Verification.Incomplete)
                && verification != null
                && verification.value() instanceof ProvenBlock block
                && !block.unclesProven();
    }

    /** Returns whether the answer's block is not known to be canonical, although another node was asked. */
    public boolean isUnanchored() {
        return verification instanceof Verification.Unanchored;
    }

    /** Returns whether all of the node's answer was proven before serving. */
    public boolean isProven() {
        return verification instanceof Verification.Proven;
    }

    /** Returns the parts of the answer that were proven, as clients see them; empty if none was. */
    public String verified() {
        return verified;
    }

    /** Returns how the cache took part in the answer. */
    public CacheOutcome cacheOutcome() {
        if (hit) {
            return CacheOutcome.HIT;
        }
        if (collapsed) {
            return CacheOutcome.COALESCED;
        }
        return kept ? CacheOutcome.MISS : CacheOutcome.NONE;
    }

    /** Returns the cache status as in RFC 9211; null if neither the cache nor an upstream was asked. */
    public @Nullable String cacheStatus() {
        if (hit) {
            return derived ? "hit; detail=derived" : HIT;
        }
        if (!forwarded) {
            return null;
        }
        String why = bypassed ? "fwd=request" : kept ? "fwd=uri-miss" : "fwd=method";
        return collapsed ? why + "; collapsed" : why;
    }
}
