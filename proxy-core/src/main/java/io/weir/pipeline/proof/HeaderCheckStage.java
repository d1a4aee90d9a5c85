package io.weir.pipeline.proof;

import io.weir.chain.BlockLink;
import io.weir.ethereum.block.BlockHeader;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.CheckedParams;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplyCheck;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.pipeline.evidence.VerificationContext;
import io.weir.pipeline.watch.NetworkChain;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Flaw;
import io.weir.verify.AnswerProof;
import io.weir.verify.BlockProof;
import io.weir.verify.ProvenBlock;
import io.weir.verify.Verification;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Stage that checks the header of a block before it is served, where answers are verified only before they are cached. It costs no
 * call. A header that contradicts its own hash or the call is a failed attempt, and another node is asked. So is another block than
 * the final one that two nodes named at this height. Everything else passes. Thread-safe.
 *
 * <p>Until a block of the chain was proven, its rules may be other ones than those of the settings. Then a few calls whose answer
 * seems false are sent to one more node, and what that answers is served.
 */
final class HeaderCheckStage implements Stage {

    private final VerificationContext verification;
    private final NetworkChain chain;
    private final Stage next;

    /** @param next sends calls to nodes */
    HeaderCheckStage(VerificationContext verification, NetworkChain chain, Stage next) {
        this.verification = verification;
        this.chain = chain;
        this.next = next;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        CheckedParams params = context.checkedParams();
        boolean others = context.check() != null && !(context.check() instanceof HeaderCheck);
        if (params == null || others) {
            next.handle(context, sink);
            return;
        }
        // A call that is sent once more may be about another block by now.
        HeaderCheck check = new HeaderCheck(params.block());
        context.checkedBy(check);
        next.handle(context, reply -> sink.accept(check.served(reply)));
    }

    /** Check of the answers to one call. Confined to the call's event loop. */
    private final class HeaderCheck implements ReplyCheck {

        private final BlockSelector asked;
        /** First answer, which is false only if the chain has the rules of its settings; null if it is not. */
        private @Nullable RawJson doubtful;

        HeaderCheck(BlockSelector asked) {
            this.asked = asked;
        }

        @Override
        public void check(CallContext context, String upstreamId, RawJson result, Consumer<NodeOutcome> sink) {
            Verification<ProvenBlock> header = header(result);
            ProvenBlock block = header.value();
            if (block != null && isOther(block)) {
                // The chain of a development network may have been replaced. A check shows that.
                BlockHeader other = block.header();
                chain.watch()
                        .compare(new BlockLink(
                                other.number(),
                                block.hash().hex(),
                                other.parentHash().hex()));
                sink.accept(Failed.unproven(Flaw.OTHER_BLOCK, "another block than two nodes named"));
                return;
            }
            boolean certain = verification.misbehaviour().knowsRules();
            boolean wrong = header.kind() == Verification.Kind.WRONG;
            if (wrong || (block != null && !certain)) {
                String call = context.call().method() + context.call().params();
                verification.misbehaviour().note(upstreamId, context.call().method(), call, true, header);
            }
            if (wrong && (certain || doubt(result))) {
                verification.meters().count(header.kind());
                sink.accept(Failed.unproven(Flaw.FALSE_HASH, header.detail()));
            } else {
                sink.accept(new Answered(new RpcReply.Result(result)));
            }
        }

        private Verification<ProvenBlock> header(RawJson result) {
            JsonNode members = AnswerProof.parsedWithoutLists(result);
            if (members == null) {
                return AnswerProof.unreadable();
            }
            if (asked instanceof BlockSelector.Height && !members.hasNonNull("hash")) {
                return new Verification.Wrong<>("hash: none (expected: one, because the block is not pending)");
            }
            return BlockProof.header(
                            members,
                            AskedBlock.hash(asked),
                            verification.rules().family())
                    .then(block -> AskedBlock.compare(asked, block));
        }

        /** Returns whether several nodes named another block than this one, which is final. */
        private boolean isOther(ProvenBlock block) {
            if (!(asked instanceof BlockSelector.Height height)) {
                return false;
            }
            String named = chain.view().hash(height.number());
            return named != null
                    && !named.equals(block.hash().hex())
                    && chain.view().isAgreed(height.number())
                    && chain.isSettled(height.number());
        }

        private boolean doubt(RawJson result) {
            if (doubtful != null || !verification.misbehaviour().takeDoubt()) {
                return false;
            }
            doubtful = result;
            return true;
        }

        /** Returns what is served: the first answer if no other came, and no block was proven meanwhile. */
        RpcReply served(RpcReply reply) {
            return doubtful != null
                            && reply instanceof RpcReply.Failure
                            && !verification.misbehaviour().knowsRules()
                    ? new RpcReply.Result(doubtful)
                    : reply;
        }
    }
}
