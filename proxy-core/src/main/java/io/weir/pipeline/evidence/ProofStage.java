package io.weir.pipeline.evidence;

import io.weir.cache.AnswerFacts;
import io.weir.cache.BlockLayout;
import io.weir.cache.BlockQuestion;
import io.weir.cache.CacheMeters.Serving;
import io.weir.cache.ReceiptsLayout;
import io.weir.cache.ResultLayout.Slice;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.Hex;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.BlockField;
import io.weir.method.CacheClass;
import io.weir.method.ChainCalls;
import io.weir.method.MethodFacts;
import io.weir.method.ProofKind;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.BlockTag;
import io.weir.method.params.CheckedParams;
import io.weir.method.params.kind.HexText;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.CallTrace;
import io.weir.pipeline.NeededProof;
import io.weir.pipeline.Nodes;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.upstream.CallCause;
import io.weir.verify.AnswerProof;
import io.weir.verify.BlockProof;
import io.weir.verify.ChainTransaction;
import io.weir.verify.ProvenBlock;
import io.weir.verify.ProvenBlock.ProvenTransaction;
import io.weir.verify.TransactionProof;
import io.weir.verify.Verification;
import io.weir.verify.Verification.Part;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Stage that lets calls wait for the proof of their results. A call for a whole object goes to a node, and {@link ResultProof} proves the
 * result before it counts. In place of a part of a block the stage asks for the whole, and cuts the part out of what is proven. If nothing
 * can prove a result, such as state, it is served and counted. Thread-safe.
 */
public final class ProofStage implements Stage {

    private final MethodFacts facts;
    private final VerificationContext shared;
    private final Nodes nodes;
    private final Stage next;

    /**
     * Makes the stage of one method.
     *
     * @param next sends calls whose results nothing proves
     */
    public ProofStage(MethodFacts facts, VerificationContext shared, Nodes nodes, Stage next) {
        this.facts = facts;
        this.shared = shared;
        this.nodes = nodes;
        this.next = next;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        CheckedParams params = context.checkedParams();
        if (facts.proof() == ProofKind.NONE || params == null || isPending(params)) {
            unproven(context, sink);
            return;
        }
        boolean lookup = facts.proof() == ProofKind.HEADER || facts.proof() == ProofKind.LOOKUP;
        BlockQuestion question = lookup ? null : question(params, 0);
        if (lookup || (question != null && isWhole(question))) {
            prove(context, sink);
        } else if (question == null || question.transaction() != null || question.requiresCanonical()) {
            unproven(context, sink);
        } else {
            new PartCall(context, params, question.form(), sink).begin();
        }
    }

    private static boolean isPending(CheckedParams params) {
        return params.block() instanceof BlockSelector.Tag tag && tag.tag() == BlockTag.PENDING;
    }

    /** Reads a call as one about a block by its number, if it names a tag. */
    private @Nullable BlockQuestion question(CheckedParams params, long number) {
        boolean tag = params.block() instanceof BlockSelector.Tag && params.blockIndex() >= 0;
        BlockField field = facts.proof() == ProofKind.RAW_TRANSACTION ? BlockField.TRANSACTION : facts.blockField();
        return BlockQuestion.of(field, tag ? params.atHeight(number) : params);
    }

    /** Returns whether a result is proven as the node gives it. Receipts by number are not, because an empty list names no block. */
    private static boolean isWhole(BlockQuestion question) {
        return question.form() == BlockField.WHOLE
                || (question.form() == BlockField.RECEIPTS && question.hash() != null && !question.requiresCanonical());
    }

    private void unproven(CallContext context, ReplySink sink) {
        shared.meters().count(Serving.UNPROVEN);
        next.handle(context, sink);
    }

    private void prove(CallContext context, ReplySink sink) {
        if (context.route().proof() == null) {
            context.setRoute(context.route().provenBy(NeededProof.ofAll()));
        }
        nodes.all().handle(context, reply -> {
            boolean missing = context.trace().verification() instanceof Verification.Missing;
            if (missing && reply instanceof RpcReply.Failure) {
                // The named block may have been dropped since: a node now names another one, or none.
                nodes.all().handle(context, sink);
            } else {
                sink.accept(reply);
            }
        });
    }

    /** Call for a part of a block. Confined to its event loop. */
    private final class PartCall {

        private final CallContext context;
        private final CheckedParams params;
        private final BlockField form;
        private final ReplySink sink;
        private boolean needsUncles;
        /** Of the block that was asked for last. */
        private NeededProof proof;

        /** Names of that block; null as long as there is none. */
        private @Nullable AnswerFacts named;

        private CallTrace ofBlock;
        private boolean again = true;

        PartCall(CallContext context, CheckedParams params, BlockField form, ReplySink sink) {
            this.context = context;
            this.params = params;
            this.form = form;
            this.sink = sink;
            this.ofBlock = context.trace();
            this.needsUncles = switch (form) {
                case HASHES, UNCLE_COUNT, UNCLE, LOGS -> true;
                default -> false;
            };
            this.proof = needed();
        }

        private NeededProof needed() {
            return needsUncles ? NeededProof.ofAll() : NeededProof.withoutUncles();
        }

        void begin() {
            proof = needed();
            CallContext sub = aside(ChainCalls.wholeBlock(params.block(), named()), proof);
            ofBlock = sub.trace();
            shared.calls().handle(sub, reply -> {
                context.trace().askedAs(sub.trace());
                if (form == BlockField.LOGS && needsUncles && ResultProof.isUnverifiable(reply)) {
                    // Its logs are proven without its uncles too. With them the block is stored.
                    needsUncles = false;
                    begin();
                } else if (!(reply instanceof RpcReply.Result block)) {
                    fail(reply);
                } else if (block.value().equals(RawJson.NULL)) {
                    sink.accept(nothing());
                } else {
                    cut(block.value());
                }
            });
        }

        private CallContext aside(RpcCall call, NeededProof needed) {
            CallContext sub = context.aside(call, CallCause.VERIFY);
            // Other calls for logs of the block wait for what is fetched.
            boolean shares = form == BlockField.LOGS;
            sub.setRoute(shares ? sub.route().provenBy(needed) : sub.route().ofEvidence(needed));
            return sub;
        }

        /** Returns the block as nodes expect it named; calls for logs name theirs within a filter. */
        private RawJson named() {
            return params.block() instanceof BlockSelector.Height height
                    ? RawJson.of("\"0x" + Long.toHexString(height.number()) + '"')
                    : params.values().get(0);
        }

        /** Returns the answer of nodes that have no such block. */
        private RpcReply nothing() {
            if (form == BlockField.LOGS) {
                return params.block() instanceof BlockSelector.Hash
                        ? RpcReply.failure(ErrorCode.INVALID_INPUT.error("unknown block"))
                        : new RpcReply.Result(RawJson.EMPTY_ARRAY);
            }
            return new RpcReply.Result(RawJson.NULL);
        }

        private void fail(RpcReply reply) {
            if (!ResultProof.isUnverifiable(reply)) {
                sink.accept(reply);
            } else if (shared.passing()) {
                unproven(context, sink);
            } else {
                sink.accept(RpcReply.failure(ErrorCode.INVALID_INPUT.error("no upstream's answer can be verified")));
            }
        }

        private void cut(RawJson block) {
            AnswerFacts found = AnswerFacts.read(CacheClass.BLOCK, block);
            BlockLayout layout = BlockLayout.read(block);
            named = found;
            if (found == null || !isRead(ofBlock)) {
                // It passed unverified, and so may the part.
                unproven(context, sink);
                return;
            }
            if (layout == null) {
                sink.accept(unavailable("the block cannot be read"));
                return;
            }
            BlockQuestion question = Objects.requireNonNull(question(params, found.number()));
            Slice piece =
                    layout.answer(block, question, -1, true, shared.known().hasBlooms());
            if (piece != null && facts.proof() == ProofKind.RAW_TRANSACTION) {
                raw(piece.value());
            } else if (piece != null) {
                serve(piece, ofBlock);
            } else if (form == BlockField.UNCLE) {
                uncle(block, found);
            } else {
                receipts(found, question);
            }
        }

        /** Returns whether a result was proven, if not its place, or comes from memory or an equal call. */
        private static boolean isRead(CallTrace trace) {
            return trace.hit()
                    || (trace.collapsed() && !trace.verified().isEmpty())
                    || (trace.verification() != null && !(trace.verification() instanceof Verification.Missing));
        }

        /** Encodes a transaction again. Nodes differ in their answer where there is none: null, or no bytes. */
        private void raw(RawJson transaction) {
            if (transaction.equals(RawJson.NULL)) {
                serve(new Slice(RawJson.of("\"0x\""), Part.TRANSACTION.word(), false), ofBlock);
                return;
            }
            JsonNode tree = AnswerProof.parsed(transaction);
            ProvenTransaction proven = tree == null
                    ? null
                    : TransactionProof.check(tree, null, shared.rules().family())
                            .value();
            if (proven == null) {
                unproven(context, sink);
                return;
            }
            ChainTransaction signed = proven.transaction();
            RawJson bytes = RawJson.of('"' + Hex.encode(signed.encoded()) + '"');
            serve(new Slice(bytes, Part.TRANSACTION.word(), false), ofBlock);
        }

        private void uncle(RawJson block, AnswerFacts named) {
            HexText position = HexText.read(params.values().get(1));
            int index = position == null ? -1 : (int) position.toLong();
            if (index < 0) {
                serve(new Slice(RawJson.NULL, Part.HEADER.word(), false), ofBlock);
                return;
            }
            List<RawJson> fetched = proof.uncles();
            if (!fetched.isEmpty() && proven(named) != null) {
                serve(new Slice(fetched.get(index), Part.HEADER.word(), false), ofBlock);
                return;
            }
            // It comes from memory, or by an equal call.
            JsonNode tree = AnswerProof.parsed(block);
            List<Hash32> hashes = tree == null ? null : BlockProof.namedUncles(tree);
            if (hashes == null || hashes.size() <= index) {
                sink.accept(unavailable("the block cannot be read"));
                return;
            }
            CallContext sub = aside(ChainCalls.uncle(named.hash(), index), NeededProof.ofHashes(hashes.get(index)));
            nodes.all().handle(sub, reply -> {
                context.trace().askedAs(sub.trace());
                if (reply instanceof RpcReply.Result uncle && shared.holds(sub.trace())) {
                    serve(new Slice(uncle.value(), Part.HEADER.word(), false), sub.trace());
                } else if (reply instanceof RpcReply.Failure) {
                    fail(reply);
                } else {
                    beginAgain("no uncle");
                }
            });
        }

        /** Asks for the block once more, because nothing of it was found: it may have been dropped since. */
        private void beginAgain(String missing) {
            if (again) {
                again = false;
                begin();
            } else {
                sink.accept(unavailable(missing));
            }
        }

        private static RpcReply unavailable(String reason) {
            return RpcReply.unavailable("no upstream could answer: " + reason);
        }

        /** Returns a block as it was proven for this call; null if it was proven before or for another one. */
        private @Nullable ProvenBlock proven(AnswerFacts named) {
            ProvenBlock block = proof.block();
            return block != null && block.hash().hex().equals(named.hash()) ? block : null;
        }

        private void receipts(AnswerFacts block, BlockQuestion question) {
            CallContext sub = aside(ChainCalls.receipts(block.hash()), NeededProof.ofReceipts(proven(block)));
            sub.setRoute(sub.route().toBlock(block.number(), true));
            shared.calls().handle(sub, reply -> {
                context.trace().askedAs(sub.trace());
                if (!(reply instanceof RpcReply.Result result)) {
                    fail(reply);
                } else if (!result.value().equals(RawJson.NULL)) {
                    cut(question, result.value(), sub.trace());
                } else {
                    beginAgain("no receipts");
                }
            });
        }

        private void cut(BlockQuestion question, RawJson receipts, CallTrace trace) {
            ReceiptsLayout layout = ReceiptsLayout.read(receipts);
            Slice piece = layout == null
                    ? null
                    : layout.answer(receipts, question, -1, true, shared.known().hasBlooms());
            if (!isRead(trace)) {
                unproven(context, sink);
            } else if (piece == null) {
                sink.accept(unavailable("the block cannot be read"));
            } else {
                serve(piece, trace);
            }
        }

        /** @param members the trace of the result that holds the members of the piece */
        private void serve(Slice piece, CallTrace members) {
            // Of an unlisted member nothing is counted.
            boolean counted = facts.cacheClass() == CacheClass.COUNT;
            boolean same = members.equals(ofBlock);
            boolean proven = isProven(ofBlock, counted || !same) && isProven(members, counted);
            RpcReply reply = new RpcReply.Result(piece.value());
            // Another block may have come in its place while the call waited for the rest.
            AnswerFacts block = named;
            boolean placed = Part.isPlaced(ofBlock.verified())
                    && block != null
                    && !shared.known().view().hasOther(block.number(), block.hash());
            Verification<?> found = new Verification.Proven<>(reply, proven ? piece.proven() : "", placed);
            CallTrace trace = context.trace();
            if (ofBlock.isUnanchored()) {
                trace.verifiedAs(new Verification.Unanchored<>());
            } else if (ofBlock.verification() == null || members.verification() == null) {
                trace.markVerified(found.shown());
            } else if (!counted && members.verification() instanceof Verification.Unlisted<?> unlisted) {
                trace.verifiedAs(new Verification.Unlisted<>(reply, unlisted.detail()));
            } else {
                trace.verifiedAs(found);
            }
            sink.accept(reply);
        }

        private static boolean isProven(CallTrace trace, boolean mayHaveUnlisted) {
            Verification<?> found = trace.verification();
            return !trace.verified().isEmpty() || (mayHaveUnlisted && found instanceof Verification.Unlisted);
        }
    }
}
