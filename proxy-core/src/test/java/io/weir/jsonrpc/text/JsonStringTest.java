package io.weir.jsonrpc.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonStringTest {

    @Test
    void escapesAreResolved() {
        assertThat(unescape("a\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e9\\ud83d\\ude00é"))
                .isEqualTo("a\"\\/\b\f\n\r\tAé😀é");
        assertThat(unescape("\\u006dethod")).isEqualTo("method");
        assertThat(unescape("")).isEmpty();
    }

    @Test
    void halfASurrogatePairComesThroughAndIsNoUnicodeText() {
        assertThat(unescape("\\ud83dx")).isEqualTo("\ud83dx");
        assertThat(JsonString.isUnicode("\ud83dx")).isFalse();
        assertThat(JsonString.isUnicode("x\ude00")).isFalse();
        assertThat(JsonString.isUnicode("x😀")).isTrue();
    }

    @Test
    void charactersThatJsonForbidsInStringsAreEscaped() {
        assertThat(new String(JsonString.quote("a\"\\\n\u0000é😀\u007f"), UTF_8))
                .isEqualTo("\"a\\\"\\\\\\u000a\\u0000é😀\u007f\"");
        assertThat(new String(JsonString.quote("\ud83d \ude00"), UTF_8)).isEqualTo("\"\\ud83d \\ude00\"");
        assertThat(new String(JsonString.quote("plain"), UTF_8)).isEqualTo("\"plain\"");
    }

    @Test
    void everyStringComesBackFromItsQuotedForm() {
        long seed = 4242;
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            char[] chars = new char[random.nextInt(12)];
            for (int c = 0; c < chars.length; c++) {
                chars[c] = (char) (random.nextInt(3) == 0 ? random.nextInt(0x10000) : random.nextInt(0x80));
            }
            String string = new String(chars);
            byte[] quoted = JsonString.quote(string);
            assertThat(JsonString.unescape(quoted, 1, quoted.length - 1))
                    .as("seed %d, round %d", seed, i)
                    .isEqualTo(string);
            assertThat(quoted).as("seed %d, round %d", seed, i).satisfies(JsonStringTest::isAString);
        }
    }

    private static void isAString(byte[] quoted) throws JsonSyntaxException {
        JsonScanner scanner = JsonScanner.strict(quoted, 0, quoted.length);
        assertThat(scanner.peek()).isEqualTo('"');
        scanner.skip();
        scanner.end();
    }

    private static String unescape(String escaped) {
        byte[] text = ("\"" + escaped + "\"").getBytes(UTF_8);
        return JsonString.unescape(text, 1, text.length - 1);
    }

    @ParameterizedTest
    @CsvSource({
        "blockHash, BLOCKHASH",
        "blockhash, bloc\u212Ahash",
        "status, \u017Ftatus",
        "input, \u0130nput",
        "input, \u0131nput"
    })
    void namesThatDifferOnlyInCaseAreOne(String name, String other) {
        assertThat(JsonString.folded(other)).isEqualTo(JsonString.folded(name));
    }

    @Test
    void otherNamesStayApart() {
        assertThat(JsonString.folded("gas")).isNotEqualTo(JsonString.folded("gasUsed"));
        assertThat(JsonString.folded("")).isEmpty();
    }
}
