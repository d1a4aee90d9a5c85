package io.weir.method.params;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.params.kind.HexText;
import io.weir.method.params.kind.JsonArray;
import io.weir.method.params.kind.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** End of the block range of a log filter, which is the first parameter of its call. Immutable. */
public enum LogEnd {
    /** The first block. */
    FROM,
    /** The last block. */
    TO;

    private NameTable member() {
        return this == FROM ? LogFilter.FROM_NAME : LogFilter.TO_NAME;
    }

    /** Returns the tag that names this end; null if a number does, or if nothing does. */
    public @Nullable BlockTag tag(CheckedParams params) {
        RawJson end = JsonObject.member(params.values().get(0), member());
        return end == null ? null : BlockTag.read(end);
    }

    /** Returns the number that names this end; -1 if a tag does, or if nothing does. */
    public long number(CheckedParams params) {
        RawJson end = JsonObject.member(params.values().get(0), member());
        HexText number = end == null ? null : HexText.read(end);
        return number == null ? -1 : number.toLong();
    }

    /**
     * Returns the same parameters with the number of a block in place of this end.
     *
     * @param params of a filter that names this end
     */
    public CheckedParams atHeight(CheckedParams params, long number) {
        RawJson filter = params.values().get(0);
        RawJson end = JsonObject.member(filter, member());
        if (end == null) {
            throw new IllegalArgumentException("filter: without " + this + " (expected: one that names it)");
        }
        byte[] text = ("\"0x" + Long.toHexString(number) + '"').getBytes(US_ASCII);
        int before = end.offset() - filter.offset();
        int after = filter.length() - before - end.length();
        byte[] json = new byte[before + text.length + after];
        System.arraycopy(filter.array(), filter.offset(), json, 0, before);
        System.arraycopy(text, 0, json, before, text.length);
        System.arraycopy(end.array(), end.offset() + end.length(), json, before + text.length, after);
        List<RawJson> values = params.with(0, RawJson.of(json));
        return new CheckedParams(
                params.shape(),
                JsonArray.of(values, params.json(), true),
                values,
                LogFilter.block(values.get(0)),
                params.lookupHash());
    }
}
