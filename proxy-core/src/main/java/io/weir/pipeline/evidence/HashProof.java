package io.weir.pipeline.evidence;

import io.weir.answer.Judge;
import io.weir.cache.AnswerFacts;
import io.weir.ethereum.block.BlockHeader;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.AnswerKind;
import io.weir.method.CacheClass;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.method.params.kind.JsonArray;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.evidence.JudgeCheck.JudgedResult;
import io.weir.upstream.LoopWaiter;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Flaw;
import io.weir.upstream.verdict.Verdict;
import io.weir.verify.AnswerProof;
import io.weir.verify.ChainFamily;
import io.weir.verify.ProvenBlock;
import io.weir.verify.Verification;
import io.weir.verify.Verification.Shed;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Proof of results by hashes before they are served, without a further call. A result that contradicts them is a failed attempt.
 * {@link Judge} has compared it with its question before. Thread-safe.
 *
 * <ul>
 *   <li>A header is proven by its hash.
 *   <li>The transactions and withdrawals of a block are proven by the roots of its header.
 *   <li>Receipts are proven by the root of their header, if that is known.
 *   <li>A transaction is proven by its hash and its sender.
 * </ul>
 *
 * <p>The senders of a block's transactions take nine tenths of the time of its proof. They are proven before the block is stored.
 *
 * <p>Until a block of the chain was proven, its rules may be other ones than those of the settings. Then a false hash leaves a result in
 * doubt. So does a part that nobody knows, behind which a lie may hide.
 */
final class HashProof {

    /** Bytes. A larger result is proven on the executor; if that has no room or takes long, only the header of a block is. */
    private static final int MAX_INLINE = 16 << 10;

    /** Time that a client waits for a proof on the executor. */
    private static final long MAX_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final Verification<?> LATE = new Shed<>();

    private final VerificationContext verification;

    HashProof(VerificationContext verification) {
        this.verification = verification;
    }

    /** Proves a result of a node; called on the call's event loop. */
    void check(JudgedResult given) {
        new OneResult(given).prove();
    }

    /** Proof of one result. Immutable; confined to the call's event loop, except for long proofs. */
    private final class OneResult {

        private final JudgedResult given;
        private final CallContext context;
        private final CacheClass rule;
        private final RawJson result;

        OneResult(JudgedResult given) {
            this.given = given;
            this.context = given.context();
            this.rule = given.rule();
            this.result = given.result();
        }

        void prove() {
            Supplier<Verification<?>> proof = proof();
            if (proof == null) {
                given.accept();
            } else if (result.length() <= MAX_INLINE) {
                decide(proof.get());
            } else {
                proveAside(proof);
            }
        }

        /** Returns what proves the result; null if nothing that is known does. */
        private @Nullable Supplier<Verification<?>> proof() {
            AnswerKind kind = rule.provenAs();
            if (kind != null) {
                return () -> AnswerProof.byHashes(kind, result, asked(), isMined(), verification.rules());
            }
            BlockHeader header = headerOfFirst();
            return header == null ? null : () -> AnswerProof.receiptsByHeader(result, header, family());
        }

        /** Returns the header of the block that the first receipt names; null if it is not known. The proof compares the others. */
        private @Nullable BlockHeader headerOfFirst() {
            try {
                List<RawJson> first = JsonArray.elements(result, 1);
                AnswerFacts named = first.isEmpty() ? null : AnswerFacts.read(CacheClass.RECEIPT, first.get(0));
                return named == null ? null : verification.known().headerOfReceipts(named.hash());
            } catch (InvalidParamsException e) {
                return null;
            }
        }

        /** Returns the hash that the call names for the result; null if it names none. */
        private @Nullable String asked() {
            BlockSelector block = given.params().block();
            boolean ofBlock = rule == CacheClass.BLOCK || rule == CacheClass.HEADER;
            if (rule == CacheClass.TRANSACTION && block instanceof BlockSelector.None) {
                return given.params().lookupHash();
            }
            return ofBlock && block instanceof BlockSelector.Hash named ? named.hash() : null;
        }

        private boolean isMined() {
            BlockSelector block = given.params().block();
            return block instanceof BlockSelector.Height || block instanceof BlockSelector.Hash;
        }

        /** Proves a large result on the executor. If that takes long, the header of a block decides. */
        private void proveAside(Supplier<Verification<?>> proof) {
            LoopWaiter<Verification<?>> waiter = new LoopWaiter<>(
                    context.loop(),
                    found -> context.step(() -> {
                        boolean late = found.equals(LATE) && rule == CacheClass.BLOCK;
                        decide(late ? AnswerProof.header(result, asked(), isMined(), family()) : found);
                    }));
            boolean taken = verification.executor().tryRun(context.holder(), result.length(), () -> {
                Verification<?> found = LATE;
                try {
                    // Nobody waits for a proof that comes too late.
                    found = waiter.isOver() ? LATE : proof.get();
                } finally {
                    waiter.end(found);
                }
            });
            if (taken) {
                waiter.giveUpAfter(MAX_WAIT_NANOS, LATE);
            } else {
                waiter.end(LATE);
            }
        }

        private void decide(Verification<?> found) {
            MisbehaviourTracker misbehaviour = verification.misbehaviour();
            boolean wrong = found.kind() == Verification.Kind.WRONG;
            boolean isOpen = found.kind() == Verification.Kind.UNVERIFIABLE;
            ProvenBlock block = found.value() instanceof ProvenBlock proven ? proven : null;
            boolean certain = misbehaviour.isCertain();
            if (wrong || isOpen || (block != null && !certain) || misbehaviour.hasOpen()) {
                RpcCall call = context.call();
                boolean ofBlock = rule != CacheClass.TRANSACTION && rule != CacheClass.RECEIPTS;
                boolean showsRules = ofBlock && (block == null || block.header().number() > 0);
                misbehaviour.note(given.upstreamId(), call.method(), call.params(), showsRules, found);
            }
            if (block != null) {
                verification.known().passed(block.header());
            }
            if (wrong && certain) {
                verification.meters().count(found.kind());
                given.replace(Failed.unproven(Flaw.FALSE_HASH, found.detail()));
            } else if (wrong) {
                given.replace(doubt(Verdict.DOUBTFUL));
            } else if (isOpen) {
                given.replace(doubt(Verdict.UNVERIFIABLE));
            } else {
                // A header alone, of a block whose proof took too long, is nothing from which another proof goes on.
                boolean goesOn = found instanceof Verification.Incomplete;
                given.end(new Answered(new RpcReply.Result(result)), goesOn ? found : null);
            }
        }

        private NodeOutcome doubt(Verdict verdict) {
            return new Answered(new RpcReply.Result(result), 200, verdict);
        }

        private ChainFamily family() {
            return verification.rules().family();
        }
    }
}
