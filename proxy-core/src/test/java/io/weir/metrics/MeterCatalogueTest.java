package io.weir.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page for operators that lists every meter says what the code does. */
class MeterCatalogueTest {

    private static final Path PAGE = Path.of("..", "conf", "README.md");
    private static final Pattern LABEL_ROW = Pattern.compile("\\| `((?!weir_)\\w+)` \\| [a-z].+ \\|");

    private static List<String> page() throws IOException {
        return Files.readString(PAGE)
                .lines()
                .dropWhile(line -> !line.equals("## Meters"))
                .skip(1)
                .takeWhile(line -> !line.startsWith("## "))
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
    void everyMeterHasItsRowAndNoRowIsOfAnother() throws IOException {
        List<String> expected =
                Stream.of(Meter.values()).map(MeterCatalogueTest::row).toList();
        assertThat(page().stream().filter(line -> line.startsWith("| `weir_")))
                .as(
                        "the table under \"## Meters\" in conf/README.md; it should read:\n%s\n",
                        String.join("\n", expected))
                .containsExactlyElementsOf(expected);
    }

    @Test
    void everyLabelIsSaidToBeBoundedByWhat() throws IOException {
        Set<String> described = page().stream()
                .map(LABEL_ROW::matcher)
                .filter(row -> row.matches())
                .map(row -> row.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(described)
                .as("the table of labels under \"## Meters\" in conf/README.md")
                .isEqualTo(Stream.of(Meter.values())
                        .flatMap(meter -> meter.labels().stream())
                        .collect(Collectors.toCollection(TreeSet::new)));
    }
}
