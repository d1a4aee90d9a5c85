package io.weir.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.testing.Checkout;
import io.weir.testing.ChildProcess;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.Machine;
import io.weir.testing.MarkdownBlocks;
import io.weir.testing.NodeScript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The files for Prometheus and Grafana, and the metrics of a proxy, checked by the tools of Prometheus and Grafana. */
final class MonitoringToolsIT {

    private static final Path CONF = Checkout.find().root().resolve("conf");
    private static final Path RULES = CONF.resolve("monitoring/prometheus-rules.yaml");
    private static final Path DASHBOARD = CONF.resolve("monitoring/grafana-dashboard.json");
    private static final Path ALERTS = CONF.resolve("deploy/src/test/prometheus/alerts.yaml");
    private static final Path GO = CONF.resolve("deploy/src/test/go");
    /** What Prometheus' own libraries say of each process. */
    private static final List<String> PROCESS = Stream.of(
                    "cpu_seconds_total", "start_time_seconds", "open_fds", "max_fds", "resident_memory_bytes")
            .map(name -> "\nprocess_" + name + " ")
            .toList();

    private static final Duration BUILD = Duration.ofMinutes(5);
    private static final Pattern ADMIN = Pattern.compile("admin at (http://127\\.0\\.0\\.1:\\d+)");

    @TempDir
    private Path folder;

    private static String promtool() {
        return Machine.program("promtool", "WEIR_PROMTOOL", "bin/promtool");
    }

    private static List<String> names(Path file, String pattern) throws IOException {
        return Pattern.compile(pattern)
                .matcher(Files.readString(file))
                .results()
                .map(result -> result.group(1))
                .sorted()
                .toList();
    }

    @Test
    void prometheusAcceptsTheAlertRules() {
        Unpacked.run(folder, promtool(), "check", "rules", "--lint-fatal", RULES.toString());
    }

    @Test
    void prometheusAcceptsTheSnippetOfTheGuide() throws IOException {
        List<String> snippets = MarkdownBlocks.of(CONF.resolve("README.md")).in("yaml");
        assertThat(snippets).hasSize(1);
        String snippet = snippets.get(0).replace("/opt/weir/conf", CONF.toString());
        assertThat(snippet).contains(RULES.toString());
        Path file = Files.writeString(folder.resolve("prometheus.yml"), snippet);
        Unpacked.run(folder, promtool(), "check", "config", "--lint-fatal", file.toString());
    }

    @Test
    void eachAlertFiresForAnIllProxyAndNoneForOneThatIsWell() throws IOException {
        Unpacked.run(ALERTS.getParent(), promtool(), "test", "rules", ALERTS.toString());
        assertThat(names(ALERTS, "\\{alertname=\"(\\w+)\"}")).isEqualTo(names(RULES, "- alert: (\\w+)"));
    }

    @Test
    void prometheusAcceptsTheQueriesOfTheDashboard() throws IOException {
        StringBuilder rules = new StringBuilder("groups:\n- name: dashboard\n  rules:\n");
        List<String> queries = JsonMapper.shared().readTree(DASHBOARD).findValues("expr").stream()
                .map(JsonNode::asString)
                .toList();
        assertThat(queries).hasSizeGreaterThan(50);
        for (int i = 0; i < queries.size(); i++) {
            String query = queries.get(i).replace("$__rate_interval", "5m");
            rules.append("  - record: query_%d\n    expr: '%s'\n".formatted(i, query));
        }
        Path file = Files.writeString(folder.resolve("queries.yaml"), rules);
        Unpacked.run(folder, promtool(), "check", "rules", file.toString());
    }

    @Test
    void prometheusAcceptsTheMetricsOfAProxy(@TempDir Path archive) throws IOException {
        String promtool = promtool();
        Machine.assumeProgram("setpriv", "apt-get install util-linux");
        Unpacked unpacked = new Unpacked(archive);
        try (ChildProcess proxy = unpacked.start(
                Map.of("WEIR_DATA", unpacked.writable("data").toString()),
                "run",
                "--config",
                unpacked.onFreePorts().toString())) {
            JsonRpcClient client = new JsonRpcClient(Unpacked.url(proxy));
            client.post(JsonRpcClient.call("eth_getBlockByNumber", "0x10", false));
            client.post(JsonRpcClient.call("no_such_method"));
            MatchResult admin = proxy.awaitLine(ADMIN, Unpacked.PATIENCE);
            String metrics = JsonRpcClient.get(admin.group(1) + "/metrics").body();
            assertThat(metrics)
                    .contains("weir_build_info{java=\"" + Runtime.version())
                    .contains(PROCESS);
            Path file = Files.writeString(folder.resolve("metrics"), metrics);
            List<String> lint = List.of("sh", "-c", "\"$1\" check metrics <\"$2\"", "sh", promtool, file.toString());
            try (ChildProcess check = ChildProcess.start("promtool", folder, Map.of(), lint)) {
                assertThat(check.awaitExit(Unpacked.PATIENCE)).as(check.told()).isZero();
                assertThat(check.err()).isEmpty();
            }
        }
    }

    @Test
    void theTypesOfGrafanaAcceptTheDashboard() throws IOException {
        assertThat(problems(DASHBOARD)).isEmpty();
        Path wrong = Files.writeString(
                folder.resolve("wrong.json"), Files.readString(DASHBOARD).replaceFirst("\"expr\"", "\"expression\""));
        assertThat(problems(wrong)).singleElement().asString().contains("expression");
    }

    private static List<String> problems(Path dashboard) {
        Machine.assumeProgram("go", "https://go.dev/doc/install");
        String program = Path.of("target/dashboard").toAbsolutePath().toString();
        Map<String, String> offline = Map.of("GOPROXY", "off", "GOFLAGS", "-mod=readonly");
        try (ChildProcess build =
                ChildProcess.start("go build", GO, offline, List.of("go", "build", "-o", program, "."))) {
            assumeTrue(
                    build.awaitExit(BUILD) == 0,
                    () -> "`go -C conf/deploy/src/test/go mod download` was not run, or: " + build.told());
        }
        return NodeScript.runProgram("dashboard", GO, List.of(program, dashboard.toString()))
                .saw("problems")
                .valueStream()
                .map(JsonNode::asString)
                .toList();
    }
}
