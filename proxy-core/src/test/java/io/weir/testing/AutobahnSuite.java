package io.weir.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The Autobahn test suite for WebSocket servers, run by Jython as a program of its own. Immutable. */
public final class AutobahnSuite {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String AGENT = "weir";
    private static final Pattern ANNOUNCED = Pattern.compile("Ok, will run (\\d+) test cases");

    private final Path folder;

    /**
     * The suite as the build has copied it.
     *
     * @param folder for its reports; empty
     */
    public AutobahnSuite(Path folder) {
        this.folder = folder;
    }

    /**
     * What the suite says of a case.
     *
     * @param behavior of the server: {@code OK}, {@code NON-STRICT}, {@code INFORMATIONAL} or a failure
     * @param close how the connection ended, likewise
     */
    public record Verdict(String behavior, String close) {

        /** What it should be. */
        public static final Verdict OK = new Verdict("OK", "OK");
    }

    /** Runs these cases, such as {@code 6.*}, against a server; gives a verdict for each or fails. */
    public Map<String, Verdict> run(URI server, List<String> cases, Duration timeout) throws IOException {
        Path reports = folder.resolve("reports");
        Path specification =
                Files.writeString(folder.resolve("specification.json"), specification(server, cases, reports));
        try (ChildProcess process = ChildProcess.start("autobahn", folder, Map.of(), command(specification))) {
            int exitCode = process.awaitExit(timeout);
            Path index = reports.resolve("index.json");
            if (exitCode != 0 || !Files.exists(index)) {
                throw new AssertionError("autobahn: exit code " + exitCode + process.told());
            }
            int announced = Integer.parseInt(
                    process.awaitLine(ANNOUNCED, Duration.ofSeconds(60)).group(1));
            Map<String, Verdict> verdicts = verdicts(index);
            if (verdicts.size() != announced) {
                throw new AssertionError(
                        "cases: " + verdicts.size() + " (expected: " + announced + ")" + process.told());
            }
            return verdicts;
        }
    }

    private static String specification(URI server, List<String> cases, Path reports) {
        Map<String, Object> patience =
                Map.of("openHandshakeTimeout", 20, "closeHandshakeTimeout", 20, "serverConnectionDropTimeout", 20);
        return JSON.writeValueAsString(Map.of(
                "options", Map.of("failByDrop", false, "version", 18),
                "outdir", reports.toString(),
                "servers", List.of(Map.of("agent", AGENT, "url", server.toString(), "options", patience)),
                "cases", cases,
                "exclude-cases", List.of(),
                "exclude-agent-cases", Map.of()));
    }

    private static List<String> command(Path specification) throws IOException {
        Path test = Checkout.find().root().resolve("proxy-core");
        String java = ProcessHandle.current().info().command().orElse("java");
        return List.of(
                java,
                "-Xmx1g",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dpython.cachedir.skip=true",
                "-cp",
                jars(test.resolve("target/autobahn")),
                "org.python.util.jython",
                test.resolve("src/test/resources/autobahn/wstest.py").toString(),
                specification.toString());
    }

    private static String jars(Path folder) throws IOException {
        assumeTrue(
                Files.isDirectory(folder),
                "proxy-core/target/autobahn is missing: mvn -pl proxy-core -am verify brings the suite's jars");
        try (var files = Files.list(folder)) {
            return files.map(Path::toString).sorted().collect(Collectors.joining(System.getProperty("path.separator")));
        }
    }

    private static Map<String, Verdict> verdicts(Path index) throws IOException {
        Map<String, Verdict> verdicts = new TreeMap<>();
        JsonNode cases =
                JSON.readTree(Files.readString(index, StandardCharsets.UTF_8)).required(AGENT);
        for (Map.Entry<String, JsonNode> one : cases.properties()) {
            String behavior = one.getValue().required("behavior").asString();
            String close = one.getValue().required("behaviorClose").asString();
            verdicts.put(one.getKey(), new Verdict(behavior, close));
        }
        return verdicts;
    }
}
