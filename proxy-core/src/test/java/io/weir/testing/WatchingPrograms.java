package io.weir.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Programs with clients in other languages, which say their steps as the scripts of {@link NodeScript} do. */
public final class WatchingPrograms {

    private static final String GO_MODULES =
            "the modules are not there: run `go -C proxy-core/src/test/go mod download`";
    private static final String WEB3J = "web3j is not there: run `mvn -f proxy-core/src/test/web3j package`";
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private WatchingPrograms() {}

    /** Runs the client of web3.py to its end; without the package the test is skipped. */
    public static NodeScript python(String... arguments) {
        return PythonScript.run("proxy-core/src/test/python", "web3", "watching.py", arguments);
    }

    /** Builds the client of geth's ethclient and runs it to its end; without Go and its modules the test is skipped. */
    public static NodeScript go(String... arguments) {
        Machine.assumeProgram("go", "https://go.dev/doc/install");
        Path folder = Checkout.find().root().resolve("proxy-core/src/test/go");
        Path program = Checkout.find().root().resolve("proxy-core/target/ethclient");
        assumeTrue(isGood(folder, List.of("go", "build", "-o", program.toString(), ".")), GO_MODULES);
        return NodeScript.runProgram("ethclient", folder, command(List.of(program.toString()), arguments));
    }

    /** Runs the client of web3j to its end; without the built program the test is skipped. */
    public static NodeScript web3j(String... arguments) {
        Path folder = Checkout.find().root().resolve("proxy-core/src/test/web3j");
        Path program = folder.resolve("target/clients.jar");
        assumeTrue(Files.isRegularFile(program) && Files.isDirectory(folder.resolve("target/lib")), WEB3J);
        String java = ProcessHandle.current().info().command().orElse("java");
        String classPath = program + File.pathSeparator + folder.resolve("target/lib/*");
        return NodeScript.runProgram(
                "web3j", folder, command(List.of(java, "-cp", classPath, "weir.clients.Watching"), arguments));
    }

    private static List<String> command(List<String> program, String... arguments) {
        return Stream.concat(program.stream(), Stream.of(arguments)).toList();
    }

    /** Returns whether a command succeeds without the network. */
    private static boolean isGood(Path folder, List<String> command) {
        try (ChildProcess process = ChildProcess.start(
                command.get(0), folder, Map.of("GOPROXY", "off", "GOFLAGS", "-mod=readonly"), command)) {
            return process.awaitExit(TIMEOUT) == 0;
        }
    }
}
