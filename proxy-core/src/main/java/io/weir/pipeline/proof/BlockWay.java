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
import io.weir.pipeline.proof.Found.Place;
import io.weir.pipeline.proof.Whole.ProvenReceipts;
import io.weir.verify.Part;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Answers what is asked of a block that the call names: the whole block, with its uncles' headers or its receipts where they
 * matter, is asked for in the call's place, and the answer cut out of what is proven. Thread-safe.
 */
final class BlockWay implements Found.Way {

    private final @Nullable BlockField field;
    private final BlockEvidence evidence;

    BlockWay(@Nullable BlockField field, BlockEvidence evidence) {
        this.field = field;
        this.evidence = evidence;
    }

    /** Whether a call asks for something of one block that it names. */
    static boolean isFor(@Nullable BlockField field, CheckedParams params) {
        BlockQuestion question = BlockQuestion.of(field, numbered(params, 0));
        return question != null && question.transaction() == null && !question.requiresCanonical();
    }

    /** The same about a block by its number, where the call names a tag. */
    private static CheckedParams numbered(CheckedParams params, long number) {
        boolean tag = params.block() instanceof BlockSelector.Tag && params.blockIndex() >= 0;
        return tag ? params.withBlock(RawJson.of("\"0x" + Long.toHexString(number) + '"')) : params;
    }

    @Override
    public void find(CallContext context, CheckedParams params, Stage stage, Consumer<Found> sink) {
        BlockField form = question(params, 0).form();
        boolean uncles = switch (form) {
            case WHOLE, HASHES, UNCLE_COUNT, UNCLE -> true;
            default -> false;
        };
        evidence.block(context, stage, params.block(), named(params), uncles, got -> {
            Whole whole = got.value();
            if (whole == null) {
                sink.accept(got.isNothing() ? nothing(form, params, got) : got.failed(evidence.isPassing()));
            } else if (form.isOfReceipts() && whole.block().size() > 0) {
                evidence.receipts(context, stage, whole, more -> {
                    Whole with = more.value();
                    sink.accept(with == null ? missing(more, evidence.isPassing()) : found(params, with, got.trace()));
                });
            } else {
                sink.accept(found(params, whole, got.trace()));
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

    /** How the block is named to a node; logs name theirs within a filter. */
    private static RawJson named(CheckedParams params) {
        return params.block() instanceof BlockSelector.Height height
                ? RawJson.of("\"0x" + Long.toHexString(height.number()) + '"')
                : params.values().get(0);
    }

    /** There is no such block: as nodes say it. */
    private static Found nothing(BlockField form, CheckedParams params, Got<Whole> got) {
        if (form != BlockField.LOGS) {
            return Found.unproven(got.reply(), got.trace());
        }
        RpcReply none = params.block() instanceof BlockSelector.Hash
                ? RpcReply.failure(ErrorCode.INVALID_INPUT.error("unknown block"))
                : new RpcReply.Result(RawJson.EMPTY_ARRAY);
        return Found.unproven(none, got.trace());
    }

    /** Receipts that are not there, though their block was a moment ago: it may have been dropped since. */
    private static Found missing(Got<Whole> got, boolean passing) {
        RpcReply none = RpcReply.unavailable("no upstream could answer: no receipts");
        return got.isNothing() ? Found.unproven(none, got.trace(), Ruling.Kind.LACKING) : got.failed(passing);
    }

    private Found found(CheckedParams params, Whole whole, CallTrace trace) {
        BlockQuestion question = question(params, whole.number());
        Slice piece = question.form() == BlockField.UNCLE ? uncle(params, whole) : piece(question, whole);
        if (piece == null) {
            RpcReply none = RpcReply.unavailable("no upstream could answer: the block cannot be read");
            return Found.unproven(none, trace);
        }
        boolean byHash = question.hash() != null;
        Place place = byHash ? null : new Place(whole.number(), whole.hash(), whole.upstreamId());
        boolean listed = isListed(question.form(), whole);
        return Found.proven(new RpcReply.Result(piece.value()), place, piece.proven(), listed, whole, trace);
    }

    /** Whether what an answer is cut out of holds only members that are listed for the chain; counts hold none. */
    private static boolean isListed(BlockField form, Whole whole) {
        ProvenReceipts receipts = whole.receipts();
        return switch (form) {
            case TRANSACTION_COUNT, UNCLE_COUNT -> true;
            case RECEIPTS, RECEIPT, LOGS -> receipts == null || receipts.listed();
            default -> whole.listed();
        };
    }

    private static Slice uncle(CheckedParams params, Whole whole) {
        HexText place = HexText.read(params.values().get(1));
        long index = place == null ? -1 : place.toLong();
        boolean there = index >= 0 && index < whole.uncles().size();
        RawJson value = there ? whole.uncles().get((int) index) : RawJson.NULL;
        return new Slice(value, Part.HEADER.word(), false);
    }

    private static @Nullable Slice piece(BlockQuestion question, Whole whole) {
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
