package io.weir.l2.typed;

import io.weir.l2.Felt;
import io.weir.l2.ShortString;
import io.weir.l2.hash.Selector;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Makes felts of values that are neither structs nor arrays. Thread-safe. */
final class ScalarEncoder {
    private static final Pattern DECIMAL = Pattern.compile("[+-]?[0-9]{1,100}");
    private static final Pattern OTHER_BASE =
            Pattern.compile("0([xX][0-9a-fA-F]{1,100}|[oO][0-7]{1,100}|[bB][01]{1,300})");
    private static final Pattern HEX = Pattern.compile("0[xX][0-9a-fA-F]*");
    private static final BigInteger U128_BOUND = BigInteger.ONE.shiftLeft(128);
    private static final BigInteger I128_BOUND = BigInteger.ONE.shiftLeft(127);

    private final Revision revision;
    private final MeteredHash hash;

    ScalarEncoder(MeteredHash hash) {
        this.hash = hash;
        this.revision = hash.revision();
    }

    /**
     * The felt of a value.
     *
     * @throws IllegalArgumentException when the type is unknown or the value not of it
     */
    Felt encode(String type, JsonNode value, String path) {
        if (value.isString()) {
            hash.read(value.stringValue().length(), path);
        }
        if (type.equals("selector")) {
            return selector(value, path);
        }
        // Revision 0 knows felts alone: whatever a type is called, its value is one.
        return revision == Revision.LEGACY ? felt(value, path) : active(type, value, path);
    }

    private Felt active(String type, JsonNode value, String path) {
        return switch (type) {
            case "felt", "shortstring" -> felt(value, path);
            case "ContractAddress", "ClassHash" -> ranged(value, BigInteger.ZERO, Felt.PRIME, type, path);
            case "u128", "timestamp" -> ranged(value, BigInteger.ZERO, U128_BOUND, type, path);
            case "i128" -> ranged(value, I128_BOUND.negate(), I128_BOUND, type, path);
            case "bool" -> {
                check(value.isBoolean(), path, "true or false");
                yield value.booleanValue() ? Felt.ONE : Felt.ZERO;
            }
            case "string" -> {
                check(value.isString() && isUnicode(value.stringValue()), path, "text of whole characters");
                yield byteArray(value.stringValue(), path);
            }
            default ->
                throw new IllegalArgumentException(
                        path + ": of the unknown type " + type + " (expected: a type of the message or of revision 1)");
        };
    }

    private static Felt felt(JsonNode value, String path) {
        if (value.isBoolean()) {
            return value.booleanValue() ? Felt.ONE : Felt.ZERO;
        }
        BigInteger number = number(value);
        if (number == null) {
            check(value.isString(), path, "a felt, or text of up to 31 ASCII characters");
            try {
                return ShortString.encode(value.stringValue());
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(path + ": " + e.getMessage(), e);
            }
        }
        check(
                number.signum() >= 0 && number.compareTo(Felt.PRIME) < 0,
                path,
                "a felt, from 0 to below the field's prime");
        return Felt.of(number);
    }

    private static Felt ranged(JsonNode value, BigInteger least, BigInteger bound, String type, String path) {
        BigInteger number = number(value);
        boolean inRange = number != null && number.compareTo(least) >= 0 && number.compareTo(bound) < 0;
        check(inRange, path, "a number in the range of " + type);
        return Felt.reduced(number == null ? BigInteger.ZERO : number);
    }

    private static Felt selector(JsonNode value, String path) {
        check(
                value.isString() && isUnicode(value.stringValue()),
                path,
                "the name of a function, or its selector in hexadecimal");
        return HEX.matcher(value.stringValue()).matches() ? felt(value, path) : Selector.of(value.stringValue());
    }

    /** As JavaScript reads a number: white space around is nothing, and nothing at all is 0; null where it is none. */
    private static @Nullable BigInteger number(JsonNode value) {
        if (value.isIntegralNumber()) {
            return value.bigIntegerValue();
        }
        if (!value.isString()) {
            return null;
        }
        String text = value.stringValue().strip();
        if (text.isEmpty()) {
            return BigInteger.ZERO;
        }
        if (DECIMAL.matcher(text).matches()) {
            return new BigInteger(text);
        }
        if (!OTHER_BASE.matcher(text).matches()) {
            return null;
        }
        int base = switch (text.charAt(1)) {
            case 'x', 'X' -> 16;
            case 'o', 'O' -> 8;
            default -> 2;
        };
        return new BigInteger(text.substring(2), base);
    }

    /** As contracts lay out long text: how many words of 31 bytes, the words, what is left, and its length. */
    private Felt byteArray(String text, String path) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int words = bytes.length / ShortString.MAX_CHARACTERS;
        List<Felt> elements = new ArrayList<>(words + 3);
        elements.add(Felt.of(words));
        for (int word = 0; word <= words; word++) {
            int from = word * ShortString.MAX_CHARACTERS;
            int to = Math.min(bytes.length, from + ShortString.MAX_CHARACTERS);
            elements.add(Felt.of(new BigInteger(1, Arrays.copyOfRange(bytes, from, to))));
        }
        elements.add(Felt.of(bytes.length % ShortString.MAX_CHARACTERS));
        return hash.many(elements, path);
    }

    /** Whether a text has bytes of its own: half a surrogate pair would be hashed as a question mark. */
    static boolean isUnicode(String text) {
        return StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }

    static void check(boolean isRight, String path, String expected) {
        if (!isRight) {
            throw new IllegalArgumentException(path + ": unusable (expected: " + expected + ")");
        }
    }
}
