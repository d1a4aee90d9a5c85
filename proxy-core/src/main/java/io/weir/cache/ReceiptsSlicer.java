package io.weir.cache;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.verify.Part;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Slicer of answers from the receipts of a block. Pure. */
public final class ReceiptsSlicer {

    private final RawJson receipts;
    private final ReceiptsLayout layout;
    private final boolean proven;

    /**
     * Creates a slicer of all receipts of a block.
     *
     * @param proven whether they were proven, and their block's position is known
     */
    public ReceiptsSlicer(RawJson receipts, ReceiptsLayout layout, boolean proven) {
        this.receipts = receipts;
        this.layout = layout;
        this.proven = proven;
    }

    /**
     * Returns the receipts' answer; null if they do not contain it.
     *
     * @param index the position of the transaction requested by its hash; -1 if none is
     */
    public @Nullable Slice answer(BlockQuestion question, int index) {
        return switch (question.form()) {
            case RECEIPTS -> new Slice(receipts, proven(), true);
            case RECEIPT -> {
                boolean there = index >= 0
                        && index < layout.size()
                        && layout.hash(receipts, index).equals(question.transaction());
                yield there ? Slice.of(layout.receipt(receipts, index).compact(), proven()) : null;
            }
            case LOGS -> {
                LogPattern pattern = question.logs();
                RawJson logs = pattern == null ? null : logs(pattern);
                yield logs == null ? null : Slice.of(logs, proven());
            }
            default -> null;
        };
    }

    /** Returns the logs that match, as a list; null if the receipts cannot be read. */
    public @Nullable RawJson logs(LogPattern pattern) {
        List<RawJson> found = new ArrayList<>();
        try {
            for (int i = 0; i < layout.size(); i++) {
                int bloom = layout.bloomStart(i);
                // An unproven bloom may be empty on chains with other rules, so it does not count.
                if (!proven || bloom < 0 || pattern.mayBeIn(receipts, bloom)) {
                    collect(pattern, i, found);
                }
            }
        } catch (JsonSyntaxException e) {
            return null;
        }
        return list(found);
    }

    private void collect(LogPattern pattern, int receipt, List<RawJson> found) throws JsonSyntaxException {
        for (int i = layout.firstLog(receipt); i < layout.firstLog(receipt + 1); i++) {
            RawJson log = layout.log(receipts, i);
            if (pattern.matches(log)) {
                found.add(log);
            }
        }
    }

    private static RawJson list(List<RawJson> entries) {
        if (entries.isEmpty()) {
            return RawJson.EMPTY_ARRAY;
        }
        int length = 1 + entries.size();
        for (RawJson entry : entries) {
            length += entry.length();
        }
        byte[] text = new byte[length];
        int at = 0;
        for (RawJson entry : entries) {
            text[at] = (byte) (at == 0 ? '[' : ',');
            System.arraycopy(entry.array(), entry.offset(), text, at + 1, entry.length());
            at += 1 + entry.length();
        }
        text[at] = ']';
        return RawJson.of(text);
    }

    private String proven() {
        return proven ? Part.RECEIPTS.word() : "";
    }
}
