package io.weir.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Runs of scripts with clients in Python, which say their steps as the scripts of {@link NodeScript} do. */
public final class PythonScript {

    /** Names the Python that has the packages. */
    private static final String VARIABLE = "WEIR_PYTHON";

    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private PythonScript() {}

    /**
     * Runs a script to its end, which must be a good one. Without the package the test is skipped.
     *
     * @param folder of the script, below the root of the checkout
     * @param module the package's name in Python
     */
    public static NodeScript run(String folder, String module, String script, String... arguments) {
        Path place = Checkout.find().root().resolve(folder);
        String python = python();
        assumeTrue(
                isGood(place, List.of(python, "-c", "import " + module)),
                () -> python + " has no " + module + ": .ci/tools makes one that has, or " + VARIABLE + " names it");
        List<String> command =
                Stream.concat(Stream.of(python, script), Stream.of(arguments)).toList();
        return NodeScript.runProgram(script, place, command);
    }

    private static String python() {
        String named = System.getenv(VARIABLE);
        if (named != null) {
            return named;
        }
        Path made = Machine.toolsFolder().resolve("python/bin/python");
        if (Files.isExecutable(made)) {
            return made.toString();
        }
        Machine.assumeProgram("python3", "apt-get install python3");
        return "python3";
    }

    private static boolean isGood(Path folder, List<String> command) {
        try (ChildProcess process = ChildProcess.start("python", folder, Map.of(), command)) {
            return process.awaitExit(TIMEOUT) == 0;
        }
    }
}
