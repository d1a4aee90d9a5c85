package io.weir.config.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.config.AccessConfig.KeyConfig;
import io.weir.config.NetworkConfig;
import io.weir.config.TlsConfig.KeyFiles;
import io.weir.config.UpstreamConfig;
import io.weir.config.WeirConfig;
import io.weir.hocon.InvalidConfigException;
import io.weir.metrics.Meter;
import io.weir.testing.DeclaredSettings;
import io.weir.testing.DeclaredSettings.Declared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The reference with every default, and the page that describes every setting, are printed from the declarations. The property {@code
 * weir.print} prints them anew.
 */
@Tag("rules")
class SettingsPageTest {

    private static final Path PAGE = Path.of("..", "conf", "settings.md");
    private static final Path REFERENCE = Path.of("src", "main", "resources", "reference.conf");
    private static final int WIDTH = 138;
    /** The records of the entries of maps, by the block with their defaults. */
    private static final Map<String, Class<? extends Record>> ENTRIES = new LinkedHashMap<>();

    static {
        ENTRIES.put("network", NetworkConfig.class);
        ENTRIES.put("upstream", UpstreamConfig.class);
        ENTRIES.put("certificate", KeyFiles.class);
        ENTRIES.put("key", KeyConfig.class);
    }

    private static final Pattern RANGE = Pattern.compile("([0-9]+)( [A-Za-z]+)? to ([0-9]+)( [A-Za-z]+)?");

    @TempDir
    private Path folder;

    /** Returns all settings, those of {@code defaults} last. */
    static List<Declared> all() {
        List<Declared> all = new ArrayList<>(DeclaredSettings.of(WeirConfig.class, false));
        List<Declared> defaults = new ArrayList<>();
        ENTRIES.forEach((name, type) -> {
            // Upstreams have defaults of their own, beside those of networks.
            List<Declared> settings = DeclaredSettings.of(type, false).stream()
                    .filter(setting -> !setting.name().equals("upstreams"))
                    .toList();
            defaults.add(new Declared(name, "Of each " + name + ".", "", "", settings));
        });
        all.add(new Declared(
                "defaults",
                "Defaults of entries of maps. The configuration file may override them here too.",
                "",
                "",
                defaults));
        return all;
    }

    private static Map<String, Declared> settings() {
        return DeclaredSettings.leaves("", all());
    }

    /** Returns the text of {@code reference.conf}. */
    private static String reference() {
        StringBuilder text = new StringBuilder("""
                # Every setting of the proxy with its default, printed from the declarations in io.weir.config. The configuration file overrides
                # this file. Networks, upstreams, certificates and API keys have no defaults of their own: their entries take those below `defaults`.
                """);
        print(all(), "", text);
        return text.toString();
    }

    private static void print(List<Declared> settings, String indent, StringBuilder text) {
        for (Declared setting : settings) {
            if (indent.isEmpty()) {
                text.append('\n');
            }
            comment(setting.about(), indent, text);
            text.append(indent).append(setting.name());
            if (setting.isBlock()) {
                text.append(" {\n");
                print(setting.inner(), indent + "  ", text);
                text.append(indent).append("}\n");
            } else if (setting.value().equals("{}")) {
                text.append(" {}\n");
            } else {
                text.append(" = ").append(setting.value()).append('\n');
            }
        }
    }

    private static void comment(String about, String indent, StringBuilder text) {
        StringBuilder line = new StringBuilder(indent).append('#');
        for (String word : about.split(" ", -1)) {
            if (line.length() + 1 + word.length() > WIDTH) {
                text.append(line).append('\n');
                line = new StringBuilder(indent).append('#');
            }
            line.append(' ').append(word);
        }
        text.append(line).append('\n');
    }

    @Test
    void theReferenceIsPrintedFromTheDeclarations() throws IOException {
        DeclaredSettings.assertPrinted(REFERENCE, reference());
    }

    @Test
    void theTablesOfThePageArePrintedFromTheDeclarations() throws IOException {
        DeclaredSettings.assertPrinted(PAGE, DeclaredSettings.page(Files.readString(PAGE), settings()));
    }

    @Test
    void everySettingIsInOneTableOfThePage() throws IOException {
        String page = Files.readString(PAGE);
        List<String> blocks = Pattern.compile("<!-- settings: (.*) -->")
                .matcher(page)
                .results()
                .map(found -> found.group(1))
                .toList();

        assertThat(settings().keySet())
                .filteredOn(path -> !List.of("networks", "access.keys").contains(path))
                .allSatisfy(path -> assertThat(
                                blocks.stream().filter(block -> path.equals(block) || path.startsWith(block + '.')))
                        .as(path)
                        .hasSize(1));
    }

    @Test
    void everyAboutIsOneOrTwoSentences() {
        assertThat(settings())
                .allSatisfy((path, setting) ->
                        assertThat(setting.about()).as(path).endsWith(".").hasSizeLessThan(330));
    }

    @Test
    void everyRangeIsKept() throws Exception {
        int ranges = 0;
        for (Map.Entry<String, Declared> setting : settings().entrySet()) {
            var range = RANGE.matcher(setting.getValue().values());
            if (range.matches()) {
                ranges++;
                String path = setting.getKey();
                long least = Long.parseLong(range.group(1));
                long most = Long.parseLong(range.group(3));
                String leastUnit = range.group(2) == null ? "" : range.group(2);
                String mostUnit = range.group(4) == null ? "" : range.group(4);
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
        assertThat(ranges).isGreaterThan(40);
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
    void everyDefaultIsAllowed() throws Exception {
        Path file = Files.writeString(
                folder.resolve("defaults.conf"),
                "networks.a { chain-id = 1, upstreams.n.url = \"http://10.0.0.1\" }\n"
                        + Files.readString(REFERENCE)
                                .replace("\nnetworks {}\n", "\n")
                                // Written in a file, it begins at the folder of the file.
                                .replace("data = \"data/plugins\"", ""));

        assertThat(ConfigLoader.load(file, Map.of()).config())
                .isEqualTo(ConfigLoader.load(
                                Files.writeString(
                                        folder.resolve("none.conf"),
                                        "networks.a { chain-id = 1, upstreams.n.url = \"http://10.0.0.1\" }\n"),
                                Map.of())
                        .config());
    }

    @Test
    void everyMetricOfThePageIsOneOfTheProxy() throws IOException {
        List<String> exported =
                Stream.of(Meter.values()).map(Meter::exportedName).toList();
        List<String> named = new ArrayList<>();
        for (MatchResult name : Pattern.compile("`(weir_\\w+?)(?:\\{.*?})?`")
                .matcher(Files.readString(PAGE))
                .results()
                .toList()) {
            named.add(name.group(1));
        }
        assertThat(named).isSubsetOf(exported);
    }
}
