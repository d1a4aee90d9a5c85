package io.weir.subscription.node;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.params.kind.HexText;
import io.weir.method.params.kind.JsonObject;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reader of the hashes of pending transactions, as nodes tell them. Pure. */
final class PendingHash {

    private static final NameTable HASH = NameTable.of(Set.of("hash"));
    private static final int DIGITS = 64;

    private PendingHash() {}

    /**
     * Reads a transaction; null if it is none.
     *
     * @param whole whether a hash alone is none
     */
    static @Nullable HexText of(RawJson transaction, boolean whole) {
        if (transaction.first() == '{') {
            RawJson member = member(transaction);
            return member == null ? null : text(member);
        }
        return whole ? null : text(transaction);
    }

    private static @Nullable RawJson member(RawJson object) {
        try {
            return JsonObject.member(object, HASH);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static @Nullable HexText text(RawJson value) {
        HexText text = HexText.read(value);
        return text != null && text.digits() == DIGITS ? text : null;
    }
}
