package io.weir.upstream.verdict;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RawJson;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CallerStringsTest {

    /** Returns the strings of a JSON text that stands within other bytes. */
    private static List<String> read(String json) {
        List<String> strings = new ArrayList<>();
        byte[] around = ("\"before" + json + "\"after\"").getBytes(UTF_8);
        CallerStrings.read(
                RawJson.slice(around, "\"before".length(), json.getBytes(UTF_8).length), new CallerStrings.Sink() {
                    @Override
                    public void take(String string) {
                        strings.add(string);
                    }

                    @Override
                    public void take(byte[] bytes, int start, int end) {
                        strings.add(new String(bytes, start, end - start, UTF_8));
                    }
                });
        return strings;
    }

    @Test
    void eachStringIsReadWithTheNamesOfMembers() {
        assertThat(read("[{\"name\":\"a value\"},7,\"\u00e9t\u00e9\"]"))
                .containsExactly("name", "a value", "\u00e9t\u00e9");
        assertThat(read("\"alone\"")).containsExactly("alone");
        assertThat(read("[1,true,{}]")).isEmpty();
    }

    @Test
    void shortStringsAndWordsOfTheProtocolAreLeftOut() {
        assertThat(read("[\"abc\",\"abcd\",\"\",\"latest\",\"latests\"]")).containsExactly("abcd", "latests");
    }

    @Test
    void onlyLongHexIsLeftOut() {
        String hex = "0x" + "aB".repeat(127);
        assertThat(read("[\"" + hex + "\"]")).isEmpty();
        for (String other :
                List.of(hex.substring(0, 255), hex + "g", "1" + hex.substring(1), "0a" + hex.substring(2))) {
            assertThat(read("[\"" + other + "\"]")).containsExactly(other);
        }
    }

    @Test
    void aStringWithEscapesIsReadWithAndWithoutThem() {
        assertThat(read("[\"say \\\"\\u0068ello\\\"\",\"next\"]"))
                .containsExactly("say \"hello\"", "say \\\"\\u0068ello\\\"", "next");
        assertThat(read("[\"four\\\\\"]")).contains("four\\", "four\\\\").hasSize(3);
    }

    @ParameterizedTest
    @CsvSource({
        "say \\u0068ello, say hello",
        "say \\x68ello, say hello",
        "say hell\\x6f, say hello",
        "say hell\\x6, say hellx6",
        "say hell\\u006, say hellu006",
        "say \\xzz, say xzz",
        "say\\nhello\\t, 'say hello '",
        "say \\qhello, say qhello",
        "say \\\\hello, say \\hello"
    })
    void escapesWithinAStringAreUndoneToo(String string, String plain) {
        String written = string.replace("\\", "\\\\");
        assertThat(read("[\"" + written + "\"]")).containsExactly(string, plain, written);
    }
}
