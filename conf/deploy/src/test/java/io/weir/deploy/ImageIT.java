package io.weir.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.Checkout;
import io.weir.testing.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The image of the Dockerfile: built step by step, and started as a container engine starts it. */
final class ImageIT {

    private static final Path DEPLOY = Checkout.find().root().resolve("conf/deploy");
    private static final String RPC = "http://127.0.0.1:8545";

    @TempDir
    private static Path folder;

    private static Image image;
    private static Path config;

    @BeforeAll
    static void build() throws IOException {
        Isolated.assumePossible();
        Machine.assumeProgram("dpkg-query", "the base image is made of Debian's packages");
        image = Image.build(
                Dockerfile.read(DEPLOY.resolve("Dockerfile")),
                Files.createDirectory(folder.resolve("root")),
                Checkout.find().root().resolve("proxy-core/target"));
        config = Files.writeString(folder.resolve("weir.conf"), """
                server { health-path = /health, drain-delay = 10 s }
                networks.devnet { chain-id = 1337, upstreams.embedded.url = "devnet:default" }
                access.keys.demo.sha256 = "2a97516c354b68848cdbd8f54a226a0a55b21ed138e207ad6c5cbb9c00aa5aea"
                """);
        Files.setPosixFilePermissions(config, PosixFilePermissions.fromString("rw-r--r--"));
    }

    /** Its links to files of the system are none of the test's folder. */
    @AfterAll
    static void remove() {
        Unpacked.run(folder, "rm", "-rf", "root");
    }

    @Test
    void itAnswersAsItsUserOnAReadOnlyRootAndDrainsAtItsStopSignal() throws IOException {
        Path data = Files.createDirectory(folder.resolve("volumes"));
        Map<String, String> logged = Map.of("WEIR_JAVA_OPTS", "-Xlog:class+load:file=/data/loaded.log");
        try (Isolated container = image.start(logged, Map.of("/etc/weir/weir.conf", config), data)) {
            container.awaitReady();
            assertThat(container.process().out())
                    .first()
                    .asString()
                    .startsWith("weir: JSON-RPC at http://0.0.0.0:8545,");
            assertThat(image.ports()).containsExactly(8545, 9545);
            assertThat(container.call(RPC + "/v3/demo", "eth_getBlockByNumber", "[\"0x10\",false]"))
                    .startsWith("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{");
            assertThat(image.checkHealth(container)).isZero();
            assertThat(container.status(RPC + "/health")).isEqualTo(200);
            // The program is the JVM and not a shell, so that it gets the signal.
            assertThat(container.first().info().command())
                    .hasValueSatisfying(program -> assertThat(program).endsWith("/bin/java"));

            container.signal(image.stopSignal());
            await().until(() -> container.status(RPC + "/health") == 503);
            assertThat(container.call(RPC + "/v3/demo", "eth_chainId", "[]")).contains("\"result\":\"0x539\"");
            assertThat(container.process().awaitExit(Unpacked.PATIENCE))
                    .as(container.process().told())
                    .isZero();
        }
        // The image brings the classes in the form of its Java.
        assertThat(Files.readString(data.resolve("data/loaded.log")))
                .containsPattern("io\\.weir\\.app\\.Main source: shared objects file \\(top\\)");
        assertThat(data.resolve("data/plugins/wallet")).isDirectory();
    }
}
