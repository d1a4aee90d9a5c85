package io.weir.method.params;

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

    /** Returns the tag that names this end; null if a number does. A filter that names no end means the head. */
    public @Nullable BlockTag tag(CheckedParams params) {
        RawJson end = JsonObject.member(params.values().get(0), member());
        return end == null || end.equals(RawJson.NULL) ? BlockTag.LATEST : BlockTag.read(end);
    }

    /** Returns the number that names this end; -1 if a tag does, or if nothing does. */
    public long number(CheckedParams params) {
        RawJson end = JsonObject.member(params.values().get(0), member());
        HexText number = end == null ? null : HexText.read(end);
        return number == null ? -1 : number.toLong();
    }

    /** Returns the same parameters with the number of a block in place of this end. */
    public CheckedParams atHeight(CheckedParams params, long number) {
        RawJson filter = params.values().get(0);
        RawJson end = JsonObject.member(filter, member());
        String value = "\"0x" + Long.toHexString(number) + '"';
        RawJson changed;
        if (end == null) {
            String comma = filter.length() == 2 ? "" : ",";
            RawJson last = RawJson.slice(filter.array(), filter.offset() + filter.length() - 1, 0);
            changed = filter.with(last, comma + '"' + memberName() + "\":" + value);
        } else {
            changed = filter.with(end, value);
        }
        List<RawJson> values = params.with(0, changed);
        return new CheckedParams(
                params.shape(),
                JsonArray.of(values, params.json(), true),
                values,
                LogFilter.block(values.get(0)),
                params.lookupHash());
    }

    private String memberName() {
        return this == FROM ? "fromBlock" : "toBlock";
    }
}
