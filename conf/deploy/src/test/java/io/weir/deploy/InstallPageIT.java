package io.weir.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.Checkout;
import io.weir.testing.ChildProcess;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.MarkdownBlocks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Does what the page about the installation says. */
final class InstallPageIT {

    private static final Path ROOT = Checkout.find().root();

    @TempDir
    private Path folder;

    private ChildProcess bash(String command) {
        String here = command.replace("/opt", folder.resolve("opt").toString())
                .replace("/var/lib", folder.resolve("lib").toString());
        return ChildProcess.start(command, ROOT, Map.of(), List.of("bash", "-euo", "pipefail", "-c", here));
    }

    @Test
    void theInstalledProxyChecksItsConfigurationAndAnswers() throws IOException {
        List<String> blocks =
                MarkdownBlocks.of(ROOT.resolve("conf/deploy/README.md")).in("sh");
        assertThat(blocks).hasSize(2);
        Path opt = Files.createDirectory(folder.resolve("opt"));
        try (ChildProcess install = bash(blocks.get(0))) {
            assertThat(install.awaitExit(Unpacked.PATIENCE)).as(install.told()).isZero();
            assertThat(install.out()).last().asString().endsWith("/conf/weir.conf: no problem found");
        }
        String shipped = blocks.get(1).replaceFirst("(?s).*--config ", "").trim();
        Path config = Files.writeString(
                folder.resolve("free.conf"),
                "include file(\"" + shipped.replace("/opt", opt.toString()) + "\")\nserver.port = 0\nadmin.port = 0\n");
        try (ChildProcess proxy = bash("exec " + blocks.get(1).replace(shipped, config.toString()))) {
            assertThat(new JsonRpcClient(Unpacked.url(proxy))
                            .result("eth_chainId")
                            .asString())
                    .isEqualTo("0x539");
            proxy.terminate();
            assertThat(proxy.awaitExit(Unpacked.PATIENCE)).as(proxy.told()).isZero();
        }
        assertThat(folder.resolve("lib/weir")).isDirectory();

        // The unit for systemd starts what was installed, with the same data folder, and is shipped.
        Path shippedUnit = opt.resolve("weir/conf/deploy/weir.service");
        String unit = Files.readString(shippedUnit);
        String program = blocks.get(1).replaceFirst(" run .*", "");
        assertThat(unit).contains("\nExecStart=" + program + " run ", "\nEnvironment=WEIR_DATA=/var/lib/weir\n");
        assertThat(Path.of(program.replace("/opt", opt.toString()))).isExecutable();
        assertThat(unit).isEqualTo(Files.readString(ROOT.resolve("conf/deploy/weir.service")));
    }
}
