package io.weir.app.differential;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * One value twice. Immutable.
 *
 * @param normal in the form in which the node is asked directly
 * @param odd in another form of the same, for the proxy
 */
record Spelled(String normal, String odd) {

    /** Written in the same way for both. */
    static Spelled same(String json) {
        return new Spelled(json, json);
    }

    /** A string that both write alike, but for escapes. */
    static Spelled text(RandomGenerator random, String text) {
        return new Spelled('"' + text + '"', '"' + escaped(random, text) + '"');
    }

    /** Bytes. */
    static Spelled hex(RandomGenerator random, String hex) {
        String digits = hex.substring(2);
        return new Spelled('"' + hex + '"', oddHex(random, digits));
    }

    /** A number. */
    static Spelled quantity(RandomGenerator random, long number) {
        String digits = Long.toHexString(number);
        return new Spelled("\"0x" + digits + '"', oddHex(random, "0".repeat(random.nextInt(4)) + digits));
    }

    /** A storage position, of any length in the odd form. */
    static Spelled position(RandomGenerator random, int number) {
        String digits = Integer.toHexString(number);
        return new Spelled(
                "\"0x" + ChainHistory.word(number) + '"',
                oddHex(random, "0".repeat(random.nextInt(65 - digits.length())) + digits));
    }

    static Spelled array(Spelled... values) {
        return array(Arrays.asList(values));
    }

    static Spelled array(List<Spelled> values) {
        return new Spelled(
                values.stream().map(Spelled::normal).collect(Collectors.joining(",", "[", "]")),
                values.stream().map(Spelled::odd).collect(Collectors.joining(" ,", "[ ", " ]")));
    }

    private static String oddHex(RandomGenerator random, String digits) {
        String spelled = random.nextBoolean() ? digits.toUpperCase(Locale.ROOT) : digits;
        return '"' + escaped(random, (random.nextInt(4) == 0 ? "0X" : "0x") + spelled) + '"';
    }

    /** Any character may be written as an escape. */
    private static String escaped(RandomGenerator random, String text) {
        if (random.nextInt(5) != 0) {
            return text;
        }
        int at = random.nextInt(text.length());
        return text.substring(0, at) + String.format("\\u%04X", (int) text.charAt(at)) + text.substring(at + 1);
    }
}
