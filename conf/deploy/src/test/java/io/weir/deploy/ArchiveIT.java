package io.weir.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.ChildProcess;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The archive runs from any folder, as any user, read-only, with one writable folder. */
@Execution(ExecutionMode.CONCURRENT)
final class ArchiveIT {

    @TempDir
    private static Path folder;

    private static Unpacked unpacked;
    private static String config;

    @BeforeAll
    static void unpack() throws IOException {
        Machine.assumeProgram("tar", "apt-get install tar");
        Machine.assumeProgram("setpriv", "apt-get install util-linux");
        unpacked = new Unpacked(folder);
        config = unpacked.onFreePorts().toString();
    }

    private static List<String> names(Path of) throws IOException {
        try (Stream<Path> content = Files.list(of)) {
            return content.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void itHoldsTheProxyItsPluginsAndItsConfiguration() throws IOException {
        // A build without network has no bill of materials.
        assertThat(names(unpacked.home()))
                .filteredOn(name -> !name.equals("weir.cdx.json"))
                .containsExactly("LICENSE", "bin", "conf", "lib", "plugins", "weir.jar");
        assertThat(names(unpacked.home().resolve("plugins"))).containsExactly("devnet", "l2-deploy", "wallet");
        assertThat(names(unpacked.home().resolve("conf"))).contains("examples", "weir.conf");
    }

    @Test
    void aReadOnlyArchiveAnswersAndWritesToTheDataFolderAlone() throws IOException {
        String data = unpacked.writable("data").toString();
        try (ChildProcess first = unpacked.start(Map.of(), "--data", data, "run", "--config", config)) {
            awaitBlock(Unpacked.url(first));
            first.terminate();
            assertThat(first.awaitExit(Unpacked.PATIENCE)).as(first.told()).isZero();
        }
        assertThat(Path.of(data, "plugins", "wallet")).isDirectory();
        assertThat(names(Path.of(data))).anyMatch(name -> name.matches("classes-\\d+\\.jsa"));

        Map<String, String> logged =
                Map.of("WEIR_DATA", data, "WEIR_JAVA_OPTS", "-Xlog:class+load:file=" + data + "/loaded.log");
        try (ChildProcess second = unpacked.start(logged, "--config=" + config)) {
            awaitBlock(Unpacked.url(second));
            second.terminate();
            assertThat(second.awaitExit(Unpacked.PATIENCE)).as(second.told()).isZero();
        }
        // The second start reads the classes that the first one has written, and removes its temporary files.
        assertThat(Files.readString(Path.of(data, "loaded.log")))
                .containsPattern("io\\.weir\\.app\\.Main source: shared objects file \\(top\\)");
        assertThat(names(Path.of(data)).stream().filter(name -> name.startsWith("weir-tmp-")))
                .hasSizeLessThan(2);
    }

    @Test
    void classesAreStoredBesideTheJarForTheFirstStart() throws IOException {
        Path copy = unpacked.writable("installed");
        Unpacked.run(folder, "cp", "-r", unpacked.home() + "/.", copy.toString());
        Unpacked.run(folder, "chmod", "-R", "u+w", copy.toString());
        String weir = copy.resolve("bin/weir").toString();
        Path data = copy.resolve("data");
        Path loaded = copy.resolve("loaded.log");
        Map<String, String> environment = Map.of("JAVA_HOME", System.getProperty("java.home"));
        try (ChildProcess classes =
                ChildProcess.start("classes", Path.of("/"), environment, List.of(weir, "classes"))) {
            assertThat(classes.awaitExit(Unpacked.PATIENCE)).as(classes.told()).isZero();
            assertThat(classes.out()).singleElement().asString().matches("weir: .*/installed/classes-\\d+\\.jsa");
        }
        Map<String, String> logged = Map.of(
                "JAVA_HOME", System.getProperty("java.home"), "WEIR_JAVA_OPTS", "-Xlog:class+load:file=" + loaded);
        try (ChildProcess first =
                ChildProcess.start("run", Path.of("/"), logged, List.of(weir, "run", "--config", config))) {
            awaitBlock(Unpacked.url(first));
            first.terminate();
            assertThat(first.awaitExit(Unpacked.PATIENCE)).as(first.told()).isZero();
        }
        assertThat(Files.readString(loaded))
                .containsPattern("io\\.weir\\.app\\.Main source: shared objects file \\(top\\)");
        assertThat(names(data)).noneMatch(name -> name.endsWith(".jsa"));
    }

    @Test
    void theHelpNamesTheCommandOfTheLauncher() {
        try (ChildProcess help = unpacked.start(Map.of(), "--help")) {
            assertThat(help.awaitExit(Unpacked.PATIENCE)).as(help.told()).isZero();
            assertThat(help.out())
                    .anyMatch(line -> line.startsWith("  run "))
                    .anyMatch(line -> line.startsWith("  classes "));
        }
    }

    /** On a machine that does much else, the first answer of the node may take longer than a probe of it. */
    private static void awaitBlock(String url) {
        JsonRpcClient client = new JsonRpcClient(url);
        await().atMost(Unpacked.PATIENCE)
                .until(() -> client.post(JsonRpcClient.call("eth_getBlockByNumber", "0x10", false))
                        .body()
                        .startsWith("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{"));
    }

    @Test
    void aDataFolderThatCannotBeWrittenIsRefused() {
        assumeThat(Path.of("/proc")).as("a folder that no user may write to").isDirectory();
        try (ChildProcess refused = unpacked.start(Map.of(), "run", "--data", "/proc/weir")) {
            assertThat(refused.awaitExit(Unpacked.PATIENCE)).isEqualTo(1);
            assertThat(refused.err())
                    .singleElement()
                    .asString()
                    .startsWith("weir: data folder: /proc/weir (expected: ");
        }
    }

    @Test
    void twoArchivesOfTheSameTreeAreEqual() throws IOException {
        Path again = Path.of("target/again").toAbsolutePath().resolve(Unpacked.ARCHIVE.getFileName());
        assertThat(Files.mismatch(Unpacked.ARCHIVE, again)).isEqualTo(-1);
    }

    @Test
    void nothingOfTheBuildingMachineIsInTheArchive() {
        List<String> entries = Unpacked.run(
                folder, "tar", "--numeric-owner", "--full-time", "--utc", "-tvzf", Unpacked.ARCHIVE.toString());
        assertThat(entries)
                .hasSizeGreaterThan(50)
                .allMatch(line -> line.matches("(d|-)rw(x|-)r-(x|-)r-(x|-) 0/0 +\\d+ 2026-11-01 00:00:00 weir-.*"));
        List<String> files = entries.stream()
                .filter(line -> line.startsWith("-rwx"))
                .map(line -> line.substring(line.lastIndexOf('/') + 1))
                .toList();
        assertThat(files).containsExactly("weir");
    }
}
