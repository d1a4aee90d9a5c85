package io.weir.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.DeclaredSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The page for operators that lists every meter says what the code does. */
@Tag("rules")
class MeterCatalogueTest {

    private static final Path PAGE = Path.of("..", "conf", "operations.md");
    private static final Pattern TABLE =
            Pattern.compile("(?s)\n## Metrics\n.*?\n\\| meter \\|[^\n]*\n\\|[-|]*\n((?-s:\\| `weir_.*\n)*)");
    private static final Pattern LABEL_ROW = Pattern.compile("\\| `(\\w+)` \\| .+ \\|");
    private static final Pattern VALUES = Pattern.compile("#### ((?:`weir_\\w+`(?:, )?)+): `(\\w+)`");

    /** The labels whose values are a fixed list in the program. */
    private static final Set<String> FIXED = Set.of("cause", "class", "code", "grade", "kind", "outcome", "reason");

    /** The lines of a section, up to the next heading of its level or above. */
    private static List<String> section(String heading) throws IOException {
        String hashes = heading.substring(0, heading.indexOf(' '));
        return Files.readString(PAGE)
                .lines()
                .dropWhile(line -> !line.equals(heading))
                .skip(1)
                .takeWhile(line -> !line.matches("#{1," + hashes.length() + "} .*"))
                .toList();
    }

    private static String row(Meter meter) {
        String labels = meter.labels().isEmpty()
                ? "none"
                : meter.labels().stream().map(label -> "`" + label + "`").collect(Collectors.joining(", "));
        String kind = meter.kind() == Meter.Kind.TIMER
                ? "histogram"
                : meter.kind().name().toLowerCase(Locale.ROOT);
        return "| `%s` | %s | %s | %s | %s |".formatted(meter.exportedName(), kind, meter.unit(), labels, meter.help());
    }

    @Test
    void theTableOfMetricsIsPrintedFromTheMeters() throws IOException {
        String page = Files.readString(PAGE);
        Matcher table = TABLE.matcher(page);
        assertThat(table.find()).as("a table under \"## Metrics\"").isTrue();
        String rows = Stream.of(Meter.values())
                .map(meter -> MeterCatalogueTest.row(meter) + '\n')
                .collect(Collectors.joining());
        DeclaredSettings.assertPrinted(PAGE, page.substring(0, table.start(1)) + rows + page.substring(table.end(1)));
    }

    @Test
    void everyLabelIsSaidToBeBoundedByWhat() throws IOException {
        Set<String> described = section("### Labels").stream()
                .takeWhile(line -> !line.startsWith("#### "))
                .map(LABEL_ROW::matcher)
                .filter(row -> row.matches())
                .map(row -> row.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(described)
                .as("the table under \"### Labels\" in conf/operations.md")
                .isEqualTo(Stream.of(Meter.values())
                        .flatMap(meter -> meter.labels().stream())
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    @Test
    void everyLabelOfFixedValuesHasATableOfThem() throws IOException {
        List<String> described = section("### Labels").stream()
                .map(VALUES::matcher)
                .filter(heading -> heading.matches())
                .flatMap(heading ->
                        Stream.of(heading.group(1).split(", ")).map(meter -> meter + ": " + heading.group(2)))
                .toList();
        assertThat(described)
                .as("the headings \"#### `meter`: `label`\" in conf/operations.md")
                .containsExactlyInAnyOrderElementsOf(Stream.of(Meter.values())
                        .flatMap(meter -> meter.labels().stream()
                                .filter(FIXED::contains)
                                .map(label -> "`" + meter.exportedName() + "`: " + label))
                        .toList());
    }
}
