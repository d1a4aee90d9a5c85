package io.weir.pipeline.proof;

import io.weir.cache.CacheMeters.Serving;
import io.weir.config.NetworkConfig;
import io.weir.config.NetworkConfig.Verify;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.Hex;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.CacheClass;
import io.weir.method.MethodFacts;
import io.weir.method.ProofKind;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.BlockTag;
import io.weir.method.params.CheckedParams;
import io.weir.method.params.kind.HexText;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.Nodes;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.pipeline.evidence.Anchors;
import io.weir.pipeline.evidence.ClaimedBlock;
import io.weir.pipeline.evidence.EvidenceFetcher;
import io.weir.pipeline.evidence.FetchedBlock;
import io.weir.pipeline.evidence.VerificationContext;
import io.weir.pipeline.evidence.VerifyingCall;
import io.weir.pipeline.watch.NetworkChain;
import io.weir.verify.BlockProof;
import io.weir.verify.Part;
import io.weir.verify.ProvenBlock;
import io.weir.verify.Verification;
import io.weir.verify.family.Deviation;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Verification of one network's answers, assembled from its settings. Immutable; its parts are thread-safe. */
public final class Proofs {

    private final boolean serving;
    private final Nodes nodes;
    private final VerificationContext shared;
    private final Anchors anchors;

    /**
     * Assembles the verification that a network's settings ask for.
     *
     * @param shared what all verifications of the network share
     */
    public Proofs(NetworkConfig config, Nodes nodes, NetworkChain chain, VerificationContext shared) {
        // Without a block no answer is proven, so that a verified answer would only cost more calls.
        boolean provable = !shared.rules().family().has(Deviation.NO_BLOCK_HASHES);
        this.serving = config.verify() == Verify.BEFORE_SERVING && provable;
        this.nodes = nodes;
        this.shared = shared;
        this.anchors = new Anchors(chain, nodes, shared, config.upstreams().size());
    }

    /** Returns what all verifications of the network share. */
    public VerificationContext verification() {
        return shared;
    }

    /** Returns the canonical blocks that more than one upstream names. */
    public Anchors anchors() {
        return anchors;
    }

    /**
     * Returns the stage that verifies the answers of one method by their blocks before they are served; {@code next} if there is none.
     *
     * @param kept stores what was fetched to prove answers
     * @param next sends calls to nodes
     */
    public Stage before(MethodFacts facts, FetchedBlock.Sink kept, Stage next) {
        if (!serving) {
            return next;
        }
        EvidenceFetcher evidence = new EvidenceFetcher(shared, nodes, kept);
        ProofKind kind = facts.proof();
        AnswerVerifier verifier = switch (kind) {
            case HEADER -> new HeaderVerifier();
            case LOOKUP ->
                new TransactionLookupVerifier(facts.cacheClass() == CacheClass.RECEIPT, shared, evidence, nodes);
            case RAW_TRANSACTION -> new RawTransactionVerifier(evidence);
            case BLOCK, NONE -> new BlockPartVerifier(facts.blockField(), evidence);
        };
        // The others can be proven only if the call names a single block.
        boolean always = kind != ProofKind.BLOCK && kind != ProofKind.NONE;
        return new ProofStage(
                verifier, params -> always || BlockPartVerifier.isFor(facts.blockField(), params), kept, next);
    }

    /** Verifier of headers by their hashes. Thread-safe. */
    private final class HeaderVerifier implements AnswerVerifier {

        @Override
        public void fetch(CallContext context, CheckedParams params, Stage stage, Consumer<VerifiedAnswer> sink) {
            Hash32 hash = params.block() instanceof BlockSelector.Hash named ? Hash32.fromHex(named.hash()) : null;
            VerifyingCall<ProvenBlock> call = new VerifyingCall<>(
                    shared,
                    VerifyingCall.Kind.HEADER,
                    tree -> BlockProof.uncle(tree, hash, shared.rules().family()));
            call.send(context.aside(context.call()), stage, got -> {
                ProvenBlock block = got.value();
                if (block == null) {
                    sink.accept(VerifiedAnswer.unproven(got));
                    return;
                }
                ClaimedBlock claim = hash != null
                        ? null
                        : new ClaimedBlock(block.header().number(), block.hash().hex(), got.upstreamId());
                sink.accept(VerifiedAnswer.proven(
                        got.reply(), claim, Part.HEADER.word(), got.isListed(), null, got.trace()));
            });
        }
    }

    /**
     * Verifier of a transaction's bytes by its index in a block. It fetches the block in their place and encodes the bytes from the
     * proven block. Thread-safe.
     */
    private record RawTransactionVerifier(EvidenceFetcher evidence) implements AnswerVerifier {

        @Override
        public void fetch(CallContext context, CheckedParams params, Stage stage, Consumer<VerifiedAnswer> sink) {
            HexText position = HexText.read(params.values().get(1));
            evidence.block(context, stage, params.block(), params.values().get(0), false, got -> {
                FetchedBlock whole = got.value();
                if (whole == null || position == null) {
                    boolean nothing = got.isNothing();
                    sink.accept(
                            nothing
                                    ? VerifiedAnswer.unproven(got.reply(), got.trace())
                                    : VerifiedAnswer.withoutEvidence(got, evidence.isPassing()));
                    return;
                }
                long index = position.toLong();
                boolean there = index >= 0 && index < whole.block().size();
                if (!there
                        && index >= 0
                        && index < whole.block().size() + whole.block().unrooted()) {
                    sink.accept(VerifiedAnswer.none(got.trace()));
                    return;
                }
                // Nodes differ in their answer where there is no transaction: null, or no bytes.
                RawJson value = there ? raw(whole, (int) index) : RawJson.of("\"0x\"");
                boolean byHash = params.block() instanceof BlockSelector.Hash;
                sink.accept(VerifiedAnswer.proven(
                        new RpcReply.Result(value),
                        byHash ? null : whole.claim(),
                        Part.TRANSACTION.word(),
                        true,
                        whole,
                        got.trace()));
            });
        }

        private static RawJson raw(FetchedBlock whole, int index) {
            byte[] bytes = whole.block().transaction(index).transaction().encoded();
            return RawJson.of('"' + Hex.encode(bytes) + '"');
        }
    }

    /**
     * Stage that verifies answers before they are served. A wrong answer is a failed attempt, and another node is asked. A second node
     * must confirm that the answer's block is canonical. If nothing can prove an answer, such as state, it is served and counted.
     * Thread-safe.
     */
    private final class ProofStage implements Stage {

        /** Nodes that two others may outvote, one after the other, before the next answer is served unanchored. */
        private static final int MAX_OUTVOTED = 2;

        private final AnswerVerifier verifier;
        private final Predicate<CheckedParams> provable;
        private final FetchedBlock.Sink kept;
        private final Stage next;

        /**
         * @param provable whether a call's answer can be proven
         * @param kept stores what was fetched to prove answers
         * @param next sends calls to nodes unverified
         */
        ProofStage(AnswerVerifier verifier, Predicate<CheckedParams> provable, FetchedBlock.Sink kept, Stage next) {
            this.verifier = verifier;
            this.provable = provable;
            this.kept = kept;
            this.next = next;
        }

        @Override
        public void handle(CallContext context, ReplySink sink) {
            CheckedParams params = context.checkedParams();
            if (params == null || isPending(params) || !provable.test(params)) {
                shared.meters().count(Serving.UNPROVEN);
                next.handle(context, sink);
            } else {
                context.setRoute(context.route().inWhole());
                find(context, params, Set.of(), true, sink);
            }
        }

        private static boolean isPending(CheckedParams params) {
            return params.block() instanceof BlockSelector.Tag tag && tag.tag() == BlockTag.PENDING;
        }

        /** @param again whether the call may be sent once more */
        private void find(
                CallContext context, CheckedParams params, Set<String> outvoted, boolean again, ReplySink sink) {
            Stage stage = outvoted.isEmpty() ? nodes.all() : nodes.without().apply(outvoted);
            verifier.fetch(context, params, stage, answer -> {
                RpcReply reply = answer.reply();
                ClaimedBlock block = answer.block();
                context.trace().askedAs(answer.trace());
                if (answer.isMissing() && again) {
                    // The named block may have been dropped since: a node now names another one, or none.
                    find(context, params, outvoted, false, sink);
                } else if (reply == null) {
                    shared.meters().count(Serving.UNPROVEN);
                    next.handle(context, sink);
                } else if (block == null) {
                    serve(context, answer, reply, sink);
                } else {
                    anchors.find(context, block, standing -> {
                        switch (standing) {
                            case CANONICAL -> serve(context, answer, reply, sink);
                            case OTHER -> outvoted(context, params, outvoted, answer, sink);
                            default -> unanchored(context, answer, reply, sink);
                        }
                    });
                }
            });
        }

        private void outvoted(
                CallContext context,
                CheckedParams params,
                Set<String> outvoted,
                VerifiedAnswer answer,
                ReplySink sink) {
            ClaimedBlock block = Objects.requireNonNull(answer.block());
            if (outvoted.size() >= MAX_OUTVOTED) {
                unanchored(context, answer, Objects.requireNonNull(answer.reply()), sink);
                return;
            }
            shared.meters().count(Serving.OUTVOTED);
            Set<String> more = new HashSet<>(outvoted);
            more.add(block.upstreamId());
            find(context, params, Set.copyOf(more), false, sink);
        }

        private void unanchored(CallContext context, VerifiedAnswer answer, RpcReply reply, ReplySink sink) {
            shared.meters().count(Verification.Kind.UNANCHORED);
            if (anchors.isPossible()) {
                context.trace().verifiedAs(new Verification.Unanchored<>());
            } else if (answer.verification() instanceof Verification.Proven<RpcReply> proven) {
                // No other upstream can confirm the block: the answer is cached, and not called verified.
                context.trace().verifiedAs(proven.withoutParts());
            }
            sink.accept(reply);
        }

        private void serve(CallContext context, VerifiedAnswer answer, RpcReply reply, ReplySink sink) {
            if (answer.verification() != null) {
                context.trace().verifiedAs(answer.verification());
            }
            sink.accept(reply);
            if (answer.evidence() != null) {
                kept.take(context, answer.evidence());
            }
        }
    }
}
