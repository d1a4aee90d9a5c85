package io.weir.devnet.parameter;

import io.weir.ethereum.Address;
import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** The parameters of one call, read by position. Immutable. */
public final class Parameters {
    private static final int MAX_POSITIONS = 1024;

    private final List<JsonNode> values;

    private Parameters(List<JsonNode> values) {
        this.values = values;
    }

    /** Parameters of a method that needs some and takes some more; a null at the end counts as left out. */
    public static Parameters of(JsonNode json, int required, int maximum) {
        if (!json.isArray()) {
            throw Failures.invalidParams("non-array args");
        }
        List<JsonNode> values = new ArrayList<>();
        json.forEach(values::add);
        if (values.size() > maximum) {
            throw Failures.invalidParams("too many arguments, want at most " + maximum);
        }
        for (int i = 0; i < required; i++) {
            if (i >= values.size() || values.get(i).isNull()) {
                throw Failures.invalidParams("missing value for required argument " + i);
            }
        }
        return new Parameters(List.copyOf(values));
    }

    /** Whether there is a value that is not null. */
    public boolean has(int position) {
        return position < values.size() && !values.get(position).isNull();
    }

    /** An address. */
    public Address address(int position) {
        return argument(position).address();
    }

    /** A hash. */
    public Hash32 hash(int position) {
        return argument(position).hash();
    }

    /** Bytes of any number. */
    public Bytes bytes(int position) {
        return argument(position).bytes();
    }

    /** A boolean. */
    public boolean truth(int position) {
        return argument(position).truth();
    }

    /** The index of something in a list; the largest number where it is too large for any. */
    public long index(int position) {
        return argument(position).count("hexutil.Uint");
    }

    /** A block by number or tag. */
    public BlockParameter blockNumber(int position) {
        return BlockParameter.numberOrTag(argument(position));
    }

    /** A block; the latest where the parameter is left out. */
    public BlockParameter block(int position) {
        return has(position) ? BlockParameter.any(argument(position)) : BlockParameter.LATEST;
    }

    /** A block, by a decimal number also. */
    public BlockParameter blockOrDecimal(int position) {
        return BlockParameter.anyOrDecimal(argument(position));
    }

    /** Returns the requested call, which is checked and run without effect. */
    public CallObject call(int position) {
        return CallObject.read(argument(position));
    }

    /** Which logs are meant. */
    public LogFilter logFilter(int position) {
        return LogFilter.read(argument(position));
    }

    /** Returns a storage position. */
    public StoragePosition storagePosition(int position) {
        return StoragePosition.read(argument(position));
    }

    /** Some storage positions. */
    public List<StoragePosition> storagePositions(int position) {
        Argument argument = argument(position);
        if (!argument.json().isArray()) {
            throw argument.mismatch(argument.kind(), "[]string");
        }
        if (argument.json().size() > MAX_POSITIONS) {
            throw Failures.invalidParams("too many slots (max " + MAX_POSITIONS + ")");
        }
        return argument.json()
                .valueStream()
                .map(each -> StoragePosition.read(new Argument(each, position, "")))
                .toList();
    }

    /** A count as a hexadecimal or decimal number, in quotation marks or not. */
    public long countOrDecimal(int position) {
        Argument argument = argument(position);
        JsonNode json = argument.json();
        if (json.isIntegralNumber() && json.canConvertToLong() && json.longValue() >= 0) {
            return json.longValue();
        }
        if (!json.isString()) {
            throw argument.mismatch(argument.kind(), "math.HexOrDecimal64");
        }
        String text = json.stringValue();
        try {
            BigInteger number = text.startsWith("0x") ? new BigInteger(text.substring(2), 16) : new BigInteger(text);
            if (number.signum() >= 0 && number.bitLength() < Long.SIZE) {
                return number.longValue();
            }
        } catch (NumberFormatException e) {
            throw argument.invalid("invalid hex or decimal integer \"" + text + "\"");
        }
        throw argument.invalid("invalid hex or decimal integer \"" + text + "\"");
    }

    /** Numbers that need not be whole; none where the parameter is left out. */
    public List<Double> numbers(int position) {
        if (!has(position)) {
            return List.of();
        }
        Argument argument = argument(position);
        if (!argument.json().isArray()) {
            throw argument.mismatch(argument.kind(), "[]float64");
        }
        List<Double> numbers = new ArrayList<>();
        for (JsonNode each : argument.json()) {
            if (!each.isNumber()) {
                throw argument.mismatch(new Argument(each, position, "").kind(), "float64");
            }
            numbers.add(each.doubleValue());
        }
        return numbers;
    }

    private Argument argument(int position) {
        return new Argument(values.get(position), position, "");
    }
}
