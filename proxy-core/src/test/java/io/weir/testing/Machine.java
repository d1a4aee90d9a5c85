package io.weir.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The machine that the tests run on. A test that needs more than it has is skipped, with the command that helps. */
public final class Machine {

    private Machine() {}

    /**
     * Skips the test where a program is not on the PATH.
     *
     * @param command installs the program
     */
    public static void assumeProgram(String program, String command) {
        assumeTrue(
                isOnPath(program, String.valueOf(System.getenv("PATH"))),
                () -> program + " is not on the PATH: " + command);
    }

    /**
     * Returns the path of a program: the one that an environment variable names, else one on the PATH, else the one that {@code .ci/tools}
     * made. Skips the test where there is none.
     *
     * @param variable the name of the environment variable
     * @param made its path below the folder of {@code .ci/tools}
     */
    public static String program(String name, String variable, String made) {
        String named = System.getenv(variable);
        if (named != null) {
            return named;
        }
        if (isOnPath(name, String.valueOf(System.getenv("PATH")))) {
            return name;
        }
        Path file = toolsFolder().resolve(made);
        assumeTrue(Files.isExecutable(file), () -> name + " is not on the PATH: .ci/tools makes it");
        return file.toString();
    }

    /** Returns the folder into which {@code .ci/tools} builds. */
    static Path toolsFolder() {
        String cache = System.getenv("XDG_CACHE_HOME");
        Path folder =
                cache == null || cache.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache);
        return folder.resolve("weir");
    }

    /** Skips the test where a process may not have so many open files. */
    public static void assumeOpenFiles(long count) {
        long most =
                ((UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getMaxFileDescriptorCount();
        assumeTrue(most >= count, () -> "a process may have " + most + " open files: ulimit -n " + count);
    }

    static boolean isOnPath(String program, String path) {
        return Stream.of(path.split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}
