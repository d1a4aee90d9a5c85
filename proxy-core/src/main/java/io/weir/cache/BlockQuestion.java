package io.weir.cache;

import io.weir.cache.LogPattern.OfBlock;
import io.weir.jsonrpc.RawJson;
import io.weir.method.BlockField;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.CheckedParams;
import io.weir.method.params.kind.HexText;
import org.jspecify.annotations.Nullable;

/**
 * Request of a call for a part of one block. The block is given by its hash, by the height of a canonical block, or by a
 * transaction in it. Immutable.
 */
public final class BlockQuestion {

    private final BlockField form;
    private final @Nullable String hash;
    private final long number;
    private final @Nullable String transaction;
    private final long index;
    private final @Nullable LogPattern logs;
    private final boolean requiresCanonical;

    private BlockQuestion(BlockField form, CheckedParams params, @Nullable OfBlock logs) {
        BlockSelector block = params.block();
        boolean byHash = block instanceof BlockSelector.Hash;
        this.form = form;
        this.logs = logs == null ? null : logs.pattern();
        this.hash = byHash ? ((BlockSelector.Hash) block).hash() : null;
        this.number = block instanceof BlockSelector.Height height ? height.number() : -1;
        this.transaction = block instanceof BlockSelector.None ? params.lookupHash() : null;
        this.index = transaction == null && logs == null && params.values().size() > 1
                ? index(params.values().get(1))
                : -1;
        this.requiresCanonical = byHash && ((BlockSelector.Hash) block).requireCanonical();
    }

    /**
     * Reads a call. Returns null if it is about no single block, or about one by a tag.
     *
     * @param field the part that the method asks for; null if it asks for none
     */
    public static @Nullable BlockQuestion of(@Nullable BlockField field, CheckedParams params) {
        BlockField form = field == BlockField.WHOLE && !isTrueSecond(params) ? BlockField.HASHES : field;
        if (form == null || params.block() instanceof BlockSelector.Tag) {
            return null;
        }
        OfBlock logs = form == BlockField.LOGS ? LogPattern.read(params.values().get(0)) : null;
        if (form == BlockField.LOGS && logs == null) {
            return null;
        }
        BlockQuestion question = new BlockQuestion(form, params, logs);
        return question.hash == null && question.number < 0 && question.transaction == null ? null : question;
    }

    private static boolean isTrueSecond(CheckedParams params) {
        return params.values().size() > 1 && params.values().get(1).first() == 't';
    }

    private static long index(RawJson value) {
        HexText text = HexText.read(value);
        return text == null ? -1 : text.toLong();
    }

    static String unquoted(RawJson string) {
        String text = string.toString();
        return text.substring(1, text.length() - 1);
    }

    public BlockField form() {
        return form;
    }

    /** Returns the block's hash, in lower case; null if it is requested otherwise. */
    public @Nullable String hash() {
        return hash;
    }

    /** Returns the block's height; -1 if it is requested otherwise. */
    public long number() {
        return number;
    }

    /** Returns the hash of a transaction in the block, in lower case; null if the block is requested otherwise. */
    public @Nullable String transaction() {
        return transaction;
    }

    /** Returns whether the block must be canonical although it is requested by its hash. */
    public boolean requiresCanonical() {
        return requiresCanonical;
    }

    /** Returns the requested position; -1 if there is none. */
    long index() {
        return index;
    }

    /** Returns the pattern of the requested logs; null for another part. */
    @Nullable
    LogPattern logs() {
        return logs;
    }
}
