package io.weir.hocon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HoconDocumentTest {

    @TempDir
    Path folder;

    private HoconDocument read(String text, Map<String, String> environment) throws Exception {
        write("main.conf", text);
        return HoconDocument.read(
                folder.resolve("main.conf"), environment, ConfigFactory.empty().root());
    }

    private Config values(String text) throws Exception {
        HoconDocument document = read(text, Map.of("PORT", "9", "HOST", "there"));
        assertThat(document.problems()).isEmpty();
        assertThat(document.complete()).isTrue();
        return document.root().toConfig();
    }

    private List<String> problems(String text) throws Exception {
        return lines(read(text, Map.of("PORT", "9")).problems());
    }

    private List<String> refusal(String text) {
        return lines(catchThrowableOfType(InvalidConfigException.class, () -> read(text, Map.of()))
                .problems());
    }

    private List<String> lines(List<Problem> problems) {
        return problems.stream()
                .sorted()
                .map(problem -> problem.toString().replace(folder + "/", ""))
                .toList();
    }

    private void write(String name, String text) throws IOException {
        Files.createDirectories(folder.resolve(name).getParent());
        Files.writeString(folder.resolve(name), text);
    }

    @Test
    void theEnvironmentFillsWhatNoSettingDoes() throws Exception {
        Config values =
                values("a = ${PORT}, b = ${?PORT}, c = 1, c = ${?NONE}, d = \"//\"${HOST}\":\"${PORT}, e = ${c}");
        assertThat(values.getInt("a")).isEqualTo(9);
        assertThat(values.getInt("b")).isEqualTo(9);
        assertThat(values.getInt("c")).isEqualTo(1);
        assertThat(values.getString("d")).isEqualTo("//there:9");
        assertThat(values.getInt("e")).isEqualTo(1);
    }

    @Test
    void filesOfSecretsFillSubstitutionsAlsoInIncludedBlocksAndWithinTexts() throws Exception {
        write("secrets/token", "hunter2\n");
        write("secrets/two lines", "one\ntwo\r\n\n");
        write("inner/part.conf", "c = ${\"file:../secrets/token\"}, d = 1, d = ${?\"file:none\"}");
        Config values = values("""
                a = ${"file:secrets/token"}
                b = "Bearer "${"file:%s/secrets/token"}"!"
                e = ${"file:secrets/two lines"}
                inner { include "inner/part.conf" }
                f = ${a}
                """.formatted(folder));
        assertThat(values.getString("a")).isEqualTo("hunter2");
        assertThat(values.getString("b")).isEqualTo("Bearer hunter2!");
        assertThat(values.getString("e")).isEqualTo("one\ntwo");
        assertThat(values.getString("inner.c")).isEqualTo("hunter2");
        assertThat(values.getInt("inner.d")).isEqualTo(1);
        assertThat(values.getString("f")).isEqualTo("hunter2");
    }

    @Test
    void aFileOfASecretThatCannotBeReadIsSaidAtEachOfItsPlaces() throws Exception {
        write("empty", "\n");
        Files.write(folder.resolve("bytes"), new byte[] {(byte) 0xff});
        assertThat(problems("""
                        a = ${"file:none"}
                        b { c = x${"file:empty"}, d = ${?"file:bytes"} }
                        e = ${"file:."}
                        f = 1, f = ${?"file:none too"}
                        """))
                .containsExactly(
                        "main.conf:1:5: a: ${\"file:none\"} (expected: a file with a secret; now: not found)",
                        "main.conf:2:10: b.c: ${\"file:empty\"} (expected: a file with a secret; now: is empty)",
                        "main.conf:2:31: b.d: ${\"file:bytes\"} (expected: a file with a secret; now: not UTF-8)",
                        "main.conf:3:5: e: ${\"file:.\"} (expected: a file with a secret; now: is a folder)");
    }

    @Test
    void theFilesOfAConfigurationAreKnownAlsoIfTheyAreMissing() throws Exception {
        write("secrets/token", "hunter2");
        write("part.conf", "c = ${?\"file:secrets/none\"}");
        HoconDocument document = read("a = ${\"file:secrets/token\"}\ninclude \"part.conf\"", Map.of());
        assertThat(document.sources().files())
                .containsExactlyInAnyOrder(
                        folder.resolve("main.conf"),
                        folder.resolve("part.conf"),
                        folder.resolve("secrets/token"),
                        folder.resolve("secrets/none"));
    }

    @Test
    void eachFileThatAnIncludeMayMeanIsKnownUntilOneIsFound() throws Exception {
        write("part.conf", "");
        HoconDocument document = read("include \"later\"\ninclude \"part\"", Map.of());
        assertThat(document.sources().files())
                .containsExactlyInAnyOrder(
                        folder.resolve("main.conf"),
                        folder.resolve("later"),
                        folder.resolve("later.conf"),
                        folder.resolve("later.json"),
                        folder.resolve("part"),
                        folder.resolve("part.conf"));
    }

    @Test
    void everyMissingVariableIsSaidAtEachOfItsPlaces() throws Exception {
        String rule = " (expected: an environment variable, or another setting, of that name)";
        assertThat(problems("""
                        a = ${ONE}
                        b { c = "x"${TWO}, d = [${PORT}, ${ONE}] }
                        e = ${b.none}
                        f = ${?THREE}
                        g = ${FOUR}
                        g = 1
                        """))
                .containsExactly(
                        "main.conf:1:5: a: ${ONE}" + rule,
                        "main.conf:2:12: b.c: ${TWO}" + rule,
                        "main.conf:2:34: b.d: ${ONE}" + rule,
                        "main.conf:3:5: e: ${b.none}" + rule);
    }

    @Test
    void aValueThatDependsOnAMissingVariableIsUnknown() throws Exception {
        HoconDocument document = read("a = x${NONE}, b = ${a}, c = 1", Map.of());
        assertThat(HoconDocument.isUnknown(document.root().get("a"))).isTrue();
        assertThat(HoconDocument.isUnknown(document.root().get("b"))).isTrue();
        assertThat(HoconDocument.isUnknown(document.root().get("c"))).isFalse();
    }

    @Test
    void circlesOfSubstitutionsAreSaidAndTheRestIsRead() throws Exception {
        HoconDocument document = read("a = ${b}\nb = ${a}\nc = ${c}, d = ${d}\ne = 5, f = ${e}, g = ${g}", Map.of());
        assertThat(lines(document.problems()))
                .containsExactly(
                        "main.conf:2:5: b: ${a} (expected: no circle of substitutions)",
                        "main.conf:3:5: c: ${c} (expected: no circle of substitutions)",
                        "main.conf:3:15: d: ${d} (expected: no circle of substitutions)",
                        "main.conf:4:22: g: ${g} (expected: no circle of substitutions)");
        assertThat(document.root().toConfig().getInt("e")).isEqualTo(5);
    }

    @Test
    void partsThatDoNotGoTogetherAreSaidWithoutShowingThem() throws Exception {
        assertThat(problems("a = [1], x = ${a}\nb = ${x} secret\nc = ${x}"))
                .containsExactly("main.conf:2:5: b: ${x} (expected: parts that go together)");
        String rule = "parts that do not go together (expected: texts, lists or blocks, not mixed)";
        assertThat(refusal("a = secret [1]")).containsExactly("main.conf:1: file: " + rule);
        assertThat(problems("a = [1] secret\nb { c = {} x }, d = {} {}, e = [] [1] # and\nf = [{} x]"))
                .containsExactly(
                        "main.conf:1:5: a: " + rule, "main.conf:2:9: b.c: " + rule, "main.conf:3:6: f.0: " + rule);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "include \"parts/one.conf\"",
                "include \"parts/one\"",
                "include file(\"parts/one.conf\")",
                "include required(\"parts/one.conf\")",
                "include required(file(\"parts/one.conf\"))"
            })
    void includesAreRelativeToTheIncludingFile(String include) throws Exception {
        write("parts/one.conf", "include \"two.conf\"\nhost = ${HOST}");
        write("parts/two.conf", "port = ${PORT}, other = ${port}");
        Config values = values("a {\n" + include + "\n}");
        assertThat(values.getString("a.host")).isEqualTo("there");
        assertThat(values.getInt("a.port")).isEqualTo(9);
        assertThat(values.getInt("a.other")).isEqualTo(9);
    }

    @Test
    void anAbsoluteIncludeIsItself() throws Exception {
        write("else/where.conf", "a = 1");
        assertThat(values("include \"" + folder.resolve("else/where.conf") + "\"")
                        .getInt("a"))
                .isEqualTo(1);
    }

    @Test
    void aMissingIncludeIsSaidAtItsLineAndTheRestIsRead() throws Exception {
        HoconDocument document = read("a = 1\ninclude \"no.conf\"\nb { include file(\"nor.conf\") }", Map.of());
        assertThat(lines(document.problems()))
                .containsExactly(
                        "main.conf:2:9: include: \"no.conf\" not found (expected: a file that can be read)",
                        "main.conf:3:18: include: \"nor.conf\" not found (expected: a file that can be read)");
        assertThat(document.complete()).isFalse();
        assertThat(document.root().toConfig().getInt("a")).isEqualTo(1);
    }

    @Test
    void problemsOfIncludedFilesNameThoseFiles() throws Exception {
        write("one.conf", "\n\nx = ${NONE}\ny = [");
        write("two.conf", "\nx = ${NONE}");
        assertThat(problems("a { include \"one.conf\" }\na { include \"two.conf\" }"))
                .containsExactly(
                        "one.conf:4: file: a syntax error (expected: ] or a comma)",
                        "two.conf:2:5: a.x: ${NONE}"
                                + " (expected: an environment variable, or another setting, of that name)");
    }

    @Test
    void aFileThatLeadsBackToItselfIsSaid() throws Exception {
        write("one.conf", "b = 1\ninclude \"main.conf\"");
        assertThat(problems("include \"one.conf\"\ninclude \"./main.conf\""))
                .containsExactly(
                        "main.conf:2:9: include: \"./main.conf\" includes itself"
                                + " (expected: a file that does not lead back here)",
                        "one.conf:2:9: include: \"main.conf\" includes itself"
                                + " (expected: a file that does not lead back here)");
    }

    @Test
    void includingOneFileOverAndOverIsBounded() throws Exception {
        for (int i = 0; i < 20; i++) {
            write("f" + i + ".conf", "include \"f%d.conf\"\ninclude \"f%d.conf\"".formatted(i + 1, i + 1));
        }
        write("f20.conf", "a = 1");
        assertThat(problems("include \"f0.conf\"")).isNotEmpty().allMatch(line -> line.contains("too many includes"));
    }

    @Test
    void aUrlIsNeitherFetchedNorShown() throws Exception {
        assertThat(problems("""
                        include "https://user:secret@example.org/a.conf"
                        include url("https://user:secret@example.org/a.conf")
                        include classpath("a.conf")
                        include "."
                        include "a\\u0000"
                        """))
                .containsExactly(
                        "main.conf:1:9: include: a URL (expected: a file that can be read)",
                        "main.conf:2:13: include: a URL (expected: a file that can be read)",
                        "main.conf:3:19: include: a class path resource (expected: a file that can be read)",
                        "main.conf:4:9: include: \".\" is a folder (expected: a file that can be read)",
                        "main.conf:5:9: include: \"a?\" is not a file name (expected: a file that can be read)");
    }

    @Test
    void aFileThatCannotBeReadIsSaid() throws Exception {
        assertThat(catchThrowableOfType(
                                InvalidConfigException.class,
                                () -> HoconDocument.read(
                                        Path.of("no/such.conf"),
                                        Map.of(),
                                        ConfigFactory.empty().root()))
                        .lines())
                .containsExactly("no/such.conf:1: file: not found (expected: a file that can be read)");
        Files.createDirectory(folder.resolve("d"));
        assertThat(catchThrowableOfType(
                                InvalidConfigException.class,
                                () -> HoconDocument.read(
                                        folder.resolve("d"),
                                        Map.of(),
                                        ConfigFactory.empty().root()))
                        .lines())
                .containsExactly(folder + "/d:1: file: is a folder (expected: a file that can be read)");
    }

    @Test
    void aFileThatIsNotUtf8IsSaidWithTheLine() throws Exception {
        Files.write(folder.resolve("latin.conf"), "a = 1\nb = \u00e9".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(problems("include \"latin.conf\""))
                .containsExactly("latin.conf:2: file: not UTF-8 (expected: text in UTF-8)");
    }

    @Test
    void aFileLargerThanAnyConfigurationIsSaid() throws Exception {
        write("large.conf", "#".repeat((4 << 20) + 1));
        assertThat(problems("include \"large.conf\""))
                .containsExactly("main.conf:1:9: include: \"large.conf\" larger than 4 MiB"
                        + " (expected: a file that can be read)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    a = sec&ret               | 2 | quotes around a text with special characters
                    a secret = 1 = 2          | 2 | a comma or a new line
                    a = ${secret              | 2 | } at the end of ${
                    a = "\\secret"            | 2 | \\\\ for a backslash in a quoted text
                    a = 1 }                   | 2 | no } without a {
                    a = [1 }                  | 2 | ] or a comma
                    secret                    | 2 | =, : or { after a name
                    include secret            | 2 | include "a file"
                    = secret                  | 2 | a name, or ) at the end of an include
                    a = }                     | 2 | a value
                    """)
    void aSyntaxErrorIsSaidWithoutShowingTheText(String text, int line, String rule) {
        assertThat(refusal("\n" + text))
                .containsExactly("main.conf:" + line + ": file: a syntax error (expected: " + rule + ")");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "a { b = 1                              | 1:3 | a block that does not end | } at its end",
                "a {; b {; c = 1; };                    | 1:3 | a block that does not end | } at its end",
                "a {;  b {;   c = 1; };d = 2            | 2:5 | a block that does not end | } at its end",
                "a { x = \"}\" # };b = 1                 | 1:3 | a block that does not end | } at its end",
                "a = 1;b.url = http://secret            | 2:9 | an address without quotes | quotes around it",
                "a { url = ws://secret }                | 1:11 | an address without quotes | quotes around it",
                "a { url = \"http://secret };b = 1       | 1:11 | a text that does not end | a closing quote on the same line",
                "a = \"secret                            | 1:5 | a text that does not end | a closing quote on the same line",
                "a { hosts = [secret:80, b] }           | 1:14 | an address without quotes | quotes around it",
                "a { host = secret:6379, b = 1 }        | 1:12 | an address without quotes | quotes around it",
            })
    void theCommonestMistakesAreSaidWhereTheyBegin(String text, String place, String seen, String rule) {
        assertThat(refusal(text.replace(';', '\n')))
                .containsExactly("main.conf:" + place + ": file: " + seen + " (expected: " + rule + ")");
    }

    @Test
    void aBrokenTextOfOneHugeLineIsReadOnce() {
        assertThat(refusal("a {" + "b {},".repeat(300_000)))
                .containsExactly("main.conf:1:3: file: a block that does not end (expected: } at its end)");
    }

    @Test
    void bracketsWithoutEndAreRejected() {
        assertThat(refusal("a = " + "[".repeat(200_000)))
                .containsExactly("main.conf:1: file: nested too deeply (expected: fewer brackets)");
    }

    @Test
    void aListIsNoConfiguration() {
        assertThat(refusal("[1]"))
                .containsExactly("main.conf:1: file: parts that do not go together"
                        + " (expected: texts, lists or blocks, not mixed)");
    }
}
