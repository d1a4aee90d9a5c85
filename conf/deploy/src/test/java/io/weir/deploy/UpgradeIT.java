package io.weir.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.Checkout;
import io.weir.testing.MarkdownBlocks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Does what the operator's guide says of an installed proxy: upgrades and backups. */
final class UpgradeIT {

    private static final Path CONF = Checkout.find().root().resolve("conf");

    @TempDir
    private Path folder;

    @BeforeEach
    void install() throws IOException {
        Path old = Files.createDirectories(folder.resolve("opt/weir-0.0.9"));
        Files.createSymbolicLink(folder.resolve("opt/weir"), old.getFileName());
        Files.createDirectories(folder.resolve("etc/weir"));
        Files.copy(CONF.resolve("weir.conf"), folder.resolve("etc/weir/weir.conf"));
        write("used/today");
        write("results/1.results");
        write("plugins/wallet/seeds/demo");
        // As with DynamicUser of systemd.
        Files.createSymbolicLink(folder.resolve("lib/weir"), Path.of("private/weir"));
    }

    private void write(String name) throws IOException {
        Path file = folder.resolve("lib/private/weir").resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, name);
    }

    /** Runs the block of the guide's commands that contains a word, as if the folder were the root of the machine. */
    private List<String> run(String word) {
        String block = MarkdownBlocks.of(CONF.resolve("README.md")).in("sh").stream()
                .filter(commands -> commands.contains(word))
                .findFirst()
                .orElseThrow();
        String here = block.replace("/opt", folder.resolve("opt").toString())
                .replace("/etc", folder.resolve("etc").toString())
                .replace("/var/lib", folder.resolve("lib").toString())
                .replaceFirst("tar -xzf \\S+", "tar -xzf " + Unpacked.ARCHIVE);
        return Unpacked.run(folder, "bash", "-euo", "pipefail", "-c", here);
    }

    @Test
    void theNewVersionChecksTheConfigurationAndGetsTheLink() throws IOException {
        assertThat(run("ln -sfn")).last().asString().contains("weir.conf: no problem found");
        assertThat(Files.readSymbolicLink(folder.resolve("opt/weir"))).hasToString("weir-0.1.0");
        assertThat(folder.resolve("opt/weir/bin/weir")).isExecutable();
        assertThat(folder.resolve("opt/weir-0.0.9")).isDirectory();
    }

    @Test
    void theBackupHasTheConfigurationAndTheDataButNotTheCache() {
        run("weir-backup");
        assertThat(Unpacked.run(folder, "tar", "-tzf", "weir-backup.tar.gz"))
                .contains("weir/weir.conf", "./used/today", "./plugins/wallet/seeds/demo")
                .noneMatch(name -> name.contains("results"));
    }
}
