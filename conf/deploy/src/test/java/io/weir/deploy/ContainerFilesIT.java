package io.weir.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.Checkout;
import io.weir.testing.ChildProcess;
import io.weir.testing.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** What can be run of the files for containers without a container. */
final class ContainerFilesIT {

    private static final Path DEPLOY = Checkout.find().root().resolve("conf/deploy");
    private static final Pattern ADMIN = Pattern.compile("admin at http://127\\.0\\.0\\.1:(\\d+)");
    private static final Pattern HEALTH_CHECK = Pattern.compile("(?m)^HEALTHCHECK .* CMD (\\[.*])$");
    private static final Pattern CONFIGURATION = Pattern.compile("(?s)\n  weir\\.conf: \\|\n(.*?)---\n");

    @TempDir
    private static Path folder;

    private static Unpacked unpacked;

    @BeforeAll
    static void unpack() throws IOException {
        Machine.assumeProgram("setpriv", "apt-get install util-linux");
        unpacked = new Unpacked(folder);
    }

    @Test
    void theHealthCheckOfTheImageFollowsTheProxy() throws IOException {
        Matcher written = HEALTH_CHECK.matcher(Files.readString(DEPLOY.resolve("Dockerfile")));
        assertThat(written.find()).isTrue();
        String[] check = JsonMapper.shared().readValue(written.group(1), String[].class);
        try (ChildProcess proxy = unpacked.start(
                Map.of("WEIR_DATA", unpacked.writable("data").toString(), "WEIR_JAVA_OPTS", Unpacked.QUICK),
                "run",
                "--config",
                unpacked.onFreePorts().toString())) {
            check[check.length - 1] = check[check.length - 1].replace(
                    "/9545", "/" + proxy.awaitLine(ADMIN, Unpacked.PATIENCE).group(1));
            // The first probe of a node may take too long on a machine that does much else.
            await().atMost(Unpacked.PATIENCE).until(() -> exitCode(check) == 0);
            proxy.terminate();
            assertThat(proxy.awaitExit(Unpacked.PATIENCE)).as(proxy.told()).isZero();
        }
        assertThat(exitCode(check)).isNotZero();
    }

    private static int exitCode(String... command) {
        try (ChildProcess run = ChildProcess.start("health check", folder, Map.of(), List.of(command))) {
            return run.awaitExit(Unpacked.PATIENCE);
        }
    }

    @Test
    void theConfigurationOfTheKubernetesExampleHasNoMistake() throws IOException {
        Matcher block = CONFIGURATION.matcher(Files.readString(DEPLOY.resolve("kubernetes.yaml")));
        assertThat(block.find()).isTrue();
        Path config = Files.writeString(unpacked.writable("kubernetes").resolve("weir.conf"), block.group(1));
        try (ChildProcess check = unpacked.start(
                Map.of(
                        "NODE_TOKEN",
                        "token",
                        "BACKEND_KEY_SHA256",
                        "a".repeat(64),
                        "WEIR_DATA",
                        config.getParent().toString(),
                        "WEIR_JAVA_OPTS",
                        Unpacked.QUICK),
                "check",
                "--config",
                config.toString())) {
            assertThat(check.awaitExit(Unpacked.PATIENCE)).as(check.told()).isZero();
        }
    }
}
