package io.weir.method.params;

import io.weir.jsonrpc.RawJson;
import io.weir.method.params.Parameter.Role;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.method.params.kind.JsonArray;
import io.weir.method.params.kind.ParamCounts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parameters of one method, by position. Immutable and thread-safe. */
public sealed class MethodParams permits KindParams {

    private final BlockIds blocks;
    private final List<Parameter> parameters;

    /** The counts of all calls, if no parameter adds to them; else null. */
    private final @Nullable ParamCounts unchanging;

    MethodParams(BlockIds blocks, List<Parameter> parameters) {
        this.blocks = blocks;
        this.parameters = parameters;
        boolean counted =
                parameters.stream().anyMatch(parameter -> parameter.kind().isCounted());
        this.unchanging = counted ? null : new ParamCounts();
    }

    /**
     * Returns parameters, in this order.
     *
     * @param blocks the names of blocks in answers
     */
    public static MethodParams of(BlockIds blocks, List<Parameter> parameters) {
        return new MethodParams(blocks, List.copyOf(parameters));
    }

    /** Returns the names of blocks on the network. */
    public BlockIds blocks() {
        return blocks;
    }

    /** Returns the position of the block that a call is about; -1 if no parameter of its own names it. */
    public int blockIndex() {
        int block = indexOf(Role.BLOCK);
        return block < 0 ? indexOf(Role.BLOCK_HASH) : block;
    }

    /** Returns whether the parameters are checked in full, and name blocks by Ethereum's tags. */
    public boolean isOfEthereum() {
        return true;
    }

    /** Returns parameters with the number of a block in place of their block. */
    CheckedParams atHeight(CheckedParams params, long number) {
        List<RawJson> changed = params.with(blockIndex(), RawJson.of("\"0x" + Long.toHexString(number) + '"'));
        return new CheckedParams(
                this,
                JsonArray.of(changed, params.json(), true),
                changed,
                new BlockSelector.Height(number),
                params.lookupHash());
    }

    /** Returns the position of the call object; -1 if there is none. */
    public int callIndex() {
        return indexOf(Role.CALL);
    }

    /** Returns the maximum number of parameters. */
    public int size() {
        return parameters.size();
    }

    private int indexOf(Role role) {
        for (int i = 0; i < parameters.size(); i++) {
            if (parameters.get(i).role() == role) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Checks a call's parameters and returns their normal form, in which nodes get them.
     *
     * @param params as they were written, or null if there were none
     */
    @SuppressWarnings("ReferenceEquality") // The same object needs no copy.
    public CheckedParams check(@Nullable RawJson params) throws InvalidParamsException {
        RawJson written = params == null ? RawJson.EMPTY_ARRAY : params;
        if (written.first() != '[') {
            throw InvalidParamsException.wrong(written, "an array");
        }
        List<RawJson> given = JsonArray.elements(written, parameters.size() + 1);
        // Most parameters are in normal form as they were written.
        List<RawJson> normal = given;
        boolean changed = false;
        ParamCounts counts = unchanging == null ? new ParamCounts() : unchanging;
        for (int i = 0; i < parameters.size(); i++) {
            RawJson value = i < given.size() ? given.get(i) : null;
            RawJson one = normalise(i, value, counts);
            boolean same = one != null && value != null && one.isSame(value);
            changed |= one != null && !same;
            if (!same && normal == given) {
                normal = new ArrayList<>(given.subList(0, Math.min(i, given.size())));
            }
            if (normal != given) {
                normal.add(one == null ? RawJson.NULL : one);
            }
        }
        if (given.size() > parameters.size()) {
            throw InvalidParamsException.wrong(given.get(parameters.size()), most())
                    .inElement(parameters.size());
        }
        changed |= dropTrailingNulls(normal, given.size());
        return checked(JsonArray.of(normal, written, changed), normal);
    }

    /** Returns the normal form of the value at a position, or null if it is absent or counts as absent. */
    private @Nullable RawJson normalise(int index, @Nullable RawJson value, ParamCounts counts)
            throws InvalidParamsException {
        Parameter parameter = parameters.get(index);
        boolean absent = value == null || value.first() == 'n';
        if (absent && parameter.optional()) {
            return parameter.preset() == null ? value : parameter.preset();
        }
        try {
            return parameter.kind().normalise(value == null ? RawJson.NULL : value, counts);
        } catch (InvalidParamsException e) {
            throw (value == null ? e.asMissing() : e).inElement(index);
        }
    }

    /** Removes trailing nulls. Returns whether that changes the parameters. */
    private static boolean dropTrailingNulls(List<RawJson> normal, int given) {
        int size = normal.size();
        while (size > 0 && normal.get(size - 1).first() == 'n') {
            size--;
        }
        if (size < normal.size()) {
            normal.subList(size, normal.size()).clear();
        }
        return size != given;
    }

    private String most() {
        return switch (parameters.size()) {
            case 0 -> "no parameters";
            case 1 -> "at most 1 parameter";
            default -> "at most " + parameters.size() + " parameters";
        };
    }

    private CheckedParams checked(RawJson json, List<RawJson> values) {
        BlockSelector block = BlockSelector.NONE;
        String lookupHash = null;
        for (int i = 0; i < values.size(); i++) {
            RawJson value = values.get(i);
            switch (parameters.get(i).role()) {
                case BLOCK -> block = BlockParameter.block(value);
                case LOG_FILTER -> block = LogFilter.block(value);
                case BLOCK_HASH -> {
                    block = BlockParameter.blockOfHash(value);
                    lookupHash = BlockParameter.unquoted(value);
                }
                case TRANSACTION_HASH -> lookupHash = BlockParameter.unquoted(value);
                default -> {}
            }
        }
        return new CheckedParams(this, json, Collections.unmodifiableList(values), block, lookupHash);
    }
}
