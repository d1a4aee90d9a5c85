package io.weir.method.params;

import io.weir.jsonrpc.RawJson;
import io.weir.method.params.kind.JsonArray;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Valid parameters of a call, in normal form: calls with the same meaning have the same bytes. Immutable.
 *
 * @param shape the parameters that the method takes
 * @param json all of them; the original bytes if those were in normal form
 * @param values each of them
 * @param block the block that the call is about; the last one of a range
 * @param lookupHash the hash of the block or transaction to look up, {@code 0x} and 64 digits; null for other calls
 */
public record CheckedParams(
        MethodParams shape,
        RawJson json,
        List<RawJson> values,
        BlockSelector block,
        @Nullable String lookupHash) {

    /** Returns the index of the block parameter, for replacing it; -1 if the method has none. */
    public int blockIndex() {
        return block instanceof BlockSelector.None ? -1 : shape.blockIndex();
    }

    /** Returns the call object, or null if the method takes none. */
    public @Nullable RawJson callObject() {
        int index = shape.callIndex();
        return index < 0 ? null : values.get(index);
    }

    /** Returns the same parameters with another call object in normal form. */
    public CheckedParams withCallObject(RawJson call) {
        List<RawJson> changed = with(shape.callIndex(), call);
        return new CheckedParams(shape, JsonArray.of(changed, json, true), changed, block, lookupHash);
    }

    /** Returns the same parameters with the number of a block in place of their block. */
    public CheckedParams atHeight(long number) {
        return shape.atHeight(this, number);
    }

    /** Returns the same parameters for a block that they do not name. */
    public CheckedParams at(BlockSelector known) {
        return new CheckedParams(shape, json, values, known, lookupHash);
    }

    /** Returns the values with another one at an index. */
    List<RawJson> with(int index, RawJson value) {
        List<RawJson> changed = new ArrayList<>(values);
        changed.set(index, value);
        return List.copyOf(changed);
    }
}
