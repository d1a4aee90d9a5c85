package io.weir.testing;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The signals that reach this process and its children. Stateless. */
public final class Signals {

    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String IGNORED = "SigIgn:";
    private static final int HEX = 16;

    private Signals() {}

    /** Skips the test where SIGHUP is ignored, as under nohup. No JVM takes it over then, and children inherit that. */
    public static void assumeHangUpArrives() {
        assumeThat(isHangUpIgnored())
                .as("SIGHUP is ignored (expected: a build that was not started by nohup)")
                .isFalse();
    }

    private static boolean isHangUpIgnored() {
        try {
            // The lowest bit is that of SIGHUP.
            return Files.exists(STATUS)
                    && Files.readAllLines(STATUS).stream()
                            .filter(line -> line.startsWith(IGNORED))
                            .map(line -> line.substring(IGNORED.length()).strip())
                            .anyMatch(mask -> (Long.parseUnsignedLong(mask, HEX) & 1) == 1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
