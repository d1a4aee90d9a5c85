package io.weir.pipeline.evidence;

import io.weir.answer.Judge;
import io.weir.cache.AnswerFacts;
import io.weir.cache.CacheMeters.Serving;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.block.BlockHeader;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.AnswerKind;
import io.weir.method.CacheClass;
import io.weir.method.ChainCalls;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.CheckedParams;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.method.params.kind.JsonArray;
import io.weir.method.params.kind.JsonObject;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.CallTrace;
import io.weir.pipeline.NeededProof;
import io.weir.pipeline.Nodes;
import io.weir.pipeline.evidence.Anchors.ClaimedBlock;
import io.weir.pipeline.evidence.Anchors.Standing;
import io.weir.pipeline.evidence.JudgeCheck.JudgedResult;
import io.weir.pipeline.evidence.ProofCompletion.BlockEvidence;
import io.weir.pipeline.evidence.ProofCompletion.OpenProof;
import io.weir.upstream.CallCause;
import io.weir.upstream.LoopWaiter;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.NodeOutcome.Flaw;
import io.weir.upstream.verdict.Verdict;
import io.weir.verify.AnswerProof;
import io.weir.verify.ChainFamily;
import io.weir.verify.ProvenBlock;
import io.weir.verify.Verification;
import io.weir.verify.Verification.Incomplete;
import io.weir.verify.Verification.Missing;
import io.weir.verify.Verification.Part;
import io.weir.verify.Verification.Proven;
import io.weir.verify.Verification.Shed;
import io.weir.verify.Verification.Unanchored;
import io.weir.verify.Verification.Unlisted;
import io.weir.verify.Verification.Unverifiable;
import io.weir.verify.Verification.Wrong;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Proof of a node's result before it counts, in one path. A result that contradicts a hash or its evidence is a failed attempt.
 * {@link Judge} has compared it with its question before. Thread-safe; the results of a call stay on its event loop, except for long proofs.
 *
 * <ol>
 *   <li>Hashes prove what costs no further call: a header its hash, the roots of a block its transactions and withdrawals, a transaction
 *       its hash and its sender. Receipts are proven by the root of their header, if that is known.
 *   <li>Without a {@link NeededProof} the result counts now. {@link ProofCompletion} proves the rest before it is stored, such as the
 *       senders of a block's transactions, which take nine tenths of the time of its proof.
 *   <li>Otherwise, if the call names no block by its hash, a second node must name the same block ({@link Anchors}).
 *   <li>Then {@link ProofCompletion} proves the rest now. The proxy's own calls fetch the evidence: they go by memory, join equal calls,
 *       and their results are proven in the same way. No evidence waits for what waits for it: receipts need their block, a block its
 *       uncles, and these only their hashes.
 * </ol>
 *
 * <p>Until a block of the chain was proven, its rules may be other ones than those of the settings. Then a false hash leaves a result in
 * doubt. So does a part that nobody knows, behind which a lie may hide.
 */
final class ResultProof {

    /** Bytes. A larger result is proven on the executor; if that has no room or takes long, only the header of a block is. */
    private static final int MAX_INLINE = 16 << 10;

    /** Time that a client waits for a proof on the executor if it need not wait for all of it. */
    private static final long MAX_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Nodes that two others may outvote, one after the other, before the next answer is served unanchored. */
    private static final int MAX_OUTVOTED = 2;

    private static final Verification<?> LATE = new Shed<>();

    private static final NameTable BLOCK_HASH = NameTable.of(Set.of("blockHash"));

    private final VerificationContext shared;
    /** Null until the network is assembled, as the anchors are. */
    private volatile @Nullable Nodes nodes;

    private volatile @Nullable Anchors anchors;

    /** Makes the proof of one network's results. */
    ResultProof(VerificationContext shared) {
        this.shared = shared;
    }

    /** Sets what calls that wait for all of a proof need; before the first such call. */
    void completeBy(Nodes own, Anchors known) {
        nodes = own;
        anchors = known;
    }

    /** Proves a result of a node; called on the call's event loop. */
    void check(JudgedResult given) {
        new OneResult(given).prove();
    }

    /** Proof of one result by hashes. Confined to the call's event loop, except for long proofs. */
    private final class OneResult {

        private final JudgedResult given;
        private final CallContext context;
        private final CacheClass rule;
        private final CheckedParams params;
        private final RawJson result;
        /** Null if the call waits for no more than hashes prove. */
        private final @Nullable NeededProof needed;

        OneResult(JudgedResult given) {
            this.given = given;
            this.context = given.context();
            this.rule = given.rule();
            this.params = given.params();
            this.result = given.result();
            this.needed = context.route().proof();
        }

        void prove() {
            Supplier<Verification<?>> proof = proof();
            if (proof == null && needed == null) {
                given.accept();
            } else if (proof == null) {
                new Whole(Objects.requireNonNull(needed), null).begin();
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
                return () -> AnswerProof.byHashes(kind, result, asked(), isMined(), shared.rules());
            }
            BlockHeader header = needed == null ? headerOfFirst() : null;
            return header == null ? null : () -> AnswerProof.receiptsByHeader(result, header, family());
        }

        /** Returns the header of the block that the first receipt names; null if it is not known. The proof compares the others. */
        private @Nullable BlockHeader headerOfFirst() {
            try {
                List<RawJson> first = JsonArray.elements(result, 1);
                AnswerFacts named = first.isEmpty() ? null : AnswerFacts.read(CacheClass.RECEIPT, first.get(0));
                return named == null ? null : shared.known().headerOfReceipts(named.hash());
            } catch (InvalidParamsException e) {
                return null;
            }
        }

        /** Returns the hash that the call names for the result; null if it names none. */
        private @Nullable String asked() {
            BlockSelector block = params.block();
            boolean ofBlock = rule == CacheClass.BLOCK || rule == CacheClass.HEADER;
            if (rule == CacheClass.TRANSACTION && block instanceof BlockSelector.None) {
                return params.lookupHash();
            }
            if (ofBlock && block instanceof BlockSelector.Hash named) {
                return named.hash();
            }
            Hash32 hash = needed == null ? null : needed.hash();
            return hash == null ? null : hash.hex();
        }

        private boolean isMined() {
            BlockSelector block = params.block();
            return block instanceof BlockSelector.Height || block instanceof BlockSelector.Hash;
        }

        /** Proves a large result on the executor. If that takes long, the header of a block decides. */
        private void proveAside(Supplier<Verification<?>> proof) {
            LoopWaiter<Verification<?>> waiter = new LoopWaiter<>(
                    context.loop(),
                    found -> context.step(() -> {
                        boolean late = found.equals(LATE) && rule == CacheClass.BLOCK && needed == null;
                        decide(late ? AnswerProof.header(result, asked(), isMined(), family()) : found);
                    }));
            boolean taken = shared.executor().tryRun(context.holder(), result.length(), () -> {
                Verification<?> found = LATE;
                try {
                    // Nobody waits for a proof that comes too late.
                    found = waiter.isOver() ? LATE : proof.get();
                } finally {
                    waiter.end(found);
                }
            });
            if (!taken) {
                waiter.end(LATE);
            } else if (needed == null) {
                waiter.giveUpAfter(MAX_WAIT_NANOS, LATE);
            }
        }

        private void decide(Verification<?> found) {
            ProvenBlock block = found.value() instanceof ProvenBlock proven ? proven : null;
            if (block != null) {
                shared.known().passed(block.header());
            }
            if (needed != null) {
                new Whole(needed, found).begin();
                return;
            }
            MisbehaviourTracker misbehaviour = shared.misbehaviour();
            boolean wrong = found instanceof Wrong;
            boolean isOpen = found instanceof Unverifiable;
            boolean certain = misbehaviour.isCertain();
            if (wrong || isOpen || (block != null && !certain) || misbehaviour.hasOpen()) {
                RpcCall call = context.call();
                misbehaviour.note(given.upstreamId(), call.method(), call.params(), given.showsRules(), found);
            }
            if (wrong && certain) {
                shared.meters().count(found.kind());
                given.replace(Failed.unproven(Flaw.FALSE_HASH, found.detail()));
            } else if (wrong) {
                given.replace(doubt(Verdict.DOUBTFUL));
            } else if (isOpen) {
                given.replace(doubt(Verdict.UNVERIFIABLE));
            } else {
                // A header alone, of a block whose proof took too long, is nothing from which another proof goes on.
                boolean goesOn = found instanceof Verification.Incomplete || found instanceof Verification.Unprovable;
                given.end(new Answered(new RpcReply.Result(result)), goesOn ? found : null);
            }
        }

        private NodeOutcome doubt(Verdict verdict) {
            return new Answered(new RpcReply.Result(result), 200, verdict);
        }

        private ChainFamily family() {
            return shared.rules().family();
        }

        /**
         * Proof of the rest of the result. Confined to the call's event loop, except for the methods of {@link ProofCompletion.Evidence}.
         */
        private final class Whole implements ProofCompletion.Evidence {

            private final NeededProof needed;
            /** The proof by hashes; null if they prove nothing. */
            private final @Nullable Verification<?> byHashes;

            private final Anchors places = Objects.requireNonNull(anchors);
            private final Nodes toNodes = Objects.requireNonNull(nodes);
            /** Uncles of a block, as a node sent them. */
            private final List<RawJson> uncles = new ArrayList<>(0);
            /** The result's block; null if its place does not matter, or as long as it is not known. */
            private @Nullable ClaimedBlock claim;
            /** Of that block. */
            private Standing standing = Standing.CANONICAL;

            Whole(NeededProof needed, @Nullable Verification<?> byHashes) {
                this.needed = needed;
                this.byHashes = byHashes;
            }

            void begin() {
                Verification<?> flaw = byHashes == null || byHashes.value() != null ? null : byHashes;
                if (flaw == null && needed.isOfAll()) {
                    flaw = flaw();
                }
                if (flaw != null) {
                    end(flaw);
                } else if (!needed.isOfAll()) {
                    end(byHashes instanceof Unlisted ? byHashes : new Proven<>(result, Part.HEADER.word()));
                } else if (claim != null) {
                    places.find(context, claim, this::placed);
                } else if (rule == CacheClass.TRANSACTION) {
                    // No block proves that the transaction is pending, nor its price.
                    shared.meters().count(Serving.UNPROVEN);
                    given.accept();
                } else {
                    complete();
                }
            }

            /** Notes the block that the result names. Returns why the result cannot be the answer; null if it may be. */
            private @Nullable Verification<?> flaw() {
                if (rule == CacheClass.TRANSACTION || rule == CacheClass.RECEIPT) {
                    return flawOfLookup();
                }
                if (byHashes == null || !(byHashes.value() instanceof ProvenBlock block)) {
                    return null;
                }
                if (!(params.block() instanceof BlockSelector.Hash)) {
                    claim = claim(block.header().number(), block.hash().hex());
                }
                if (rule == CacheClass.BLOCK && block.transactions() == null) {
                    return new Wrong<>("transactions: hashes (expected: in full, as asked for)");
                }
                return block.uncles().size() > ProofCompletion.MAX_UNCLES
                        ? new Wrong<>(
                                "uncles: more than there can be (expected: up to " + ProofCompletion.MAX_UNCLES + ")")
                        : null;
            }

            private @Nullable Verification<?> flawOfLookup() {
                AnswerFacts named = AnswerFacts.read(rule, result);
                if (named != null && String.valueOf(params.lookupHash()).equals(named.transactionHash())) {
                    claim = claim(named.number(), named.hash());
                    return null;
                }
                RawJson block = JsonObject.member(result, BLOCK_HASH);
                boolean isPending = rule == CacheClass.TRANSACTION && (block == null || block.equals(RawJson.NULL));
                return isPending
                        ? null
                        : new Wrong<>(
                                "transaction, block: something else (expected: the one asked for, and its block)");
            }

            private ClaimedBlock claim(long number, String hash) {
                return new ClaimedBlock(number, hash, given.upstreamId());
            }

            private void placed(Standing found) {
                boolean other = found == Standing.OTHER;
                if (other && context.trace().outvoted() < MAX_OUTVOTED) {
                    context.trace().markOutvoted();
                    shared.meters().count(Serving.OUTVOTED);
                    given.replace(new Failed(Fault.FALSE_ANSWER, Executed.NO, "two others name another block", 0));
                    return;
                }
                standing = other ? Standing.UNKNOWN : found;
                complete();
            }

            private void complete() {
                String hash = params.block() instanceof BlockSelector.Hash named ? named.hash() : null;
                String block = claim == null ? hash : claim.hash();
                ProofCompletion.complete(
                        shared.rules(),
                        new OpenProof(rule, result, byHashes, block, -1, needed.isOfUncles(), true, false),
                        this,
                        found -> onLoop(() -> end(found)));
            }

            private void onLoop(Runnable step) {
                if (context.loop().inEventLoop()) {
                    step.run();
                } else {
                    context.loop().execute(() -> context.step(step));
                }
            }

            @Override
            public boolean tryRun(long bytes, Runnable step) {
                return shared.executor().tryRun(context.holder(), bytes, step);
            }

            @Override
            public void block(String hash, Consumer<Verification<BlockEvidence>> sink) {
                ProvenBlock known = needed.block();
                if (known != null) {
                    sink.accept(new Proven<>(BlockEvidence.of(known)));
                } else {
                    onLoop(() -> fetchBlock(hash, sink));
                }
            }

            private void fetchBlock(String hash, Consumer<Verification<BlockEvidence>> sink) {
                NeededProof proof = NeededProof.withoutUncles();
                fetch(ChainCalls.blockByHash(hash, true), proof, "its block", (trace, found) -> {
                    ProvenBlock proven = proof.block();
                    // Without, it was proven for another call, or passed unverified.
                    boolean wasProven = proven != null || !trace.verified().isEmpty();
                    sink.accept(found.then(json -> new Proven<>(
                            proven == null
                                    ? BlockEvidence.of(json, hash, wasProven, family())
                                    : BlockEvidence.of(proven))));
                });
            }

            @Override
            public void receipts(ProvenBlock block, Consumer<Verification<RawJson>> sink) {
                onLoop(() -> fetch(
                        ChainCalls.receipts(block.hash().hex()),
                        NeededProof.ofReceipts(block),
                        "the receipts of its block",
                        (trace, found) -> sink.accept(found)));
            }

            private void fetch(
                    RpcCall call, NeededProof proof, String what, BiConsumer<CallTrace, Verification<RawJson>> sink) {
                CallContext sub = evidence(call, proof);
                ProvenBlock block = proof.block();
                if (block != null) {
                    sub.setRoute(sub.route().toBlock(block.header().number(), true));
                }
                shared.calls().handle(sub, reply -> sink.accept(sub.trace(), piece(reply, what)));
            }

            /** Fetches an uncle of a block from the node that named it. */
            @Override
            public void uncle(ProvenBlock block, int index, Consumer<Verification<RawJson>> sink) {
                RpcCall call = ChainCalls.uncle(block.hash().hex(), index);
                NeededProof proof = NeededProof.ofHashes(block.uncles().get(index));
                onLoop(() -> {
                    CallContext sub = evidence(call, proof);
                    toNodes.only()
                            .apply(given.upstreamId())
                            .handle(sub, reply -> sink.accept(uncle(sub.trace(), piece(reply, "its uncles"))));
                });
            }

            private Verification<RawJson> uncle(CallTrace trace, Verification<RawJson> found) {
                RawJson uncle = found.value();
                if (uncle == null) {
                    return found;
                }
                uncles.add(uncle);
                if (!shared.holds(trace)) {
                    return new Unverifiable<>("without its uncles");
                }
                return trace.verification() instanceof Unlisted
                        ? new Unlisted<>(uncle, "a member that is not listed: one of an uncle")
                        : found;
            }

            private CallContext evidence(RpcCall call, NeededProof proof) {
                CallContext sub = context.aside(call, CallCause.VERIFY);
                sub.setRoute(sub.route().ofEvidence(proof));
                return sub;
            }

            private void end(Verification<?> verification) {
                // No further call would bring more.
                Verification<?> found = verification instanceof Incomplete<?> incomplete
                        ? new Unverifiable<>(incomplete.detail())
                        : verification;
                if (rule == CacheClass.BLOCK && needed.isOfAll() && found.value() instanceof ProvenBlock block) {
                    needed.proved(block, uncles);
                }
                NodeOutcome outcome =
                        shared.outcome(found, context.call(), given.showsRules(), given.upstreamId(), result);
                boolean missing = found instanceof Missing;
                given.end(outcome, found.value() == null ? missing ? found : null : ofPlace(found));
            }

            private Verification<?> ofPlace(Verification<?> found) {
                if (standing == Standing.CANONICAL) {
                    return claim != null && !places.isReplaced(claim) && found instanceof Proven<?> proven
                            ? new Proven<Object>(proven.value(), proven.parts(), true)
                            : found;
                }
                shared.meters().count(Verification.Kind.UNANCHORED);
                // If no other upstream can confirm the block, the answer is cached, and not called verified.
                return found instanceof Proven<?> proven && !places.isPossible()
                        ? proven.withoutParts()
                        : new Unanchored<Object>(found.value());
            }
        }
    }

    /** Returns a piece of evidence, or why no node gives it. */
    private static Verification<RawJson> piece(RpcReply reply, String what) {
        String detail = "without " + what;
        if (reply instanceof RpcReply.Result result) {
            return result.value().equals(RawJson.NULL) ? new Missing<>(detail) : new Proven<>(result.value());
        }
        if (reply.equals(Fault.UNCHECKED.forClient())) {
            return new Shed<>();
        }
        return isUnverifiable(reply) ? new Unverifiable<>(detail) : new Missing<>(detail);
    }

    /** Returns whether a reply tells that no node's answer can be verified, because of what it has, or for lack of the method. */
    static boolean isUnverifiable(RpcReply reply) {
        return reply.equals(Fault.UNVERIFIABLE.forClient())
                || (reply instanceof RpcReply.Failure failure
                        && failure.error().code() == ErrorCode.METHOD_NOT_FOUND.code());
    }
}
