package io.weir.method.params;

import io.weir.jsonrpc.RawJson;
import io.weir.method.params.kind.JsonArray;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call's parameters that were found right, in normal form: calls that mean the same have the same bytes. Immutable.
 *
 * @param shape the parameters that the method takes
 * @param json all of them, an array; the very bytes that came where those were in normal form
 * @param values each of them
 * @param block which block the call is about; the last one, where it is about a range
 * @param lookupHash the hash of the block or transaction to look up, {@code 0x} and 64 digits; null for other calls
 */
public record CheckedParams(
        MethodParams shape,
        RawJson json,
        List<RawJson> values,
        BlockSelector block,
        @Nullable String lookupHash) {

    /** Where the block stands in the array, so that another may be put there; -1 where it stands nowhere by itself. */
    public int blockIndex() {
        return block instanceof BlockSelector.None ? -1 : shape.blockIndex();
    }

    /** The call object, or null where the method takes none. */
    public @Nullable RawJson callObject() {
        int index = shape.callIndex();
        return index < 0 ? null : values.get(index);
    }

    /** The same with another call object in normal form. */
    public CheckedParams withCallObject(RawJson call) {
        List<RawJson> changed = with(shape.callIndex(), call);
        return new CheckedParams(shape, JsonArray.of(changed, json, true), changed, block, lookupHash);
    }

    /**
     * The same about another block.
     *
     * @param value the block as a parameter in normal form, which takes the place of the one that stands there
     */
    public CheckedParams withBlock(RawJson value) {
        List<RawJson> changed = with(shape.blockIndex(), value);
        return new CheckedParams(
                shape, JsonArray.of(changed, json, true), changed, BlockSelector.of(value), lookupHash);
    }

    private List<RawJson> with(int index, RawJson value) {
        List<RawJson> changed = new ArrayList<>(values);
        changed.set(index, value);
        return List.copyOf(changed);
    }
}
