package io.weir.method.params;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.api.NetworkMethod.Parameter;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.method.params.kind.JsonArray;
import io.weir.method.params.kind.JsonObject;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Parameters of one method of a plugin's kind of network, by position or by name. Only the block that a call is about is read;
 * nodes check the rest, and get it as it was written. Immutable and thread-safe.
 */
public final class KindParams extends MethodParams {

    private final int blockIndex;
    private final String blockName;
    private final NameTable nameTable;
    private final @Nullable RangeNames range;

    /** Names of the members of a range of blocks. Immutable. */
    private record RangeNames(NameTable first, NameTable last) {

        static @Nullable RangeNames of(Parameter.@Nullable Range range) {
            return range == null
                    ? null
                    : new RangeNames(NameTable.of(Set.of(range.first())), NameTable.of(Set.of(range.last())));
        }
    }

    /**
     * Creates the parameters of a method.
     *
     * @param blocks the names of blocks on the network
     * @param parameters in their order
     */
    public KindParams(BlockIds blocks, List<Parameter> parameters) {
        super(blocks, List.of());
        int index = 0;
        while (index < parameters.size() && !parameters.get(index).block()) {
            index++;
        }
        boolean found = index < parameters.size();
        this.blockIndex = found ? index : -1;
        this.blockName = found ? parameters.get(index).name() : "";
        this.nameTable = NameTable.of(Set.of(blockName));
        this.range = found ? RangeNames.of(parameters.get(index).range()) : null;
    }

    @Override
    public int blockIndex() {
        return blockIndex;
    }

    @Override
    public boolean isOfEthereum() {
        return false;
    }

    /** Reads the block. A call without it is about the newest block, if the parameter can be added. */
    @Override
    public CheckedParams check(@Nullable RawJson params) throws InvalidParamsException {
        RawJson written = params == null ? RawJson.EMPTY_ARRAY : params;
        if (blockIndex < 0) {
            return new CheckedParams(this, written, List.of(), BlockSelector.NONE, null);
        }
        boolean named = written.first() == '{';
        List<RawJson> given = named ? List.of() : JsonArray.elements(written, blockIndex + 1);
        RawJson block = named
                ? JsonObject.member(written, nameTable)
                : given.size() > blockIndex ? given.get(blockIndex) : null;
        if (range != null) {
            return range(written, block, range);
        }
        if (block != null) {
            return new CheckedParams(this, written, List.of(block), blocks().read(block), null);
        }
        boolean addable = named || given.size() == blockIndex;
        return new CheckedParams(
                this, written, List.of(), addable ? new BlockSelector.Tag(BlockTag.LATEST) : BlockSelector.NONE, null);
    }

    /** Reads the last block of a range. A number that replaces it also replaces the first block, if that is named in the same way. */
    private CheckedParams range(RawJson written, @Nullable RawJson object, RangeNames names) {
        RawJson known = object != null && object.first() == '{' ? object : null;
        RawJson first = known == null ? null : JsonObject.member(known, names.first());
        RawJson last = known == null ? null : JsonObject.member(known, names.last());
        if (last == null) {
            return new CheckedParams(this, written, List.of(), BlockSelector.NONE, null);
        }
        List<RawJson> ends = first == null || !first.equals(last)
                ? List.of(last)
                : first.offset() < last.offset() ? List.of(first, last) : List.of(last, first);
        return new CheckedParams(this, written, ends, blocks().read(last), null);
    }

    @Override
    CheckedParams atHeight(CheckedParams params, long number) {
        RawJson written = params.json();
        RawJson id = blocks().of(number);
        byte[] array = written.array();
        int end = written.offset() + written.length();
        int at = written.offset();
        ByteArrayOutputStream text = new ByteArrayOutputStream(written.length() + 2 * id.length());
        List<Integer> starts = new ArrayList<>(2);
        for (RawJson old : params.values()) {
            text.write(array, at, old.offset() - at);
            starts.add(text.size());
            text.writeBytes(id.toBytes());
            at = old.offset() + old.length();
        }
        if (starts.isEmpty()) {
            text.write(array, at, end - 1 - at);
            text.writeBytes(addition(written));
            starts.add(text.size());
            text.writeBytes(id.toBytes());
            at = end - 1;
        }
        text.write(array, at, end - at);
        byte[] json = text.toByteArray();
        List<RawJson> values = starts.stream()
                .map(start -> RawJson.slice(json, start, id.length()))
                .toList();
        return new CheckedParams(this, RawJson.of(json), values, new BlockSelector.Height(number), null);
    }

    /** Returns what stands between the other parameters and a block that is added to them. */
    private byte[] addition(RawJson written) {
        String content = written.toString();
        boolean empty = content.substring(1, content.length() - 1).isBlank();
        return ((empty ? "" : ",") + (written.first() == '{' ? "\"" + blockName + "\":" : "")).getBytes(UTF_8);
    }
}
