package io.weir.pipeline.proof;

import io.weir.cache.block.BlockLayout;
import io.weir.cache.block.BlockQuestion;
import io.weir.cache.block.BlockSlicer;
import io.weir.cache.block.ReceiptsLayout;
import io.weir.cache.block.ReceiptsSlicer;
import io.weir.cache.block.Slice;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.BlockField;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.CheckedParams;
import io.weir.method.params.kind.HexText;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.CallTrace;
import io.weir.pipeline.Stage;
import io.weir.pipeline.evidence.ClaimedBlock;
import io.weir.pipeline.evidence.EvidenceFetcher;
import io.weir.pipeline.evidence.FetchedBlock;
import io.weir.pipeline.evidence.FetchedBlock.ProvenReceipts;
import io.weir.pipeline.evidence.VerifiedReply;
import io.weir.verify.Part;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Verifier of answers about a part of one block that the call names. It fetches the whole block in place of the part, and cuts the
 * answer out of the proven block. If they matter, it fetches the uncles' headers or the receipts too. Thread-safe.
 */
final class BlockPartVerifier implements AnswerVerifier {

    private final @Nullable BlockField field;
    private final EvidenceFetcher evidence;

    BlockPartVerifier(@Nullable BlockField field, EvidenceFetcher evidence) {
        this.field = field;
        this.evidence = evidence;
    }

    /** Returns whether a call asks for a part of one block that it names. */
    static boolean isFor(@Nullable BlockField field, CheckedParams params) {
        BlockQuestion question = BlockQuestion.of(field, numbered(params, 0));
        return question != null && question.transaction() == null && !question.requiresCanonical();
    }

    /** Returns the same call about a block by its number, if the call names a tag. */
    private static CheckedParams numbered(CheckedParams params, long number) {
        boolean tag = params.block() instanceof BlockSelector.Tag && params.blockIndex() >= 0;
        return tag ? params.atHeight(number) : params;
    }

    @Override
    public void fetch(CallContext context, CheckedParams params, Stage stage, Consumer<VerifiedAnswer> sink) {
        BlockField form = question(params, 0).form();
        boolean uncles = switch (form) {
            case WHOLE, HASHES, UNCLE_COUNT, UNCLE -> true;
            default -> false;
        };
        evidence.block(context, stage, params.block(), named(params), uncles, got -> {
            FetchedBlock block = got.value();
            if (block == null) {
                sink.accept(got.isNothing() ? nothing(form, params, got) : withoutEvidence(got));
            } else if (form.isOfReceipts() && block.block().size() > 0) {
                evidence.receipts(context, stage, block, more -> {
                    FetchedBlock with = more.value();
                    sink.accept(with == null ? withoutReceipts(more) : found(params, with, got.trace()));
                });
            } else {
                sink.accept(found(params, block, got.trace()));
            }
        });
    }

    private BlockQuestion question(CheckedParams params, long number) {
        BlockQuestion question = BlockQuestion.of(field, numbered(params, number));
        if (question == null) {
            throw new IllegalArgumentException("call: about " + field + " (expected: about one block)");
        }
        return question;
    }

    /** Returns the block as nodes expect it named; calls for logs name theirs within a filter. */
    private static RawJson named(CheckedParams params) {
        return params.block() instanceof BlockSelector.Height height
                ? RawJson.of("\"0x" + Long.toHexString(height.number()) + '"')
                : params.values().get(0);
    }

    /** Returns the answer of nodes that have no such block. */
    private static VerifiedAnswer nothing(BlockField form, CheckedParams params, VerifiedReply<FetchedBlock> got) {
        if (form != BlockField.LOGS) {
            return VerifiedAnswer.unproven(got.reply(), got.trace());
        }
        RpcReply none = params.block() instanceof BlockSelector.Hash
                ? RpcReply.failure(ErrorCode.INVALID_INPUT.error("unknown block"))
                : new RpcReply.Result(RawJson.EMPTY_ARRAY);
        return VerifiedAnswer.unproven(none, got.trace());
    }

    private VerifiedAnswer withoutReceipts(VerifiedReply<FetchedBlock> got) {
        RpcReply none = RpcReply.unavailable("no upstream could answer: no receipts");
        return got.isNothing() ? VerifiedAnswer.missing(none, got.trace()) : withoutEvidence(got);
    }

    private VerifiedAnswer withoutEvidence(VerifiedReply<FetchedBlock> got) {
        return VerifiedAnswer.withoutEvidence(got, evidence.isPassing());
    }

    private VerifiedAnswer found(CheckedParams params, FetchedBlock whole, CallTrace trace) {
        BlockQuestion question = question(params, whole.number());
        Slice piece = question.form() == BlockField.UNCLE ? uncle(params, whole) : piece(question, whole);
        if (piece == null) {
            RpcReply none = RpcReply.unavailable("no upstream could answer: the block cannot be read");
            return VerifiedAnswer.unproven(none, trace);
        }
        boolean byHash = question.hash() != null;
        ClaimedBlock claim = byHash ? null : whole.claim();
        boolean listed = isListed(question.form(), whole);
        return VerifiedAnswer.proven(new RpcReply.Result(piece.value()), claim, piece.proven(), listed, whole, trace);
    }

    /** Returns whether an answer's source has only members that are listed for the chain. Counts have no members. */
    private static boolean isListed(BlockField form, FetchedBlock whole) {
        ProvenReceipts receipts = whole.receipts();
        return switch (form) {
            case TRANSACTION_COUNT, UNCLE_COUNT -> true;
            case RECEIPTS, RECEIPT, LOGS -> receipts == null || receipts.listed();
            default -> whole.listed();
        };
    }

    private static Slice uncle(CheckedParams params, FetchedBlock whole) {
        HexText position = HexText.read(params.values().get(1));
        long index = position == null ? -1 : position.toLong();
        boolean there = index >= 0 && index < whole.uncles().size();
        RawJson value = there ? whole.uncles().get((int) index) : RawJson.NULL;
        return new Slice(value, Part.HEADER.word(), false);
    }

    private static @Nullable Slice piece(BlockQuestion question, FetchedBlock whole) {
        BlockLayout layout = BlockLayout.read(whole.json());
        if (layout == null) {
            return null;
        }
        Slice piece = new BlockSlicer(whole.json(), layout, true).answer(question, -1);
        ProvenReceipts receipts = whole.receipts();
        if (piece != null || receipts == null) {
            return piece;
        }
        ReceiptsLayout places = ReceiptsLayout.read(receipts.json());
        return places == null ? null : new ReceiptsSlicer(receipts.json(), places, true).answer(question, -1);
    }
}
