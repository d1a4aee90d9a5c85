package io.weir.l2.deploy.intake;

import io.weir.l2.Felt;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads the fields of one object. A field that is wrong is noted and read as zero, so that those after it are looked at too.
 * Confined to a thread.
 */
final class FieldReader {
    static final String FELT = "a felt: 0x and up to 64 hex digits, below the field's prime";
    static final String SIGNATURE_FELT =
            "a felt: a decimal number, or 0x and up to 64 hex digits, below the field's prime";

    private static final Pattern HEX = Pattern.compile("0x[0-9a-fA-F]{1,64}");
    /** 2^252 has 76 digits. */
    private static final Pattern DECIMAL = Pattern.compile("[0-9]{1,78}");

    private final String path;
    private final JsonNode object;
    private final Problems problems;

    /**
     * Reads an object.
     *
     * @param path where it stands
     * @param object a node that is none has no fields
     */
    FieldReader(String path, JsonNode object, Problems problems) {
        this.path = path;
        this.object = object;
        this.problems = problems;
    }

    String path(String name) {
        return path + '.' + name;
    }

    JsonNode get(String name) {
        return object.path(name);
    }

    /** Notes that a field is wrong. */
    void wrong(String name, String expected) {
        problems.add(path(name), expected, get(name));
    }

    /** The members of an object that are called otherwise than these. */
    void onlyThese(List<String> names) {
        for (String name : object.propertyNames()) {
            if (!names.contains(name)) {
                problems.add(path(Problems.cut(name)), "no such member, but " + String.join(", ", names), get(name));
            }
        }
    }

    Felt felt(String name) {
        return felt(path(name), get(name), false);
    }

    /** A whole number of so many bits at most. */
    BigInteger number(String name, int bits) {
        BigInteger number = hex(get(name));
        if (number == null || number.bitLength() > bits) {
            wrong(name, "0x and up to 64 hex digits, below 2^" + bits);
            return BigInteger.ZERO;
        }
        return number;
    }

    /** One of some words; the first where it is another. */
    String word(String name, List<String> words) {
        JsonNode value = get(name);
        if (value.isString() && words.contains(value.stringValue())) {
            return value.stringValue();
        }
        wrong(name, "\"" + String.join("\" or \"", words) + "\"");
        return words.get(0);
    }

    /**
     * An array of felts.
     *
     * @param most how long it may be
     * @param decimal whether they may be written in decimal too
     */
    List<Felt> felts(String name, int most, boolean decimal) {
        JsonNode array = get(name);
        if (!array.isArray() || array.size() > most) {
            wrong(name, "an array of at most " + most + " felts");
            return List.of();
        }
        List<Felt> felts = new ArrayList<>(array.size());
        for (int i = 0; i < array.size(); i++) {
            felts.add(felt(path(name) + '[' + i + ']', array.path(i), decimal));
        }
        return felts;
    }

    private Felt felt(String at, JsonNode value, boolean decimal) {
        BigInteger number = hex(value);
        if (number == null
                && decimal
                && value.isString()
                && DECIMAL.matcher(value.stringValue()).matches()) {
            number = new BigInteger(value.stringValue());
        }
        if (number == null || number.compareTo(Felt.PRIME) >= 0) {
            problems.add(at, decimal ? SIGNATURE_FELT : FELT, value);
            return Felt.ZERO;
        }
        return Felt.of(number);
    }

    /** The number that a text is in hex, leading zeros allowed; null where it is none. */
    static @Nullable BigInteger hex(JsonNode value) {
        return value.isString() && HEX.matcher(value.stringValue()).matches()
                ? new BigInteger(value.stringValue().substring(2), 16)
                : null;
    }
}
