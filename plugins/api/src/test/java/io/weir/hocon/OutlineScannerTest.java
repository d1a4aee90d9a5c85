package io.weir.hocon;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import io.weir.hocon.Outline.Entry;
import io.weir.hocon.Outline.Include;
import io.weir.hocon.Outline.Item;
import io.weir.hocon.Outline.Spot;
import io.weir.hocon.Outline.Substitution;
import io.weir.hocon.Outline.Target;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutlineScannerTest {

    private static List<Item> scan(String text) {
        return OutlineScanner.scan(text).items();
    }

    private static Entry entry(String text, String... path) {
        return scan(text).stream()
                .filter(Entry.class::isInstance)
                .map(Entry.class::cast)
                .filter(entry -> entry.path().equals(List.of(path)) && entry.value() != null)
                .findFirst()
                .orElseThrow(() -> new AssertionError("not found: " + List.of(path) + " in " + scan(text)));
    }

    @Test
    void aNameAndItsValueHavePlaces() {
        assertThat(scan("\n  a = 5 MiB # comment\n"))
                .containsExactly(new Entry(List.of("a"), new Spot(2, 3), new Spot(2, 7), "5 MiB", false));
    }

    @Test
    void eachNameOfADottedKeyHasItsPlace() {
        assertThat(scan("a.\"b.c\".d : x"))
                .containsExactly(
                        new Entry(List.of("a"), new Spot(1, 1), null, "", false),
                        new Entry(List.of("a", "b.c"), new Spot(1, 3), null, "", false),
                        new Entry(List.of("a", "b.c", "d"), new Spot(1, 9), new Spot(1, 13), "x", false));
    }

    @Test
    void blocksOnOneLineAndOverSeveralAreWalked() {
        String text = "a { b = 1, c { d = 2 } }\ne =\n{\n f = [ x,\n  \"y, z\" ]\n}";
        assertThat(entry(text, "a", "b").value()).isEqualTo(new Spot(1, 9));
        assertThat(entry(text, "a", "c", "d").value()).isEqualTo(new Spot(1, 20));
        assertThat(entry(text, "e").value()).isEqualTo(new Spot(3, 1));
        assertThat(entry(text, "e", "f", "0").value()).isEqualTo(new Spot(4, 8));
        assertThat(entry(text, "e", "f", "1"))
                .isEqualTo(new Entry(List.of("e", "f", "1"), new Spot(5, 3), new Spot(5, 3), "\"y, z\"", false));
    }

    @Test
    void quotedTextsAndCommentsHideWhatIsInThem() {
        String text = "a = \"} # \\\" ${x}\" // b = 1\n# c = ${y}\nd = \"\"\"\n{ include \"z\" \"\"\"\"\ne = 1";
        assertThat(scan(text).stream().filter(item -> !(item instanceof Entry))).isEmpty();
        assertThat(entry(text, "a").text()).isEqualTo("\"} # \\\" ${x}\"");
        assertThat(entry(text, "e").value()).isEqualTo(new Spot(5, 5));
    }

    @Test
    void substitutionsAreFoundWithWhatTheyStandIn() {
        assertThat(scan("a { b = [x, \"p\"${?N}\"q\"], c = pre${ s.t } }").stream()
                        .filter(Substitution.class::isInstance))
                .containsExactly(
                        new Substitution(List.of("a", "b"), List.of("N"), true, new Spot(1, 16)),
                        new Substitution(List.of("a", "c"), List.of("s", "t"), false, new Spot(1, 34)));
        assertThat(entry("a = [${N}]", "a").substituted()).isFalse();
        assertThat(entry("a = [${N}]", "a", "0").substituted()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "include \"f\\u0021\"",
                "include\"f!\"",
                "include  file(\"f!\")",
                "include required(\"f!\")",
                "include required(file( \"f!\" ) )"
            })
    void includesOfFilesAreFound(String include) {
        assertThat(scan("a {\n" + include + "\nb = 1 }\nincluded = 2").stream().filter(Include.class::isInstance))
                .containsExactly(new Include(List.of("a"), Target.FILE, "f!", new Spot(2, 1 + include.indexOf('"'))));
        assertThat(entry("a {\n" + include + "\nb = 1 }\nincluded = 2", "a", "b")
                        .key())
                .isEqualTo(new Spot(3, 1));
    }

    @Test
    void includesOfOtherThingsAreFound() {
        assertThat(scan("include url(\"http://x\")\ninclude required(classpath(\"y\"))"))
                .extracting(item -> ((Include) item).target())
                .containsExactly(Target.URL, Target.CLASSPATH);
    }

    @Test
    void theBracesAroundAFileMayBeThere() {
        assertThat(entry("\uFEFF # c\n{ a : 1 }", "a").value()).isEqualTo(new Spot(2, 7));
    }

    @RepeatedTest(50)
    void everyValueIsFoundOnTheLineThatTheParserNames(RepetitionInfo repetition) {
        long seed = 20_240_000L + repetition.getCurrentRepetition();
        String text = new RandomHocon(seed).text();
        Map<List<String>, List<Entry>> scanned = new HashMap<>();
        for (Item item : scan(text)) {
            if (item instanceof Entry entry && entry.value() != null) {
                scanned.computeIfAbsent(entry.path(), path -> new ArrayList<>()).add(entry);
            }
        }
        Config config = ConfigFactory.parseString(text);
        assertThat(config.root()).as("seed %d:%n%s", seed, text).isNotEmpty();
        check(List.of(), config.root(), scanned, "seed " + seed + ":\n" + text);
    }

    private static void check(
            List<String> path, ConfigValue value, Map<List<String>, List<Entry>> scanned, String seed) {
        if (value instanceof ConfigObject block) {
            block.forEach((name, inner) -> check(with(path, name), inner, scanned, seed));
        } else {
            assertThat(scanned.get(path))
                    .as("%s in %s", path, seed)
                    .isNotNull()
                    .anyMatch(entry -> entry.isOnLine(value.origin().lineNumber()));
            if (value instanceof ConfigList list) {
                for (int i = 0; i < list.size(); i++) {
                    check(with(path, Integer.toString(i)), list.get(i), scanned, seed);
                }
            }
        }
    }

    private static List<String> with(List<String> path, String name) {
        List<String> longer = new ArrayList<>(path);
        longer.add(name);
        return longer;
    }

    /** HOCON of all kinds that the parser accepts, different for each seed. */
    private static final class RandomHocon {

        private static final List<String> KEYS =
                List.of("a", "b-c", "d.e", "\"f.g\"", "h.\"i j\".k", "include-not", "\"\\\"q\"", "l m");
        private static final List<String> SCALARS = List.of(
                "1",
                "5 MiB",
                "text",
                "\"quoted # } , \\\" \"",
                "two words",
                "\"\"\"many\n\"lines\" {\n\"\"\"",
                "null",
                "-1.5");
        private static final List<String> ENDS = List.of("\n", ",\n", " # note, } ]\n", " // note\n", "\r\n", "\n\n\n");

        private final Random random;
        private final StringBuilder text = new StringBuilder();

        RandomHocon(long seed) {
            random = new Random(seed);
        }

        String text() {
            fields(3);
            return text.toString();
        }

        private String one(List<String> of) {
            return of.get(random.nextInt(of.size()));
        }

        private void fields(int depth) {
            int count = 1 + random.nextInt(5);
            for (int i = 0; i < count; i++) {
                text.append(" ".repeat(random.nextInt(4))).append(one(KEYS));
                if (depth > 0 && random.nextInt(3) == 0) {
                    text.append(one(List.of(" {", "{\n", " = {\n", ":{", "\n{")));
                    fields(depth - 1);
                    text.append("}");
                } else {
                    text.append(one(List.of("=", " = ", " : ", " =\n  ")));
                    value(depth);
                }
                text.append(one(ENDS));
            }
        }

        private void value(int depth) {
            if (depth == 0 || random.nextInt(4) > 0) {
                text.append(one(SCALARS));
                return;
            }
            text.append(one(List.of("[", "[\n", "[ # list\n")));
            int count = random.nextInt(4);
            for (int i = 0; i < count; i++) {
                value(depth - 1);
                text.append(one(List.of(",", ", ", "\n", ",\n")));
            }
            text.append("]");
        }
    }
}
