package io.weir.pipeline.proof;

import io.weir.cache.CacheMeters.Serving;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.BlockTag;
import io.weir.method.params.CheckedParams;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.Nodes;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.pipeline.evidence.Anchors;
import io.weir.pipeline.evidence.ClaimedBlock;
import io.weir.pipeline.evidence.FetchedBlock;
import io.weir.pipeline.evidence.VerificationContext;
import io.weir.verify.Verification;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Stage that verifies answers before they are served. A wrong answer is a failed attempt, and another node is asked. A second node
 * must confirm that the answer's block is canonical. If nothing can prove an answer, such as state, it is served and counted.
 * Thread-safe.
 */
final class ProofStage implements Stage {

    /** Nodes that two others may outvote, one after the other, before the next answer is served unanchored. */
    private static final int MAX_OUTVOTED = 2;

    private final AnswerVerifier verifier;
    private final Predicate<CheckedParams> provable;
    private final VerificationContext verification;
    private final Anchors anchors;
    private final Nodes nodes;
    private final FetchedBlock.Sink kept;
    private final Stage next;

    /** Resources that the stages of one network share. Immutable. */
    record Shared(VerificationContext verification, Anchors anchors, Nodes nodes, FetchedBlock.Sink kept) {}

    /**
     * @param provable whether a call's answer can be proven
     * @param shared resources of the network
     * @param next sends calls to nodes unverified
     */
    ProofStage(AnswerVerifier verifier, Predicate<CheckedParams> provable, Shared shared, Stage next) {
        this.verifier = verifier;
        this.provable = provable;
        this.verification = shared.verification();
        this.anchors = shared.anchors();
        this.nodes = shared.nodes();
        this.kept = shared.kept();
        this.next = next;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        CheckedParams params = context.checkedParams();
        if (params == null || isPending(params) || !provable.test(params)) {
            verification.meters().count(Serving.UNPROVEN);
            next.handle(context, sink);
        } else {
            context.needsWhole();
            find(context, params, Set.of(), true, sink);
        }
    }

    private static boolean isPending(CheckedParams params) {
        return params.block() instanceof BlockSelector.Tag tag && tag.tag() == BlockTag.PENDING;
    }

    /** @param again whether the call may be sent once more */
    private void find(CallContext context, CheckedParams params, Set<String> outvoted, boolean again, ReplySink sink) {
        Stage stage = outvoted.isEmpty() ? nodes.all() : nodes.without().apply(outvoted);
        verifier.fetch(context, params, stage, answer -> {
            RpcReply reply = answer.reply();
            ClaimedBlock block = answer.block();
            context.trace().askedAs(answer.trace());
            if (answer.isMissing() && again) {
                // The named block may have been dropped since: a node now names another one, or none.
                find(context, params, outvoted, false, sink);
            } else if (reply == null) {
                verification.meters().count(Serving.UNPROVEN);
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
            CallContext context, CheckedParams params, Set<String> outvoted, VerifiedAnswer answer, ReplySink sink) {
        ClaimedBlock block = Objects.requireNonNull(answer.block());
        if (outvoted.size() >= MAX_OUTVOTED) {
            unanchored(context, answer, Objects.requireNonNull(answer.reply()), sink);
            return;
        }
        verification.meters().count(Serving.OUTVOTED);
        Set<String> more = new HashSet<>(outvoted);
        more.add(block.upstreamId());
        find(context, params, Set.copyOf(more), false, sink);
    }

    private void unanchored(CallContext context, VerifiedAnswer answer, RpcReply reply, ReplySink sink) {
        verification.meters().count(Verification.Kind.UNANCHORED);
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
