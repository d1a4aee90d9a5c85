package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.Checkout;
import io.weir.testing.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program without arguments, which no command line is made for. */
final class UsualStartIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Pattern READY = Pattern.compile("JSON-RPC at http://127\\.0\\.0\\.1:\\d+, admin at http://");

    @TempDir
    private Path folder;

    @Test
    void withoutArgumentsTheDefaultConfigurationIsServedUntilSigterm() throws IOException {
        write("server.port = 0, admin.port = 0, plugins.path = []"
                + ", networks.a { chain-id = 1, upstreams.a.url = \"http://127.0.0.1:1\" }");
        try (ChildProcess weir = run()) {
            weir.awaitLine(READY, PATIENCE);
            weir.terminate();
            assertThat(weir.awaitExit(PATIENCE)).as("exit code" + weir.told()).isZero();
        }
    }

    @Test
    void withoutArgumentsProblemsAreShownAsByTheRunCommand() throws IOException {
        write("server.port = abc, admin.prot = 0, plugins.path = []");
        try (ChildProcess usual = run();
                ChildProcess named = run("run")) {
            assertThat(usual.awaitExit(PATIENCE)).isEqualTo(ExitCodes.PROBLEM);
            assertThat(named.awaitExit(PATIENCE)).isEqualTo(ExitCodes.PROBLEM);
            assertThat(usual.err()).hasSizeGreaterThan(1).isEqualTo(named.err());
        }
    }

    private void write(String configuration) throws IOException {
        Path file = folder.resolve(ConfigOptions.defaultFile());
        Files.createDirectories(file.getParent());
        Files.writeString(file, configuration);
    }

    private ChildProcess run(String... arguments) {
        String java = ProcessHandle.current().info().command().orElse("java");
        List<String> command = new ArrayList<>(
                List.of(java, "-jar", Checkout.find().jar().toAbsolutePath().toString()));
        command.addAll(List.of(arguments));
        return ChildProcess.start("weir", folder, Map.of(), command);
    }
}
