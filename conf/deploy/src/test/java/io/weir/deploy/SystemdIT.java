package io.weir.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.testing.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The unit under a systemd of the test's own, as it is written: its user, its folders and its bounds. */
final class SystemdIT {

    private static final Path SYSTEMD = Path.of("/lib/systemd/systemd");
    private static final Path DEPLOY = Checkout.find().root().resolve("conf/deploy");
    private static final String GROUP = "weir-test-" + UUID.randomUUID();
    private static final String URL = "http://127.0.0.1:8645/v3/";
    private static final String CONFIGURATION = """
            include file("/opt/weir/conf/weir.conf")
            server.port = ${RPC_PORT}
            """;
    /** The key {@code second}. */
    private static final String SECOND_KEY =
            "access.keys.second.sha256 = \"16367aacb67a4a017c8da8ab95682ccb390863780f7114dda0a0e0c55644c7c4\"\n";

    @TempDir
    private static Path folder;

    private static Path config;
    private static Isolated systemd;

    @BeforeAll
    static void boot() throws IOException {
        Isolated.assumePossible();
        assumeTrue(Files.isExecutable(SYSTEMD), () -> SYSTEMD + " is not there: apt-get install systemd");
        assumeTrue(
                Files.readString(Path.of("/proc/filesystems")).contains("\toverlay\n"),
                "the kernel has no overlay: modprobe overlay");
        assumeTrue(!groups().isEmpty(), "the system has no control groups of version 2");
        Path archive = new Unpacked(Files.createDirectory(folder.resolve("archive"))).home();
        Path units = Files.createDirectory(folder.resolve("units"));
        Files.copy(DEPLOY.resolve("weir.service"), units.resolve("weir.service"));
        Path etc = Files.createDirectory(folder.resolve("etc"));
        Files.setPosixFilePermissions(etc, PosixFilePermissions.fromString("rwxr-xr-x"));
        config = Files.writeString(etc.resolve("weir.conf"), CONFIGURATION);
        Files.setPosixFilePermissions(config, PosixFilePermissions.fromString("rw-r--r--"));
        Path environment = Files.writeString(
                etc.resolve("environment"), "RPC_PORT=8645\nJAVA_HOME=" + System.getProperty("java.home") + "\n");
        Files.setPosixFilePermissions(environment, PosixFilePermissions.fromString("rw-------"));
        systemd = Isolated.start(
                "systemd",
                folder,
                List.of(
                        DEPLOY.resolve("src/test/sh/systemd.sh").toString(),
                        Files.createDirectory(folder.resolve("system")).toString(),
                        GROUP,
                        units.toString(),
                        archive.toString(),
                        "/opt/weir",
                        etc.toString(),
                        "/etc/weir"));
        // The unit starts later: if systemd itself does not, the system lacks a right that it needs.
        await().until(() ->
                !systemd.process().alive() || systemd.enter(List.of("systemctl", "is-system-running")) == 0);
        assumeTrue(
                systemd.process().alive(),
                () -> "this system does not let a test start systemd: "
                        + systemd.process().told());
    }

    /** Returns where the control groups are mounted; empty if nowhere. */
    private static String groups() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/mounts")).stream()
                .map(line -> line.split(" "))
                .filter(fields -> fields[2].equals("cgroup2"))
                .map(fields -> fields[1])
                .findFirst()
                .orElse("");
    }

    @AfterAll
    static void end() throws IOException {
        if (systemd != null) {
            systemd.close();
            Path group = Path.of(groups(), GROUP);
            await().until(() -> {
                new ProcessBuilder("find", group.toString(), "-depth", "-type", "d", "-exec", "rmdir", "{}", ";")
                        .start()
                        .waitFor();
                return !Files.exists(group);
            });
        }
    }

    private static String shown(String property) {
        return systemd.inside("systemctl", "show", "--value", "-p", property, "weir")
                .get(0);
    }

    private static void awaitAnswer(String key) {
        await().until(() -> systemd.call(URL + key, "eth_chainId", "[]").contains("\"result\":\"0x539\""));
    }

    @Test
    void theServiceStartsReloadsComesBackAndStops() throws IOException {
        systemd.inside("systemctl", "start", "weir");
        awaitAnswer("demo");
        // The journal gets the line a moment after the proxy has written it.
        await().until(() -> systemd.inside("journalctl", "-o", "cat", "-u", "weir").stream()
                .anyMatch(line -> line.contains("serving [devnet]")));
        assertThat(systemd.inside("ls", "/var/lib/private/weir")).contains("plugins");
        List<String> status = systemd.inside("cat", "/proc/" + shown("MainPID") + "/status");
        assertThat(status).noneMatch(line -> line.startsWith("Uid:\t0")).contains("CapEff:\t0000000000000000");

        Files.writeString(config, CONFIGURATION + SECOND_KEY);
        systemd.inside("systemctl", "reload", "weir");
        awaitAnswer("second");

        systemd.inside("systemctl", "kill", "-s", "KILL", "weir");
        await().until(() -> shown("NRestarts").equals("1"));
        awaitAnswer("demo");

        systemd.inside("systemctl", "stop", "weir");
        assertThat(shown("Result")).isEqualTo("success");
        assertThat(shown("ExecMainStatus")).isEqualTo("0");
    }

    @Test
    void aStopDuringTheStartIsNoFailure() {
        systemd.inside("systemctl", "start", "weir");
        await().until(() ->
                systemd.inside("cat", "/proc/" + shown("MainPID") + "/comm").contains("java"));
        systemd.inside("systemctl", "stop", "weir");
        assertThat(shown("Result")).isEqualTo("success");
    }
}
