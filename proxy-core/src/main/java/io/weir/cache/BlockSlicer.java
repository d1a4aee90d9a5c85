package io.weir.cache;

import io.weir.jsonrpc.RawJson;
import io.weir.verify.Part;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Slicer of answers from a block with its transactions. Pure. */
public final class BlockSlicer {

    private final RawJson block;
    private final BlockLayout layout;
    private final boolean proven;

    /**
     * Creates a slicer of one block.
     *
     * @param proven whether its hash and its roots were proven, and its position is known
     */
    public BlockSlicer(RawJson block, BlockLayout layout, boolean proven) {
        this.block = block;
        this.layout = layout;
        this.proven = proven;
    }

    /**
     * Returns the block's answer; null if the block does not contain it.
     *
     * @param index the position of the transaction requested by its hash; -1 if none is
     */
    public @Nullable Slice answer(BlockQuestion question, int index) {
        return switch (question.form()) {
            case WHOLE -> new Slice(block, proven(Part.HEADER, Part.TRANSACTIONS), true);
            case HASHES -> Slice.of(hashes(), proven(Part.HEADER, Part.TRANSACTIONS));
            case TRANSACTION ->
                question.transaction() == null ? transaction(question.index()) : transaction(question, index);
            case TRANSACTION_COUNT -> Slice.of(Slice.quantity(layout.size()), proven(Part.HEADER, Part.TRANSACTIONS));
            case UNCLE_COUNT -> Slice.of(Slice.quantity(layout.uncles()), proven(Part.HEADER));
            case UNCLE -> question.index() >= layout.uncles() ? Slice.of(RawJson.NULL, proven(Part.HEADER)) : null;
            case RECEIPTS -> layout.size() == 0 ? none() : null;
            case LOGS -> hasNone(question) ? none() : null;
            case RECEIPT -> null;
        };
    }

    /** Returns the block with its transactions' hashes instead of the transactions. */
    private RawJson hashes() {
        int size = layout.size();
        if (size == 0) {
            return block;
        }
        int list = size * (MemberWalk.HASH_LENGTH + 1) + 1;
        int behind = block.length() - layout.listEnd();
        byte[] text = new byte[layout.listStart() + list + behind];
        copy(0, text, 0, layout.listStart());
        int at = layout.listStart();
        for (int i = 0; i < size; i++) {
            text[at++] = (byte) (i == 0 ? '[' : ',');
            copy(layout.hashStart(i), text, at, MemberWalk.HASH_LENGTH);
            at += MemberWalk.HASH_LENGTH;
        }
        text[at++] = ']';
        copy(layout.listEnd(), text, at, behind);
        return RawJson.of(text);
    }

    private void copy(int from, byte[] to, int at, int length) {
        System.arraycopy(block.array(), block.offset() + from, to, at, length);
    }

    private @Nullable Slice transaction(long index) {
        if (index >= layout.size()) {
            return Slice.of(RawJson.NULL, proven(Part.HEADER, Part.TRANSACTIONS));
        }
        return index < 0
                ? null
                : Slice.of(layout.transaction(block, (int) index).compact(), proven(Part.TRANSACTION));
    }

    private @Nullable Slice transaction(BlockQuestion question, int index) {
        boolean there =
                index >= 0 && index < layout.size() && layout.hash(block, index).equals(question.transaction());
        return there ? transaction(index) : null;
    }

    /**
     * Returns whether the bloom rules out every log. An unproven bloom may be empty on chains with other rules, so it does
     * not count.
     */
    private boolean hasNone(BlockQuestion question) {
        LogPattern logs = question.logs();
        boolean outside =
                proven && logs != null && layout.bloomStart() >= 0 && !logs.mayBeIn(block, layout.bloomStart());
        return layout.size() == 0 || outside;
    }

    private Slice none() {
        return Slice.of(RawJson.EMPTY_ARRAY, proven(Part.HEADER));
    }

    private String proven(Part... parts) {
        return proven ? String.join(", ", Arrays.stream(parts).map(Part::word).toList()) : "";
    }
}
