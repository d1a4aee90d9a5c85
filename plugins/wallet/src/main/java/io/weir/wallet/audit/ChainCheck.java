package io.weir.wallet.audit;

import io.weir.wallet.name.Fingerprint;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Verifies a log from its first line to its last, with the memory of one line. Confined to one thread. */
public final class ChainCheck {

    /**
     * The result. Immutable.
     *
     * @param lines the number of lines that fit
     * @param lastHash the hash of the last of them
     * @param unfinished the bytes behind it that are no line yet: one is being written, or a crash has torn it
     * @param problem the first line that does not fit, or null if all do
     */
    public record Result(
            long lines,
            String lastHash,
            long unfinished,
            @Nullable String problem) {}

    private long number;
    private long lines;
    private String last = ChainLine.GENESIS;
    private long tornAt;
    private long tornBytes;
    private MessageDigest torn = Fingerprint.digest();

    private ChainCheck() {}

    /**
     * Verifies a file.
     *
     * @throws IOException when it cannot be read
     */
    public static Result check(Path file) throws IOException {
        ChainCheck check = new ChainCheck();
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            String problem = check.run(in);
            return new Result(check.lines, check.last, check.tornAt == 0 ? 0 : check.tornBytes, problem);
        }
    }

    private @Nullable String run(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next >= 0; next = in.read()) {
            if (next == '\n') {
                String problem = add(line.toByteArray(), true);
                if (problem != null) {
                    return problem;
                }
                line.reset();
            } else {
                line.write(next);
                if (line.size() > ChainLine.MAX_BYTES) {
                    return "line " + (number + 1) + ": longer than " + ChainLine.MAX_BYTES + " bytes";
                }
            }
        }
        if (line.size() > 0) {
            return add(line.toByteArray(), false);
        }
        return tornAt == 0 ? null : misfit(tornAt);
    }

    private @Nullable String add(byte[] bytes, boolean ended) {
        number++;
        ChainLine line = ChainLine.parse(bytes);
        if (line == null) {
            if (ended && ChainLine.isWhole(bytes)) {
                return misfit(number);
            }
            addTorn(bytes);
            return null;
        }
        if (line.isTorn() || tornAt > 0) {
            if (tornAt == 0) {
                return "line " + number + ": the torn line before it is missing";
            }
            if (!line.isTornOf(tornBytes, HexFormat.of().formatHex(torn.digest()))) {
                return misfit(tornAt);
            }
            tornAt = 0;
        }
        if (line.sequence() != lines + 1) {
            return "line " + number + ": its number is " + line.sequence() + " (expected: " + (lines + 1) + ")";
        }
        if (!line.previous().equals(last)) {
            return "line " + number + ": it follows another line (expected: the hash of the line before it, " + last
                    + ")";
        }
        lines++;
        last = line.hash();
        return null;
    }

    private void addTorn(byte[] bytes) {
        if (tornAt == 0) {
            tornAt = number;
            tornBytes = 0;
            torn = Fingerprint.digest();
        } else {
            torn.update((byte) '\n');
            tornBytes++;
        }
        torn.update(bytes);
        tornBytes += bytes.length;
    }

    private static String misfit(long number) {
        return "line " + number + ": it does not fit its hash (expected: an unchanged line)";
    }
}
