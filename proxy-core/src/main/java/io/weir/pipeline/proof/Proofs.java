package io.weir.pipeline.proof;

import io.weir.cache.AnswerProof;
import io.weir.cache.CacheMeters;
import io.weir.cache.CacheMeters.Serving;
import io.weir.cache.VerifyExecutor;
import io.weir.config.NetworkConfig;
import io.weir.config.NetworkConfig.Hashing;
import io.weir.config.NetworkConfig.Unverifiable;
import io.weir.config.NetworkConfig.Verify;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.CacheClass;
import io.weir.method.MethodFacts;
import io.weir.method.ProofKind;
import io.weir.pipeline.Nodes;
import io.weir.pipeline.Stage;
import io.weir.pipeline.watch.NetworkChain;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.NodeOutcome.Flaw;
import io.weir.verify.MemberNames;

/** How one network's answers are verified, and by whom. Immutable; what it holds is thread-safe. */
public final class Proofs {

    private final boolean serving;
    private final Nodes nodes;
    private final Desk desk;
    private final Anchors anchors;

    /** Reads what is to be verified from a network's settings. */
    public Proofs(NetworkConfig config, Nodes nodes, NetworkChain chain, VerifyExecutor executor, CacheMeters meters) {
        this.serving = config.verify() == Verify.BEFORE_SERVING && config.hashing() != Hashing.NONE;
        this.nodes = nodes;
        MisbehaviourTracker ledger = new MisbehaviourTracker(config.name(), config.hashing(), nodes.faults());
        MemberNames names = MemberNames.of(config.chainId(), config.verifyMembers());
        this.desk = new Desk(executor, meters, ledger, config.unverifiable() == Unverifiable.PASS, names);
        this.anchors = new Anchors(chain, nodes, desk, config.upstreams().size());
    }

    /** Whose answers were refuted. */
    public MisbehaviourTracker ledger() {
        return desk.ledger();
    }

    /** The members that may stand in answers called verified. */
    public MemberNames names() {
        return desk.names();
    }

    /** Which blocks are canonical by more than one upstream's word. */
    public Anchors anchors() {
        return anchors;
    }

    /**
     * What stands before the nodes for one method.
     *
     * @param kept takes what was asked for to prove answers
     * @param next sends calls to nodes
     */
    public Stage before(MethodFacts facts, Whole.Sink kept, Stage next) {
        if (!serving) {
            return next;
        }
        BlockEvidence evidence = new BlockEvidence(desk, nodes, kept);
        ProofKind kind = facts.proof();
        Found.Way way = switch (kind) {
            case HEADER -> new HeaderWay(desk);
            case LOOKUP -> new LookupWay(facts.cacheClass() == CacheClass.RECEIPT, desk, evidence, nodes);
            case RAW_TRANSACTION -> new RawWay(evidence);
            case BLOCK, NONE -> new BlockWay(facts.blockField(), evidence);
        };
        // The others can be proven only if the call names a single block.
        boolean always = kind != ProofKind.BLOCK && kind != ProofKind.NONE;
        return new ProofStage(
                way,
                params -> always || BlockWay.isFor(facts.blockField(), params),
                new ProofStage.Shared(desk, anchors, nodes, kept),
                next);
    }

    /**
     * What one network's checks share: where proofs run, what is counted, and what a ruling means for an attempt. Thread-safe.
     *
     * @param passing whether what cannot be verified is passed on
     * @param names the members that may stand in answers called verified
     */
    record Desk(
            VerifyExecutor executor,
            CacheMeters meters,
            MisbehaviourTracker ledger,
            boolean passing,
            MemberNames names) {

        /** What an attempt comes to whose answer was looked at; counted, and noted for and against the upstream. */
        NodeOutcome outcome(Ruling ruling, RpcCall call, boolean block, String upstreamId, RawJson result) {
            return switch (ruling.kind()) {
                case PROVEN -> {
                    meters.count(AnswerProof.Outcome.PROVEN);
                    ledger.proven(upstreamId, object(call), block);
                    yield answered(result);
                }
                case UNLISTED -> {
                    meters.count(AnswerProof.Outcome.UNLISTED);
                    ledger.proven(upstreamId, object(call), block);
                    ledger.unlisted(upstreamId, call.method(), ruling.detail());
                    yield passing ? answered(result) : new Failed(Fault.UNVERIFIABLE, Executed.NO, ruling.detail(), 0);
                }
                case UNVERIFIABLE -> {
                    meters.count(AnswerProof.Outcome.UNVERIFIABLE);
                    ledger.unverifiable(upstreamId, call.method(), object(call), ruling.detail());
                    yield passing ? answered(result) : Failed.unproven(Flaw.UNVERIFIABLE, ruling.detail());
                }
                case FALSE -> {
                    meters.count(AnswerProof.Outcome.WRONG);
                    ledger.refuted(upstreamId, call.method(), Flaw.FALSE_HASH, ruling.detail());
                    yield Failed.unproven(Flaw.FALSE_HASH, ruling.detail());
                }
                case LACKING -> new Failed(Fault.FALSE_ANSWER, Executed.NO, ruling.detail(), 0);
                case SHED -> {
                    meters.count(Serving.SHED);
                    yield new Failed(Fault.UNCHECKED, Executed.NO, "no room to verify", 0);
                }
            };
        }

        private static NodeOutcome answered(RawJson result) {
            return new Answered(new RpcReply.Result(result));
        }

        /** What an answer is about. */
        static String object(RpcCall call) {
            return call.method() + call.params();
        }
    }
}
