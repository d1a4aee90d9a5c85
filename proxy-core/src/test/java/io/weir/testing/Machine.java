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
