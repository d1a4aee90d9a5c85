package io.weir.method.params;

import io.weir.api.NetworkMethod.Parameter;
import io.weir.config.LimitsConfig;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.NameTable;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.method.params.kind.JsonArray;
import io.weir.method.params.kind.JsonObject;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Parameters of one method of a plugin's kind of network, by position or by name. Only the block that a call is about is read;
 * nodes check the rest, and get it as it was written. Immutable and thread-safe.
 */
public final class KindParams extends MethodParams {

    private final BlockIds blocks;
    private final int blockIndex;
    private final String blockName;
    private final NameTable nameTable;

    /**
     * Creates the parameters of a method.
     *
     * @param blocks the names of blocks on the network
     * @param parameters in their order
     */
    public KindParams(BlockIds blocks, List<Parameter> parameters) {
        super(LimitsConfig.DEFAULT, List.of());
        this.blocks = blocks;
        int index = 0;
        while (index < parameters.size() && !parameters.get(index).block()) {
            index++;
        }
        boolean found = index < parameters.size();
        this.blockIndex = found ? index : -1;
        this.blockName = found ? parameters.get(index).name() : "";
        this.nameTable = NameTable.of(Set.of(blockName));
    }

    /** Returns the names of blocks on the network. */
    public BlockIds blocks() {
        return blocks;
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
    public CheckedParams check(@Nullable RawJson params, boolean lenient) throws InvalidParamsException {
        RawJson written = params == null ? RawJson.EMPTY_ARRAY : params;
        if (blockIndex < 0) {
            return new CheckedParams(this, written, List.of(), BlockSelector.NONE, null);
        }
        boolean named = written.first() == '{';
        List<RawJson> given = named ? List.of() : JsonArray.elements(written, blockIndex + 1);
        RawJson block = named
                ? JsonObject.member(written, nameTable)
                : given.size() > blockIndex ? given.get(blockIndex) : null;
        if (block != null) {
            return new CheckedParams(this, written, List.of(block), blocks.read(block), null);
        }
        boolean addable = named || given.size() == blockIndex;
        return new CheckedParams(
                this, written, List.of(), addable ? new BlockSelector.Tag(BlockTag.LATEST) : BlockSelector.NONE, null);
    }

    @Override
    CheckedParams atHeight(CheckedParams params, long number) {
        RawJson written = params.json();
        RawJson id = blocks.of(number);
        String text = written.toString();
        String before;
        String after;
        if (params.values().isEmpty()) {
            before = text.substring(0, text.length() - 1);
            String content = before.substring(1).strip();
            before += (content.isEmpty() ? "" : ",") + (written.first() == '{' ? "\"" + blockName + "\":" : "");
            after = text.substring(text.length() - 1);
        } else {
            RawJson old = params.values().get(0);
            int start = old.offset() - written.offset();
            byte[] bytes = written.array();
            before = RawJson.slice(bytes, written.offset(), start).toString();
            int end = old.offset() + old.length();
            after = RawJson.slice(bytes, end, written.offset() + written.length() - end)
                    .toString();
        }
        RawJson json = RawJson.of(before + id + after);
        int offset = RawJson.of(before).length();
        return new CheckedParams(
                this,
                json,
                List.of(RawJson.slice(json.array(), offset, id.length())),
                new BlockSelector.Height(number),
                null);
    }
}
