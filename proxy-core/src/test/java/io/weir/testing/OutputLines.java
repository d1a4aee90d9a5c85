package io.weir.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The lines that a program has written to one of its streams, the first {@value #MAX_LINES} of them. Thread-safe. */
final class OutputLines {

    private static final int MAX_LINES = 20_000;

    private final List<String> lines = new ArrayList<>();
    private boolean ended;

    /** Reads the stream to its end, on a thread of its own. */
    static OutputLines of(InputStream stream, String threadName) {
        OutputLines lines = new OutputLines();
        Thread reader = new Thread(() -> lines.readAll(stream), threadName);
        reader.setDaemon(true);
        reader.start();
        return lines;
    }

    /** Waits for a line in which the pattern is found; null where the stream or the time ended before. */
    synchronized @Nullable Matcher await(Pattern pattern, Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        int seen = 0;
        while (true) {
            for (; seen < lines.size(); seen++) {
                Matcher matcher = pattern.matcher(lines.get(seen));
                if (matcher.find()) {
                    return matcher;
                }
            }
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (ended || left <= 0) {
                return null;
            }
            wait(left);
        }
    }

    /** Waits until the stream has ended. */
    synchronized void awaitEnd(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        for (long left = timeout.toMillis(); !ended && left > 0; left = (deadline - System.nanoTime()) / 1_000_000) {
            wait(left);
        }
    }

    synchronized List<String> soFar() {
        return List.copyOf(lines);
    }

    private void readAll(InputStream stream) {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                add(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            end();
        }
    }

    private synchronized void add(String line) {
        // What comes after the bound is read all the same: a program must not hang on a full pipe.
        if (lines.size() < MAX_LINES) {
            lines.add(line);
            notifyAll();
        }
    }

    private synchronized void end() {
        ended = true;
        notifyAll();
    }
}
