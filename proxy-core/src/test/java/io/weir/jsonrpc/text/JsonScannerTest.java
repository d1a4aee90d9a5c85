package io.weir.jsonrpc.text;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.weir.jsonrpc.text.JsonSyntaxException.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonScannerTest {

    /**
     * Content that is allowed in a container skipped by delimiters: strings, and any ASCII byte that is not a control
     * byte.
     */
    private static final Pattern TOKEN = Pattern.compile(
            "\"([^\"\\\\\\x00-\\x1f]|\\\\[\"\\\\/bfnrt]|\\\\u[0-9a-fA-F]{4})*+\"|[\t\n\r\\x20-\\x7f&&[^\"]]");

    private static final String[] CHARACTERS_BY_LENGTH = {"a", "é", "€", "😀"};

    @Test
    void aStringEndsAtItsQuoteWhereverThatStands() throws JsonSyntaxException {
        for (int before = 0; before < 20; before++) {
            for (int after = 0; after < 20; after++) {
                byte[] text =
                        ("x".repeat(before) + "\"" + "a".repeat(after) + "\"" + "\"".repeat(before)).getBytes(UTF_8);
                JsonScanner scanner = JsonScanner.strict(text, before, text.length - before);
                scanner.skip();
                assertThat(scanner.position()).isEqualTo(before + after + 2);
            }
        }
    }

    @Test
    void onlyQuoteBackslashAndControlBytesStopAnAsciiString() {
        for (int b = 0; b < 0x80; b++) {
            boolean plain = b >= ' ' && b != '"' && b != '\\';
            for (int before = 0; before < 18; before++) {
                String string = "\"" + "a".repeat(before) + (char) b + "a".repeat(9) + "\"";
                assertThat(isJson(string.getBytes(ISO_8859_1)))
                        .as("byte %d after %d", b, before)
                        .isEqualTo(plain);
            }
        }
    }

    @Test
    void aStopAmongMarksThatBorrowsLeaveIsFoundFirst() {
        // After 0x22 and 0x5c the bytes 0x23 and 0x5d get a false mark, after 0x1f so does 0x20.
        assertThat(isJson("\"abc#\"".getBytes(UTF_8))).isTrue();
        assertThat(isJson("\"\\\"####\"".getBytes(UTF_8))).isTrue();
        assertThat(isJson("\"\\\\]]]]\"".getBytes(UTF_8))).isTrue();
        assertThat(isJson("[\"\",\"#\"]".getBytes(UTF_8))).isTrue();
    }

    @Test
    void charactersOfEveryLengthPassAtEveryPlace() {
        for (String character : CHARACTERS_BY_LENGTH) {
            for (int before = 0; before < 18; before++) {
                String string = "\"" + "a".repeat(before) + character + character + "b\"";
                assertThat(isJson(string.getBytes(UTF_8))).as(string).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "c080", "c1bf", "e08080", "e09fbf", "f0808080", "f08fbfbf", "eda080", "edbfbf", "f4908080", "f5808080",
                "ff", "fe", "80", "bf", "c3", "e282", "f09f98", "c3c3", "e28228", "f09f9828"
            })
    void invalidUtf8IsRejected(String hex) {
        byte[] bad = HexFormat.of().parseHex(hex);
        byte[] text = ("\"" + new String(bad, ISO_8859_1) + "\"").getBytes(ISO_8859_1);
        assertThat(isJson(text)).isFalse();
        byte[] atTheEnd = ("\"" + new String(bad, ISO_8859_1)).getBytes(ISO_8859_1);
        assertThat(isJson(atTheEnd)).isFalse();
    }

    @Test
    void everyCodePointButSurrogatesIsUtf8() {
        for (int codePoint = 0x80; codePoint <= Character.MAX_CODE_POINT; codePoint += codePoint < 0x3000 ? 1 : 101) {
            if (codePoint < Character.MIN_SURROGATE || codePoint > Character.MAX_SURROGATE) {
                byte[] text = ("\"" + Character.toString(codePoint) + "\"").getBytes(UTF_8);
                assertThat(isJson(text)).as("U+%X", codePoint).isTrue();
            }
        }
    }

    @Test
    void sixtyFourLevelsAreReadAndSixtyFiveAreTooDeep() {
        assertThat(isJson(("[".repeat(64) + "]".repeat(64)).getBytes(UTF_8))).isTrue();
        byte[] deep = ("{\"a\":".repeat(64) + "[]" + "}".repeat(64)).getBytes(UTF_8);
        JsonSyntaxException problem = problemOf(JsonScanner.strict(deep, 0, deep.length));
        assertThat(problem.kind()).isEqualTo(Kind.TOO_DEEP);
        assertThat(problem.position()).isEqualTo(64 * 5);
    }

    @Test
    void aThousandLevelsPassByDelimitersAndAMillionAreTooDeep() throws JsonSyntaxException {
        byte[] deep = ("[{\"a\":".repeat(512) + "}]".repeat(512)).getBytes(UTF_8);
        JsonScanner scanner = JsonScanner.delimiters(deep, 0, deep.length);
        scanner.skip();
        assertThat(scanner.peek()).isEqualTo(JsonScanner.END);
        byte[] deeper = "[".repeat(1_000_000).getBytes(UTF_8);
        assertThat(problemOf(JsonScanner.delimiters(deeper, 0, deeper.length)).kind())
                .isEqualTo(Kind.TOO_DEEP);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[1}",
                "{\"a\":[}]",
                "[{\"a\":1]}",
                "[\"a]",
                "[\"\\\"]",
                "[\"\\x\"]",
                "[\u0001]",
                "[é]",
                "[\"\n\"]",
                "[\f]"
            })
    void delimitersHoldBracketsAndStringsToTheirForm(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        assertThat(problemOf(JsonScanner.delimiters(bytes, 0, bytes.length)).kind())
                .isIn(Kind.UNEXPECTED_BYTE, Kind.TRUNCATED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "[1", "{\"a\"", "{\"a\":", "[\"", "[\"\\", "[\"\\u12", "tru", "-", "1.", "1e+", ""})
    void aTextThatStopsTooEarlyIsTruncatedInBothModes(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        assertThat(problemOf(JsonScanner.strict(bytes, 0, bytes.length)).kind()).isEqualTo(Kind.TRUNCATED);
        assertThat(problemOf(JsonScanner.delimiters(bytes, 0, bytes.length)).kind())
                .isEqualTo(Kind.TRUNCATED);
    }

    @Test
    void aKnownNameIsFoundEscapedOrNotAndAnotherOneIsNone() throws JsonSyntaxException {
        byte[] text = "{ \"number\" : 1, \"size\":2,\"num\\u0062er\":3,\"\":4}".getBytes(UTF_8);
        JsonScanner scanner = JsonScanner.delimiters(text, 0, text.length);
        NameTable known = NameTable.of(List.of("number"));
        List<@Nullable String> names = new ArrayList<>();
        StringBuilder values = new StringBuilder();
        scanner.peek();
        scanner.open();
        boolean more = scanner.firstEntry();
        while (more) {
            names.add(scanner.knownMember(known));
            values.append((char) text[scanner.position()]);
            scanner.skip();
            more = scanner.nextEntry();
        }
        assertThat(names).containsExactly("number", null, "number", null);
        assertThat(values).hasToString("1234");
    }

    @Test
    void delimitersEndWhereAWalkByteByByteEnds() {
        String[] parts = {
            "\"",
            "\"",
            "\"",
            ",",
            ":",
            "\",\"",
            "\":\"",
            "[",
            "]",
            "{",
            "}",
            "\\\"",
            "\\",
            "\\u00e9",
            "0",
            "/",
            "aaaaaaa",
            "0x0123456789abcdef",
            "#",
            " ",
            "\n",
            "é",
            "€",
            "\u0001",
            "\u007f"
        };
        Random random = new Random(1);
        int[] ends = new int[2];
        for (int round = 0; round < 200_000; round++) {
            StringBuilder text = new StringBuilder(round % 2 == 0 ? "[" : "{\"");
            for (int i = random.nextInt(14); i > 0; i--) {
                text.append(parts[random.nextInt(parts.length)]);
            }
            text.append(round % 3 == 0 ? "]" : "\"}");
            int expected = endByTokens(text.toString());
            assertThat(endByDelimiters(text.toString().getBytes(UTF_8)))
                    .as(text.toString())
                    .isEqualTo(expected);
            ends[expected < 0 ? 0 : 1]++;
        }
        assertThat(ends).doesNotContain(0);
    }

    /** The end of the container at the start of a text, token by token; -1 if there is no container. */
    private static int endByTokens(String text) {
        Deque<String> open = new ArrayDeque<>();
        Matcher token = TOKEN.matcher(text);
        int end = 0;
        do {
            if (!token.region(end, text.length()).lookingAt()) {
                return -1;
            }
            end = token.end();
            String found = token.group();
            if (found.equals("[") || found.equals("{")) {
                open.push(found.equals("[") ? "]" : "}");
            } else if ((found.equals("]") || found.equals("}")) && !found.equals(open.poll())) {
                return -1;
            }
        } while (!open.isEmpty());
        return text.substring(0, end).getBytes(UTF_8).length;
    }

    private static int endByDelimiters(byte[] text) {
        JsonScanner scanner = JsonScanner.delimiters(text, 0, text.length);
        try {
            scanner.skip();
            return scanner.position();
        } catch (JsonSyntaxException e) {
            return -1;
        }
    }

    @Test
    void bytesBesideTheRangeAreNotLookedAt() throws JsonSyntaxException {
        byte[] text = "[[1,2,3]]".getBytes(UTF_8);
        JsonScanner scanner = JsonScanner.strict(text, 1, 7);
        scanner.skip();
        scanner.end();
        assertThat(scanner.position()).isEqualTo(8);
        assertThat(problemOf(JsonScanner.strict(text, 1, 6)).kind()).isEqualTo(Kind.TRUNCATED);
        assertThatThrownBy(() -> JsonScanner.strict(text, 3, 7)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void aProblemNamesTheByteAndTheExpectation() {
        byte[] text = "  {\"a\" 1}".getBytes(UTF_8);
        assertThat(problemOf(JsonScanner.strict(text, 2, text.length - 2))).hasMessage("byte 5: '1' (expected: ':')");
    }

    private static boolean isJson(byte[] text) {
        try {
            JsonScanner scanner = JsonScanner.strict(text, 0, text.length);
            scanner.skip();
            scanner.end();
            return true;
        } catch (JsonSyntaxException e) {
            return false;
        }
    }

    private static JsonSyntaxException problemOf(JsonScanner scanner) {
        return catchThrowableOfType(JsonSyntaxException.class, scanner::skip);
    }
}
