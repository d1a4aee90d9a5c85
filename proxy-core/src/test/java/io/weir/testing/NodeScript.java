package io.weir.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A run of a script that uses a real client, from the folder of the npm packages. Immutable. */
public final class NodeScript {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String OWN_FOLDER = "proxy-core/src/test/npm";
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private final Map<String, JsonNode> steps;

    private NodeScript(Map<String, JsonNode> steps) {
        this.steps = steps;
    }

    /** Runs a script to its end, which must be a good one; where its packages are not installed, the test is aborted. */
    public static NodeScript run(String script, String... arguments) {
        return runIn(OWN_FOLDER, script, arguments);
    }

    /** Skips the test where scripts cannot run. Tests that run one on another thread call it first. */
    public static void require() {
        required(OWN_FOLDER);
    }

    private static Path required(String folder) {
        Machine.assumeProgram("node", "apt-get install nodejs");
        Path npm = Checkout.find().root().resolve(folder);
        assumeTrue(
                Files.isRegularFile(npm.resolve("node_modules/.package-lock.json")),
                "the npm packages are not installed: run `npm ci` in " + folder);
        return npm;
    }

    /**
     * As above, with packages of another folder.
     *
     * @param folder below the root of the checkout
     */
    public static NodeScript runIn(String folder, String script, String... arguments) {
        Path npm = required(folder);
        List<String> command = new ArrayList<>(List.of("node", script));
        command.addAll(List.of(arguments));
        return runProgram(script, npm, command);
    }

    /** Runs another program that says its steps likewise, to its end, which must be a good one. */
    public static NodeScript runProgram(String name, Path folder, List<String> command) {
        try (ChildProcess process = ChildProcess.start(name, folder, Map.of("NO_COLOR", "1"), command)) {
            assertThat(process.awaitExit(TIMEOUT))
                    .as("exit code" + process.told())
                    .isZero();
            Map<String, JsonNode> steps = new LinkedHashMap<>();
            for (String line : process.out()) {
                JsonNode step = JSON.readTree(line);
                steps.put(step.required("step").asString(), step.required("value"));
            }
            return new NodeScript(steps);
        }
    }

    /** What a step saw. */
    public JsonNode saw(String step) {
        assertThat(steps).containsKey(step);
        return steps.get(step);
    }

    /** What a step saw, as text: a number's digits, a text as it is. */
    public String text(String step) {
        return saw(step).asString();
    }
}
