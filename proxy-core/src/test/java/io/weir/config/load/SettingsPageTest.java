package io.weir.config.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import io.weir.config.hocon.InvalidConfigException;
import io.weir.metrics.Meter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page that describes every setting, held against the reference with every default. */
@Tag("rules")
class SettingsPageTest {

    private static final Path PAGE = Path.of("..", "conf", "settings.md");
    private static final Pattern ENTRY = Pattern.compile("(?m)^### ([a-z][a-z0-9.-]+)\\n\\n((?:- .+\\n)+)");
    private static final Pattern SHAPE = Pattern.compile("""
            - \\*\\*Type:\\*\\* .+
            - \\*\\*Default:\\*\\* (?:`(?<default>.+)`|–)
            (?:- \\*\\*Range:\\*\\* (?<range>.+)
            )?- \\*\\*Effect:\\*\\* .+\\.
            - \\*\\*Change it:\\*\\* .+\\.
            (?:- \\*\\*Metric:\\*\\* (?<meters>`weir_\\w+`(?:, `weir_\\w+`)*)
            )?""");

    private static final Pattern RANGE =
            Pattern.compile("`?([0-9,]+)( [A-Za-z]+)?`? to `?([0-9,]*[0-9])( [A-Za-z]+(?=`))?.*");

    private static final Pattern WORDS = Pattern.compile("- \\*\\*Type:\\*\\* ((?:`[a-z-]+`(?:, | or )?)+)\\n");

    @TempDir
    private Path folder;

    /** The entries' lists, by setting. */
    private static Map<String, String> entries() throws IOException {
        Map<String, String> entries = new LinkedHashMap<>();
        for (MatchResult entry : ENTRY.matcher(Files.readString(PAGE)).results().toList()) {
            assertThat(entries.put(entry.group(1), entry.group(2)))
                    .as("a second entry of " + entry.group(1))
                    .isNull();
        }
        return entries;
    }

    @Test
    void everySettingHasAnEntryOfOneShapeWithItsDefault() throws IOException {
        Map<String, String> described = new LinkedHashMap<>();
        entries().forEach((path, list) -> {
            var shape = SHAPE.matcher(list);
            assertThat(shape.matches())
                    .as(
                            "%s in conf/settings.md (expected: Type, Default, Range, Effect, Change it, Metric):%n%s",
                            path, list)
                    .isTrue();
            described.put(path, String.valueOf(shape.group("default")));
        });
        Map<String, String> defaults = new LinkedHashMap<>();
        leaves("", ConfigLoader.reference()).forEach((path, value) -> defaults.put(path, text(value)));
        // Where the entries of maps come from: described as blocks, not as settings.
        defaults.keySet().removeAll(List.of("networks", "access.keys"));
        assertThat(described).containsExactlyInAnyOrderEntriesOf(defaults);
    }

    @Test
    void everyRangeIsThatOfTheCode() throws Exception {
        int ranges = 0;
        for (Map.Entry<String, String> entry : entries().entrySet()) {
            String path = entry.getKey();
            var shape = SHAPE.matcher(entry.getValue());
            assertThat(shape.matches()).as(path).isTrue();
            var range = RANGE.matcher(String.valueOf(shape.group("range")));
            if (range.matches()) {
                ranges++;
                long least = Long.parseLong(range.group(1).replace(",", ""));
                long most = Long.parseLong(range.group(3).replace(",", ""));
                String leastUnit = Objects.requireNonNullElse(range.group(2), "");
                String mostUnit = Objects.requireNonNullElse(range.group(4), "");
                assertThat(isRefused(path, least + leastUnit))
                        .as(path + " at least " + least)
                        .isFalse();
                assertThat(isRefused(path, (least - 1) + leastUnit))
                        .as(path + " below " + least)
                        .isTrue();
                assertThat(isRefused(path, most + mostUnit))
                        .as(path + " at most " + most)
                        .isFalse();
                assertThat(isRefused(path, (most + 1) + mostUnit))
                        .as(path + " above " + most)
                        .isTrue();
            }
        }
        assertThat(ranges).isGreaterThan(70);
    }

    private boolean isRefused(String path, String value) throws Exception {
        // A burst needs a rate.
        String beside = path.endsWith(".burst") ? path.replaceFirst("burst$", "calls-per-second = 1\n") : "";
        Path file = Files.writeString(
                folder.resolve("range.conf"),
                "networks.a { chain-id = 1, upstreams.n.url = \"http://10.0.0.1\" }\n" + beside + path + " = " + value
                        + "\n");
        try {
            ConfigLoader.load(file, Map.of());
            return false;
        } catch (InvalidConfigException e) {
            assertThat(e.lines()).as(path + " = " + value).allMatch(line -> line.contains(" " + path + ": "));
            return true;
        }
    }

    @Test
    void aTypeOfWordsListsThoseThatTheProxyTakes() throws IOException {
        int lists = 0;
        for (Map.Entry<String, String> entry : entries().entrySet()) {
            var type = WORDS.matcher(entry.getValue());
            if (type.lookingAt()) {
                lists++;
                List<String> rules = TextConfig.rules(entry.getKey() + " = nonsense");
                assertThat(rules).as(entry.getKey()).isNotEmpty();
                assertThat(rules)
                        .allSatisfy(rule -> assertThat(rule.replaceFirst(".*expected: (one of )?", "")
                                        .replaceFirst("[;)].*", "")
                                        .split(", | or "))
                                .containsExactlyInAnyOrder(
                                        type.group(1).replace("`", "").split(", | or ")));
            }
        }
        assertThat(lists).isGreaterThan(15);
    }

    @Test
    void everyMetricOfAnEntryIsOneOfTheProxy() throws IOException {
        List<String> exported =
                Stream.of(Meter.values()).map(Meter::exportedName).toList();
        List<String> named = new ArrayList<>();
        Pattern.compile("`(weir_\\w+?)(?:\\{.*?})?`")
                .matcher(Files.readString(PAGE))
                .results()
                .forEach(name -> named.add(name.group(1)));
        assertThat(named).isNotEmpty().isSubsetOf(exported);
    }

    @Test
    void everySettingOfTheReferenceHasAComment() {
        List<String> bare = new ArrayList<>();
        leaves("", ConfigLoader.reference()).forEach((path, value) -> {
            if (value.origin().comments().isEmpty()) {
                bare.add(path);
            }
        });
        assertThat(bare).isEmpty();
    }

    private static Map<String, ConfigValue> leaves(String prefix, ConfigObject block) {
        Map<String, ConfigValue> leaves = new LinkedHashMap<>();
        block.forEach((name, value) -> {
            if (value instanceof ConfigObject inner && !inner.isEmpty()) {
                leaves.putAll(leaves(prefix + name + ".", inner));
            } else {
                leaves.put(prefix + name, value);
            }
        });
        return leaves;
    }

    private static String text(ConfigValue value) {
        boolean structured = value instanceof ConfigObject || value instanceof ConfigList;
        return structured || value.valueType() == ConfigValueType.NULL
                ? value.render(ConfigRenderOptions.concise())
                : value.atKey("v").getString("v");
    }
}
