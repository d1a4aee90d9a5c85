package io.weir.metrics.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.metrics.Meter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The files for Prometheus and Grafana follow the catalogue of meters. */
@Tag("rules")
class MonitoringFilesTest {

    private static final Path FOLDER = Path.of("..", "conf", "monitoring");
    private static final String RULES = "prometheus-rules.yaml";
    private static final String DASHBOARD = "grafana-dashboard.json";
    private static final Path PAGE = Path.of("..", "conf", "operations.md");

    private static final Pattern NAME = Pattern.compile("\\bweir_\\w+");
    private static final Pattern SELECTOR = Pattern.compile("\\b(weir_\\w+)(?:\\{([^}]*)})?");
    private static final Pattern MATCHER = Pattern.compile("(\\w+)(?:=~|!~|!=|=)\"([^\"]*)\"");

    private static final Map<String, Meter> EXPORTED = Stream.of(Meter.values())
            .collect(Collectors.toMap(
                    meter -> meter.exportedName() + (meter.kind() == Meter.Kind.TIMER ? "_bucket" : ""),
                    Function.identity()));

    private static String committed(String name) throws IOException {
        return Files.readString(FOLDER.resolve(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {RULES, DASHBOARD})
    void theCommittedFilesAreThoseOfTheCatalogue(String name) throws IOException {
        String generated = name.equals(RULES) ? AlertRules.text() : Dashboard.text();
        Path made = Files.createDirectories(Path.of("target", "monitoring")).resolve(name);
        Files.writeString(made, generated);
        assertThat(committed(name))
                .as("conf/monitoring/%s (expected: a copy of proxy-core/%s)", name, made)
                .isEqualTo(generated);
    }

    /** Reads the committed files themselves, so that an edit by hand is checked too. */
    @ParameterizedTest
    @ValueSource(strings = {RULES, DASHBOARD})
    void everyMetricAndLabelExists(String name) throws IOException {
        String text = committed(name).replace("\\\"", "\"");
        List<MatchResult> selectors = SELECTOR.matcher(expressions(name, text).replace(Query.BUILD, ""))
                .results()
                .toList();
        assertThat(selectors).hasSizeGreaterThan(15);
        for (MatchResult selector : selectors) {
            Meter meter = EXPORTED.get(selector.group(1));
            assertThat(meter).as(selector.group()).isNotNull();
            String matchers = selector.group(2) == null ? "" : selector.group(2);
            for (MatchResult matcher : MATCHER.matcher(matchers).results().toList()) {
                if (!matcher.group(1).equals("instance")) {
                    assertThat(meter.labels()).as(selector.group()).contains(matcher.group(1));
                    if (!matcher.group(2).startsWith("$")) {
                        assertThat(values(meter, matcher.group(1)))
                                .as(selector.group())
                                .contains(matcher.group(2).split("\\|"));
                    }
                }
            }
        }
    }

    private static String expressions(String name, String text) {
        return text.lines()
                .map(String::strip)
                .filter(line -> line.startsWith(name.equals(RULES) ? "expr: " : "\"expr\" : "))
                .collect(Collectors.joining("\n"));
    }

    /** Returns the values of a label, as the page for operators lists them. */
    private static List<String> values(Meter meter, String label) throws IOException {
        return Files.readString(PAGE)
                .lines()
                .dropWhile(line -> !(line.startsWith("#### ")
                        && line.contains("`" + meter.exportedName() + "`")
                        && line.endsWith(": `" + label + "`")))
                .skip(1)
                .takeWhile(line -> !line.startsWith("#"))
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.split("`")[1])
                .toList();
    }

    @Test
    void theDashboardShowsEveryMeter() throws IOException {
        JsonNode root = JsonMapper.shared().readTree(committed(DASHBOARD));
        TreeSet<String> shown = new TreeSet<>();
        root.findValues("expr")
                .forEach(query -> NAME.matcher(query.asString()).results().forEach(name -> shown.add(name.group())));
        assertThat(shown.remove(Query.BUILD)).isTrue();
        assertThat(shown).containsExactlyInAnyOrderElementsOf(EXPORTED.keySet());
        assertThat(root.findValues("id").stream().map(JsonNode::asInt)).doesNotHaveDuplicates();
    }

    @Test
    void eachAlertIsInTheTableForOperators() throws IOException {
        List<String> listed = Pattern.compile("`(Weir\\w+)`")
                .matcher(Files.readString(PAGE))
                .results()
                .map(name -> name.group(1))
                .toList();
        assertThat(AlertRules.all()).extracting(AlertRules.Alert::name).containsExactlyInAnyOrderElementsOf(listed);
    }

    @Test
    void eachAlertHasANameOfItsOwnAndAPlaceToLook() {
        assertThat(AlertRules.all()).extracting(AlertRules.Alert::name).doesNotHaveDuplicates();
        assertThat(AlertRules.all())
                .allSatisfy(alert -> assertThat(alert.name()).matches("Weir[A-Z]\\w+"))
                .allSatisfy(alert -> assertThat(alert.action()).endsWith("."));
    }

    @Test
    void aQueryAboutALabelThatDoesNotExistIsRefused() {
        assertThatThrownBy(() -> Query.rate(Meter.CALLS, "upstream=\"a\"", "5m", "network"))
                .hasMessageContaining("label upstream");
        assertThatThrownBy(() -> Query.gauge("max", Meter.HEAD, "", "method")).hasMessageContaining("label method");
        assertThatThrownBy(() -> Query.gauge(Meter.CALLS, "")).hasMessageContaining("expected: GAUGE");
    }
}
