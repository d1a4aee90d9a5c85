package io.weir.config.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.config.hocon.InvalidConfigException;
import io.weir.config.load.DeclaredSettings.Declared;
import io.weir.metrics.Meter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
    private static final Pattern RANGE = Pattern.compile("([0-9]+)( [A-Za-z]+)? to ([0-9]+)( [A-Za-z]+)?");

    @TempDir
    private Path folder;

    private static Map<String, Declared> settings() {
        return DeclaredSettings.leaves("", DeclaredSettings.all());
    }

    private static void assertPrinted(Path file, String text) throws IOException {
        if (Boolean.getBoolean("weir.print")) {
            Files.writeString(file, text);
        }
        assertThat(Files.readString(file))
                .as("%s is printed: mvn -Prules -Dweir.print=true test", file)
                .isEqualTo(text);
    }

    @Test
    void theReferenceIsPrintedFromTheDeclarations() throws IOException {
        assertPrinted(REFERENCE, DeclaredSettings.reference());
    }

    @Test
    void theTablesOfThePageArePrintedFromTheDeclarations() throws IOException {
        assertPrinted(PAGE, DeclaredSettings.page(Files.readString(PAGE)));
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
                        + Files.readString(REFERENCE).replace("\nnetworks {}\n", "\n"));

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
