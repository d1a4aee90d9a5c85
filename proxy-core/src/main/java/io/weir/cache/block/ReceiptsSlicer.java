package io.weir.cache.block;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.verify.Part;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Cuts answers out of the receipts of a block. Pure. */
public final class ReceiptsSlicer {

    private final RawJson receipts;
    private final ReceiptsLayout layout;
    private final boolean proven;

    /**
     * Takes all receipts of a block.
     *
     * @param proven whether they were proven, and their block's place is known
     */
    public ReceiptsSlicer(RawJson receipts, ReceiptsLayout layout, boolean proven) {
        this.receipts = receipts;
        this.layout = layout;
        this.proven = proven;
    }

    /**
     * What the receipts answer; null where they do not say.
     *
     * @param index where the transaction stands that is asked for by its hash; -1 where nothing is asked for so
     */
    public @Nullable Slice answer(BlockQuestion question, int index) {
        return switch (question.form()) {
            case RECEIPTS -> new Slice(receipts, proven(), true);
            case RECEIPT -> {
                boolean there = index >= 0
                        && index < layout.size()
                        && layout.hash(receipts, index).equals(question.transaction());
                yield there ? Slice.cut(layout.receipt(receipts, index).compact(), proven()) : null;
            }
            case LOGS -> {
                LogPattern pattern = question.logs();
                RawJson logs = pattern == null ? null : logs(pattern);
                yield logs == null ? null : Slice.cut(logs, proven());
            }
            default -> null;
        };
    }

    private @Nullable RawJson logs(LogPattern pattern) {
        List<RawJson> found = new ArrayList<>();
        try {
            for (int i = 0; i < layout.size(); i++) {
                int bloom = layout.bloomStart(i);
                // A bloom that is not proven may be left empty on chains of other rules.
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
