package io.weir.pipeline.evidence;

import io.weir.answer.Policy;
import io.weir.cache.CacheMeters;
import io.weir.config.NetworkConfig;
import io.weir.config.NetworkConfig.Hashing;
import io.weir.config.NetworkConfig.Unverifiable;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallTrace;
import io.weir.pipeline.Nodes.FaultSink;
import io.weir.pipeline.Stage;
import io.weir.pipeline.watch.KnownChain;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.NodeOutcome.Flaw;
import io.weir.verify.ChainFamily;
import io.weir.verify.ChainRules;
import io.weir.verify.Verification;
import io.weir.verify.VerifyExecutor;

/**
 * Resources that all verifications of one network share. Thread-safe.
 *
 * @param executor runs long proofs
 * @param policy says what is judged when
 * @param passing whether answers that cannot be verified are served
 * @param rules of the chain
 * @param known what is known of the chain
 * @param calls makes the proxy's own calls, from memory if it can
 */
public record VerificationContext(
        VerifyExecutor executor,
        CacheMeters meters,
        MisbehaviourTracker misbehaviour,
        Policy policy,
        boolean passing,
        ChainRules rules,
        KnownChain known,
        Stage calls) {

    /**
     * Returns what the verifications of a network share.
     *
     * @param faults receives the faults of nodes
     */
    public static VerificationContext of(
            NetworkConfig config,
            VerifyExecutor executor,
            CacheMeters meters,
            FaultSink faults,
            KnownChain known,
            Stage calls) {
        ChainRules rules = ChainRules.of(config);
        // A developer's node may give accounts keys of its own.
        boolean playground = config.upstreams().size() < 2 && ChainFamily.isOfDevelopers(config.chainId());
        boolean otherRules =
                config.hashing() == Hashing.AUTO && (playground || rules.isOfOtherFamily(config.chainId()));
        MisbehaviourTracker misbehaviour = new MisbehaviourTracker(config.name(), config.hashing(), otherRules, faults);
        return new VerificationContext(
                executor,
                meters,
                misbehaviour,
                Policy.of(config, rules.family()),
                config.unverifiable() == Unverifiable.PASS,
                rules,
                known,
                calls);
    }

    /** Returns whether the answer of a call that was verified may be relied on. */
    public boolean holds(CallTrace trace) {
        Verification<?> found = trace.verification();
        return found instanceof Verification.Proven || (found instanceof Verification.Unlisted && passing);
    }

    /**
     * Counts a verification, and notes it for or against the upstream.
     *
     * @param block whether the answer is a block or a header, but the first one of the chain
     */
    public void note(Verification<?> verification, RpcCall call, boolean block, String upstreamId) {
        meters.count(verification.kind());
        misbehaviour.note(upstreamId, call.method(), call.params(), block, verification);
    }

    /** Notes a verification, and returns the outcome of the attempt; else as {@link #note}. */
    NodeOutcome outcome(Verification<?> verification, RpcCall call, boolean block, String upstreamId, RawJson result) {
        note(verification, call, block, upstreamId);
        String detail = verification.detail();
        return switch (verification.kind()) {
            // No node can give a proof: asking others would cost calls, and serve nobody.
            case PROVEN, UNPROVABLE -> answered(result);
            case UNLISTED -> passing ? answered(result) : new Failed(Fault.UNVERIFIABLE, Executed.NO, detail, 0);
            case UNVERIFIABLE -> passing ? answered(result) : Failed.unproven(Flaw.UNVERIFIABLE, detail);
            case WRONG -> Failed.unproven(Flaw.FALSE_HASH, detail);
            case MISSING -> new Failed(Fault.FALSE_ANSWER, Executed.NO, detail, 0);
            case SHED -> new Failed(Fault.UNCHECKED, Executed.NO, "no room to verify", 0);
            case INCOMPLETE, UNANCHORED ->
                throw new IllegalArgumentException("verification: " + verification + " (expected: of one attempt)");
        };
    }

    private static NodeOutcome answered(RawJson result) {
        return new Answered(new RpcReply.Result(result));
    }
}
