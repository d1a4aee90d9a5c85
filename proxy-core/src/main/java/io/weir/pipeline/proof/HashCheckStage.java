package io.weir.pipeline.proof;

import io.weir.chain.BlockLink;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.block.BlockHeader;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.CacheClass;
import io.weir.method.MethodFacts;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.CheckedParams;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplyCheck;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.pipeline.evidence.MisbehaviourTracker;
import io.weir.pipeline.evidence.VerificationContext;
import io.weir.pipeline.watch.NetworkChain;
import io.weir.upstream.LoopWaiter;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Flaw;
import io.weir.verify.AnswerProof;
import io.weir.verify.BlockProof;
import io.weir.verify.ProvenBlock;
import io.weir.verify.ProvenTransaction;
import io.weir.verify.TransactionProof;
import io.weir.verify.Verification;
import io.weir.verify.Verification.Shed;
import io.weir.verify.family.ChainFamily;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Stage that checks by the hashes in an answer what they prove, before it is served, where answers are verified only before they are
 * cached. It costs no call. A header must have its hash, the transactions and withdrawals of a block the roots of its header, and a
 * transaction its hash and its sender. An answer that contradicts them or the call is a failed attempt, and another node is asked. So is
 * another block than the final one that two nodes named at this height. Everything else passes. Thread-safe.
 *
 * <p>The senders of a block's transactions take nine tenths of the time of its proof. They are proven before the block is cached.
 *
 * <p>Until a block of the chain was proven, its rules may be other ones than those of the settings. Then a few calls whose answer
 * seems false are sent to one more node, and what that answers is served.
 */
final class HashCheckStage implements Stage {

    /** Bytes. A larger answer is proven on the executor; if that has no room or takes long, only its header is. */
    private static final int MAX_INLINE = 16 << 10;

    /** Time that a client waits for the proof of a block beyond its header. */
    private static final long MAX_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final Verification<ProvenBlock> LATE = new Shed<>();

    private final VerificationContext verification;
    private final NetworkChain chain;
    private final @Nullable CacheClass rule;
    private final Stage next;

    /** @param next sends calls to nodes */
    HashCheckStage(VerificationContext verification, NetworkChain chain, MethodFacts facts, Stage next) {
        this.verification = verification;
        this.chain = chain;
        this.rule = facts.cacheClass();
        this.next = next;
    }

    /** Returns whether the answers of a method have hashes that prove them. */
    static boolean isFor(MethodFacts facts) {
        return facts.cacheClass() == CacheClass.BLOCK
                || facts.cacheClass() == CacheClass.HEADER
                || facts.cacheClass() == CacheClass.TRANSACTION;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        CheckedParams params = context.checkedParams();
        boolean others = context.check() != null && !(context.check() instanceof HashCheck);
        if (params == null || others) {
            next.handle(context, sink);
            return;
        }
        // A call that is sent once more may be about another block by now.
        HashCheck check = new HashCheck(params);
        context.checkedBy(check);
        next.handle(context, reply -> sink.accept(check.served(reply)));
    }

    /** Check of the answers to one call. Confined to the call's event loop, except for long proofs, which run on the executor. */
    private final class HashCheck implements ReplyCheck {

        private final CheckedParams params;
        private final BlockSelector asked;
        /** First answer, which is false only if the chain has the rules of its settings; null if it is not. */
        private @Nullable RawJson doubtful;

        HashCheck(CheckedParams params) {
            this.params = params;
            this.asked = params.block();
        }

        @Override
        public void check(CallContext context, String upstreamId, RawJson result, Consumer<NodeOutcome> sink) {
            if (rule == CacheClass.TRANSACTION) {
                decide(context, upstreamId, result, transaction(result), sink);
            } else if (rule == CacheClass.HEADER) {
                decide(context, upstreamId, result, header(result), sink);
            } else if (result.length() <= MAX_INLINE) {
                decide(context, upstreamId, result, block(result), sink);
            } else {
                checkAside(context, upstreamId, result, sink);
            }
        }

        /** Proves a large block on the executor. If that takes long, its header decides. */
        private void checkAside(CallContext context, String upstreamId, RawJson result, Consumer<NodeOutcome> sink) {
            LoopWaiter<Verification<ProvenBlock>> waiter = new LoopWaiter<>(
                    context.loop(),
                    block -> context.step(() -> {
                        boolean proven = !block.equals(LATE);
                        decide(context, upstreamId, result, proven ? block : header(result), sink);
                    }));
            boolean taken = verification.executor().tryRun(context.holder(), result.length(), () -> {
                Verification<ProvenBlock> block = LATE;
                try {
                    block = block(result);
                } finally {
                    Verification<ProvenBlock> found = block;
                    context.loop().execute(() -> waiter.end(found));
                }
            });
            if (taken) {
                waiter.giveUpAfter(MAX_WAIT_NANOS, LATE);
            } else {
                waiter.end(LATE);
            }
        }

        private void decide(
                CallContext context,
                String upstreamId,
                RawJson result,
                Verification<?> verification,
                Consumer<NodeOutcome> sink) {
            ProvenBlock block = verification.value() instanceof ProvenBlock proven ? proven : null;
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
            MisbehaviourTracker misbehaviour = HashCheckStage.this.verification.misbehaviour();
            boolean certain = misbehaviour.knowsRules();
            boolean wrong = verification.kind() == Verification.Kind.WRONG;
            if (wrong || (block != null && !certain)) {
                String call = context.call().method() + context.call().params();
                misbehaviour.note(
                        upstreamId, context.call().method(), call, rule != CacheClass.TRANSACTION, verification);
            }
            if (wrong && (certain || doubt(result))) {
                HashCheckStage.this.verification.meters().count(verification.kind());
                sink.accept(Failed.unproven(Flaw.FALSE_HASH, verification.detail()));
            } else {
                sink.accept(new Answered(new RpcReply.Result(result)));
            }
        }

        private ChainFamily family() {
            return verification.rules().family();
        }

        private Verification<ProvenTransaction> transaction(RawJson result) {
            JsonNode tree = AnswerProof.parsed(result);
            String hash = asked instanceof BlockSelector.None ? params.lookupHash() : null;
            return tree == null
                    ? AnswerProof.unreadable()
                    : TransactionProof.check(tree, hash == null ? null : Hash32.fromHex(hash), family());
        }

        private Verification<ProvenBlock> block(RawJson result) {
            return block(AnswerProof.parsed(result), BlockProof::known);
        }

        private Verification<ProvenBlock> header(RawJson result) {
            return block(AnswerProof.parsedWithoutLists(result), BlockProof::header);
        }

        private Verification<ProvenBlock> block(@Nullable JsonNode tree, BlockRule rule) {
            if (tree == null) {
                return AnswerProof.unreadable();
            }
            if (asked instanceof BlockSelector.Height && !tree.hasNonNull("hash")) {
                return new Verification.Wrong<>("hash: none (expected: one, because the block is not pending)");
            }
            return rule.prove(tree, AskedBlock.hash(asked), family()).then(block -> AskedBlock.compare(asked, block));
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

    /** Proof of a block by its hash and what its answer lists. Pure. */
    @FunctionalInterface
    private interface BlockRule {
        Verification<ProvenBlock> prove(JsonNode object, @Nullable Hash32 asked, ChainFamily family);
    }
}
