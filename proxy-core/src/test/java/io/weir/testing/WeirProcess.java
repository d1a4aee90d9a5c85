package io.weir.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The proxy as it was built, run as its users run it: for tests of signals, output, exit codes and memory. Thread-safe. */
public final class WeirProcess implements RunningProxy {

    private static final Duration START_TIMEOUT = Duration.ofMinutes(3);
    private static final Duration END_TIMEOUT = Duration.ofMinutes(3);
    /**
     * Netty tracks every buffer, but records no stack at each read and write, which would cost most of the time. The proxy lives
     * for seconds, so that the optimising compiler would take more time than it saves.
     */
    private static final List<String> JVM_FLAGS = List.of(
            "-Xmx512m",
            "-XX:TieredStopAtLevel=1",
            "-Dio.netty.leakDetection.level=paranoid",
            "-Dio.netty.leakDetection.acquireAndReleaseOnly=true");

    private static final Pattern READY =
            Pattern.compile("https?://127\\.0\\.0\\.1:(\\d+).*https?://127\\.0\\.0\\.1:(\\d+)");

    private final ChildProcess process;
    private final Path configuration;
    private final int port;
    private final int adminPort;

    private WeirProcess(ChildProcess process, Path configuration) {
        this.process = process;
        this.configuration = configuration;
        MatchResult ready = process.awaitLine(READY, START_TIMEOUT);
        this.port = Integer.parseInt(ready.group(1));
        this.adminPort = Integer.parseInt(ready.group(2));
    }

    /** Starts the proxy with this configuration and waits until it listens. */
    public static WeirProcess start(String configuration) {
        return start(List.of(), configuration);
    }

    /** As above, with flags for its JVM. */
    public static WeirProcess start(List<String> flags, String configuration) {
        return startWith(with(ClassArchive.flags(Checkout.find()), flags), configuration);
    }

    /** As above, without the archive of classes. */
    static WeirProcess startWith(List<String> flags, String configuration) {
        Path file = written(configuration);
        ChildProcess process = launch(flags, "run", "--config", file.toString());
        try {
            return new WeirProcess(process, file);
        } catch (Error e) {
            process.close();
            throw e;
        }
    }

    /** Starts the program with these arguments, from the root of the checkout, and waits for nothing. */
    public static ChildProcess launch(String... arguments) {
        return launch(ClassArchive.flags(Checkout.find()), arguments);
    }

    private static List<String> with(List<String> flags, List<String> more) {
        return Stream.concat(flags.stream(), more.stream()).toList();
    }

    private static ChildProcess launch(List<String> flags, String... arguments) {
        Checkout checkout = Checkout.find();
        assertThat(checkout.jar())
                .as("the built proxy (`mvn package` makes it)")
                .isRegularFile();
        // The tests' own JVM, so that the build on another JDK tests the proxy on that one.
        String java = ProcessHandle.current().info().command().orElse("java");
        List<String> command = new ArrayList<>(List.of(java));
        command.addAll(JVM_FLAGS);
        command.addAll(flags);
        command.addAll(List.of("-jar", checkout.jar().toString()));
        command.addAll(List.of(arguments));
        return ChildProcess.start("weir", checkout.root(), Map.of(), command);
    }

    /** Its configuration file. */
    public Path configuration() {
        return configuration;
    }

    /** Its process, for signals and output. */
    public ChildProcess process() {
        return process;
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public int adminPort() {
        return adminPort;
    }

    /** Waits until it ends by itself; its exit code. */
    public int awaitEnd() {
        try {
            return process.awaitExit(END_TIMEOUT);
        } finally {
            process.close();
            delete(configuration);
        }
    }

    @Override
    public void close() {
        try {
            process.terminate();
            int exitCode = process.awaitExit(END_TIMEOUT);
            assertThat(exitCode).as("exit code" + process.told()).isZero();
            assertThat(process.err()).noneMatch(line -> line.contains("LEAK:"));
            assertThat(process.out()).noneMatch(line -> line.contains("LEAK:"));
        } finally {
            process.close();
            delete(configuration);
        }
    }

    private static Path written(String configuration) {
        try {
            return Files.writeString(Files.createTempFile("weir-test", ".conf"), configuration);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
