package io.weir.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.ChildProcess;
import io.weir.testing.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line that {@code bin/weir} gives to Java, shown by a Java that prints its words. */
final class LauncherIT {

    @TempDir
    private static Path folder;

    private static Unpacked unpacked;

    @BeforeAll
    static void unpack() throws IOException {
        Machine.assumeProgram("setpriv", "apt-get install util-linux");
        unpacked = new Unpacked(folder);
    }

    /** Makes a Java of a version. It prints each of its words on a line. */
    private static Map<String, String> java(String version, String... variables) throws IOException {
        return javaOn(8, version, variables);
    }

    private static Map<String, String> javaOn(int processors, String version, String... variables) throws IOException {
        Path home = Files.createTempDirectory(folder, "java");
        Path program = Files.createDirectory(home.resolve("bin")).resolve("java");
        Files.writeString(program, """
                #!/bin/sh
                case $* in *-XX:Trim*-version) [ "%1$s" != 17.0.2 ] || exit 1 ;; esac
                case $* in *gc+init*-version) echo '[gc,init] CPUs: 64 total, %2$s available' ;; esac
                case $* in
                    *-version) echo 'openjdk version "%1$s" 2026-01-01' >&2 ;;
                    *) printf '%%s\\n' "$@" ;;
                esac
                """.formatted(version, processors));
        for (Path made : List.of(home, program.getParent(), program)) {
            Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        return variables.length == 0
                ? Map.of("JAVA_HOME", home.toString())
                : Map.of("JAVA_HOME", home.toString(), variables[0], variables[1]);
    }

    private static List<String> words(Map<String, String> environment, String... arguments) {
        try (ChildProcess run = unpacked.start(environment, arguments)) {
            assertThat(run.awaitExit(Unpacked.PATIENCE)).as(run.told()).isZero();
            return run.out();
        }
    }

    private static String refusal(Map<String, String> environment) {
        try (ChildProcess run = unpacked.start(environment)) {
            assertThat(run.awaitExit(Unpacked.PATIENCE)).isEqualTo(1);
            return String.join("\n", run.err());
        }
    }

    @Test
    void anOlderJavaIsRefused() throws IOException {
        assertThat(refusal(java("1.8.0_402"))).endsWith("/bin/java: version 1.8.0_402 (expected: 17 or newer)");
        assertThat(refusal(java("11.0.22"))).endsWith("/bin/java: version 11.0.22 (expected: 17 or newer)");
    }

    @Test
    void aJavaHomeWithoutJavaIsRefused() {
        assertThat(refusal(Map.of("JAVA_HOME", "/nowhere")))
                .isEqualTo("weir: JAVA_HOME: /nowhere has no bin/java (expected: the folder of a Java 17 or newer)");
    }

    @Test
    void theHeapIsAShareOfTheMemoryUnlessTheOperatorSizesIt() throws IOException {
        assertThat(words(java("17.0.15"), "check")).contains("-XX:MaxRAMPercentage=60", "-XX:+ExitOnOutOfMemoryError");
        for (String size : List.of("-Xmx2g", "-XX:MaxRAMPercentage=30")) {
            assertThat(words(java("17.0.15", "WEIR_JAVA_OPTS", "-Da=b " + size), "check"))
                    .contains("-Da=b", size)
                    .doesNotContain("-XX:MaxRAMPercentage=60");
        }
    }

    @Test
    void withOneOrTwoProcessorsTheSerialCollectorHasASmallYoungGenerationUnlessTheOperatorChooses() throws IOException {
        String serial = "-XX:+UseSerialGC";
        for (String version : List.of("17.0.15", "17.0.2", "25")) {
            assertThat(words(javaOn(1, version), "check")).contains(serial, "-XX:MaxNewSize=24m");
            assertThat(words(javaOn(2, version), "check")).contains(serial, "-XX:MaxNewSize=24m");
            assertThat(words(javaOn(3, version), "check")).doesNotContain(serial, "-XX:MaxNewSize=24m");
        }
        for (String own : List.of("-XX:+UseG1GC", "-Xmx4g", "-XX:MaxRAMPercentage=30", "-XX:MaxNewSize=64m")) {
            assertThat(words(javaOn(2, "17.0.15", "WEIR_JAVA_OPTS", "-Da=b " + own), "check"))
                    .contains(own)
                    .doesNotContain(serial, "-XX:MaxNewSize=24m");
        }
        for (String own : List.of(
                "\n-XX:+UseZGC\n",
                "-XX:-UseSerialGC",
                "-XX:ActiveProcessorCount=8",
                "-XX:VMOptionsFile=flags",
                "@flags")) {
            assertThat(words(javaOn(2, "17.0.15", "JAVA_OPTS", own), "check"))
                    .contains(own.strip())
                    .doesNotContain(serial, "-XX:MaxNewSize=24m");
        }
    }

    @Test
    void memoryGoesBackToTheSystemWhereJavaCan() throws IOException {
        String trim = "-XX:TrimNativeHeapInterval=15000";
        List<String> words = words(java("17.0.15", "WEIR_JAVA_OPTS", "-XX:G1PeriodicGCInterval=0"), "check");
        assertThat(words).contains(trim);
        // The last one counts.
        assertThat(words).containsSubsequence("-XX:G1PeriodicGCInterval=15000", "-XX:G1PeriodicGCInterval=0");
        assertThat(words(java("17.0.2"), "check"))
                .contains("-XX:G1PeriodicGCInterval=15000")
                .doesNotContain(trim);
    }

    @Test
    void allWordsButTheDataFolderReachTheProxy() throws IOException {
        String data = unpacked.writable("words").toString();
        List<String> words =
                words(java("21"), "plugin", "--data", data, "wallet", "--config", "a b.conf", "--", "--data", "*", "");
        assertThat(words.subList(words.indexOf("-jar") + 2, words.size()))
                .containsExactly("plugin", "wallet", "--config", "a b.conf", "--", "--data", "*", "");
        assertThat(words).anyMatch(word -> word.startsWith("-Djava.io.tmpdir=" + data + "/weir-tmp-"));
    }

    @Test
    void onlyARunWritesTheClassesAndOnlyWhereItMay() throws IOException {
        String data = unpacked.writable("classes").toString();
        assertThat(words(java("17.0.15"), "--data", data, "run"))
                .anyMatch(word -> word.startsWith("-XX:ArchiveClassesAtExit=" + data + "/classes-"));
        assertThat(words(java("17.0.15"), "--data", data, "check")).noneMatch(word -> word.contains("Archive"));
        assertThat(words(java("17.0.15"), "run")).noneMatch(word -> word.contains("Archive"));
        assertThat(words(java("17.0.15", "JAVA_OPTS", "-Xshare:off"), "--data", data, "run"))
                .noneMatch(word -> word.contains("Archive"));
        // Its flags are not known to a later Java.
        assertThat(words(java("26"), "--data", data, "run")).noneMatch(word -> word.contains("-Xlog"));
    }

    /** The link may lead to another version while the proxy runs. */
    @Test
    void aLinkToTheArchiveIsFollowedOnceAtTheStart() throws IOException {
        Path link = Files.createSymbolicLink(
                folder.resolve("current"), unpacked.home().getFileName());
        try (ChildProcess run =
                ChildProcess.start("bin/weir", Path.of("/"), java("17.0.15"), List.of(link + "/bin/weir", "check"))) {
            assertThat(run.awaitExit(Unpacked.PATIENCE)).as(run.told()).isZero();
            assertThat(run.out())
                    .contains("-Dweir.home=" + unpacked.home(), unpacked.home() + "/weir.jar")
                    .noneMatch(word -> word.contains(link.toString()));
        }
    }
}
