package io.weir.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.Checkout;
import io.weir.testing.ChildProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The archive, unpacked into an empty folder and made read-only. Its programs run as a user without rights. Thread-safe. */
final class Unpacked {

    /** Also for a step with several starts of Java on a machine that does much else. */
    static final Duration PATIENCE = Duration.ofMinutes(4);

    static final Path ARCHIVE = archive();

    /** Flags for a JVM that lives for seconds. With them bin/weir writes no classes at its end, which takes longer than the rest. */
    static final String QUICK = "-Xshare:auto -XX:TieredStopAtLevel=1";

    private static final boolean ROOT = "root".equals(System.getProperty("user.name"));
    private static final List<String> AS_NOBODY =
            List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--");
    private static final Pattern READY = Pattern.compile("JSON-RPC at (http://127\\.0\\.0\\.1:\\d+),");

    private final Path folder;
    private final Path home;

    /**
     * Unpacks the archive.
     *
     * @param folder an empty folder
     */
    Unpacked(Path folder) throws IOException {
        this.folder = folder;
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        run(folder, "tar", "-xzf", ARCHIVE.toString());
        try (Stream<Path> content = Files.list(folder)) {
            this.home = content.findFirst().orElseThrow();
        }
        run(folder, "chmod", "-R", "a-w", home.toString());
    }

    private static Path archive() {
        Path target = Checkout.find().root().resolve("proxy-core/target");
        try (Stream<Path> files = Files.list(target)) {
            return files.filter(file -> file.toString().endsWith(".tar.gz"))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(target + ": no archive (`mvn package` makes it)"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The folder of the archive. */
    Path home() {
        return home;
    }

    /** Makes a folder that the user without rights may write to. */
    Path writable(String name) throws IOException {
        Path made = Files.createDirectory(folder.resolve(name));
        if (ROOT) {
            run(folder, "chown", "65534", made.toString());
        }
        return made;
    }

    /** Writes a configuration: that of the archive, on free ports. */
    Path onFreePorts() throws IOException {
        Path file = Files.writeString(
                folder.resolve("weir.conf"),
                "include file(\"" + home.resolve("conf/weir.conf") + "\")\nserver.port = 0\nadmin.port = 0\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        return file;
    }

    /** Starts {@code bin/weir} of the archive with these words, from a folder that is not its own. */
    ChildProcess start(Map<String, String> environment, String... words) {
        Map<String, String> all = new HashMap<>(environment);
        all.putIfAbsent("JAVA_HOME", System.getProperty("java.home"));
        List<String> command = new ArrayList<>(ROOT ? AS_NOBODY : List.of());
        command.add(home.resolve("bin/weir").toString());
        command.addAll(List.of(words));
        return ChildProcess.start("bin/weir", Path.of("/"), all, command);
    }

    /** Waits until a started proxy listens. Returns the address of the demo key. */
    static String url(ChildProcess proxy) {
        MatchResult ready = proxy.awaitLine(READY, PATIENCE);
        return ready.group(1) + "/v3/demo";
    }

    /** Runs a program that must succeed. Returns what it prints. */
    static List<String> run(Path folder, String... command) {
        try (ChildProcess run = ChildProcess.start(command[0], folder, Map.of(), List.of(command))) {
            assertThat(run.awaitExit(PATIENCE))
                    .as(String.join(" ", command) + run.told())
                    .isZero();
            return run.out();
        }
    }
}
