package io.weir.pipeline.proof;

import io.weir.cache.CacheMeters;
import io.weir.config.NetworkConfig;
import io.weir.config.NetworkConfig.Hashing;
import io.weir.config.NetworkConfig.Unverifiable;
import io.weir.config.NetworkConfig.Verify;
import io.weir.method.CacheClass;
import io.weir.method.MethodFacts;
import io.weir.method.ProofKind;
import io.weir.pipeline.Nodes;
import io.weir.pipeline.Nodes.FaultSink;
import io.weir.pipeline.Stage;
import io.weir.pipeline.evidence.Anchors;
import io.weir.pipeline.evidence.EvidenceFetcher;
import io.weir.pipeline.evidence.FetchedBlock;
import io.weir.pipeline.evidence.MisbehaviourTracker;
import io.weir.pipeline.evidence.VerificationContext;
import io.weir.pipeline.watch.NetworkChain;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.NodeOutcome.Flaw;
import io.weir.verify.ChainRules;
import io.weir.verify.VerifyExecutor;
import io.weir.verify.family.Deviation;
import java.util.function.Consumer;

/** Verification of one network's answers, assembled from its settings. Immutable; its parts are thread-safe. */
public final class Proofs {

    private final boolean serving;
    private final boolean checksHeaders;
    private final Nodes nodes;
    private final NetworkChain chain;
    private final VerificationContext shared;
    private final Anchors anchors;

    /**
     * Assembles the verification that a network's settings ask for.
     *
     * @param liars receives the id of a node whose answer is certainly false
     */
    public Proofs(
            NetworkConfig config,
            Nodes nodes,
            NetworkChain chain,
            VerifyExecutor executor,
            CacheMeters meters,
            Consumer<String> liars) {
        ChainRules rules = ChainRules.of(config);
        // Without a block no answer is proven, so that a verified answer would only cost more calls.
        boolean provable = !rules.family().has(Deviation.NO_BLOCK_HASHES);
        this.serving = config.verify() == Verify.BEFORE_SERVING && provable;
        // A node that is alone gives the only answer there is.
        this.checksHeaders = config.verify() == Verify.BEFORE_CACHING
                && provable
                && config.upstreams().size() > 1;
        this.nodes = nodes;
        this.chain = chain;
        MisbehaviourTracker misbehaviour =
                new MisbehaviourTracker(config.name(), config.hashing(), faults(config, rules, liars));
        this.shared = new VerificationContext(
                executor, meters, misbehaviour, config.unverifiable() == Unverifiable.PASS, rules);
        this.anchors = new Anchors(chain, nodes, shared, config.upstreams().size());
    }

    /**
     * Returns the sink of faults. Failed proofs cost no health if the chain is known to have other rules than those of its settings. A
     * node that pays for a false answer is reported as a liar.
     */
    private FaultSink faults(NetworkConfig config, ChainRules rules, Consumer<String> liars) {
        boolean doubtful = config.hashing() == Hashing.AUTO && rules.isOfOtherFamily(config.chainId());
        FaultSink sink = nodes.faults();
        return (id, flaw, detail, costs) -> {
            boolean certain = costs && (!doubtful || flaw == Flaw.OTHER_RESULT);
            sink.refuted(id, flaw, detail, certain);
            if (certain && flaw.fault() == Fault.FALSE_ANSWER) {
                liars.accept(id);
            }
        };
    }

    /** Returns the tracker of upstreams whose answers are false. */
    public MisbehaviourTracker misbehaviour() {
        return shared.misbehaviour();
    }

    /** Returns the rules of the chain. */
    public ChainRules rules() {
        return shared.rules();
    }

    /** Returns the canonical blocks that more than one upstream names. */
    public Anchors anchors() {
        return anchors;
    }

    /**
     * Returns the stage that verifies the answers of one method before they are served; {@code next} if there is none. Where answers
     * are verified before they are cached, only headers of blocks are.
     *
     * @param kept stores what was fetched to prove answers
     * @param next sends calls to nodes
     */
    public Stage before(MethodFacts facts, FetchedBlock.Sink kept, Stage next) {
        if (!serving) {
            return checksHeaders && answersBlock(facts) ? new HeaderCheckStage(shared, chain, next) : next;
        }
        EvidenceFetcher evidence = new EvidenceFetcher(shared, nodes, kept);
        ProofKind kind = facts.proof();
        AnswerVerifier verifier = switch (kind) {
            case HEADER -> new HeaderVerifier(shared);
            case LOOKUP ->
                new TransactionLookupVerifier(facts.cacheClass() == CacheClass.RECEIPT, shared, evidence, nodes);
            case RAW_TRANSACTION -> new RawTransactionVerifier(evidence);
            case BLOCK, NONE -> new BlockPartVerifier(facts.blockField(), evidence);
        };
        // The others can be proven only if the call names a single block.
        boolean always = kind != ProofKind.BLOCK && kind != ProofKind.NONE;
        return new ProofStage(
                verifier,
                params -> always || BlockPartVerifier.isFor(facts.blockField(), params),
                new ProofStage.Shared(shared, anchors, nodes, kept),
                next);
    }

    private static boolean answersBlock(MethodFacts facts) {
        return facts.cacheClass() == CacheClass.BLOCK || facts.cacheClass() == CacheClass.HEADER;
    }
}
