package io.weir.bench.load.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A process that a run started and ends. Thread-safe. */
public final class ChildProgram implements AutoCloseable {

    private static final long SECONDS_TO_END = 20;

    private final Process process;
    private final String ready;
    private final Thread end;

    private ChildProgram(Process process, String ready) {
        this.process = process;
        this.ready = ready;
        // Where the run itself is ended, what it started must not stay.
        this.end = new Thread(process::destroy, "end");
        Runtime.getRuntime().addShutdownHook(end);
    }

    /**
     * Starts a program and waits for the line in which it says that it listens; its later lines go nowhere.
     *
     * @param log what it writes to standard error
     */
    public static ChildProgram awaitLine(List<String> command, Pattern line, Path log) throws IOException {
        Process process =
                new ProcessBuilder(command).redirectError(log.toFile()).start();
        BufferedReader out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
        for (String text = out.readLine(); text != null; text = out.readLine()) {
            Matcher matcher = line.matcher(text);
            if (matcher.find()) {
                Thread drain = new Thread(() -> drain(out), "drain");
                drain.setDaemon(true);
                drain.start();
                return new ChildProgram(process, text);
            }
        }
        throw new IOException(command + ": ended before it listened: " + tail(log));
    }

    /** Starts a program of which nothing is heard. */
    public static ChildProgram start(List<String> command, Path log) throws IOException {
        File file = log.toFile();
        return new ChildProgram(
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(file)
                        .start(),
                "");
    }

    private static String tail(Path log) throws IOException {
        List<String> lines = Files.readAllLines(log);
        return String.join(" | ", lines.subList(Math.max(0, lines.size() - 5), lines.size()));
    }

    private static void drain(BufferedReader out) {
        try {
            out.transferTo(Writer.nullWriter());
        } catch (IOException expected) {
            // The program was ended.
        }
    }

    /** The line in which it said that it listens. */
    public String ready() {
        return ready;
    }

    /** Its process id. */
    public long pid() {
        return process.pid();
    }

    /** Its figures of now. */
    public ProcessFigures figures() {
        return ProcessFigures.of(process.toHandle());
    }

    /** Forgets the most memory that it took so far. */
    public void resetPeak() {
        ProcessFigures.resetPeak(process.toHandle());
    }

    /** Waits a moment, less where the process ends; false where it has ended. */
    public boolean isAliveAfter(Duration moment) {
        try {
            return !process.waitFor(moment.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Ends it, by force where it does not end by itself. */
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(end);
        } catch (IllegalStateException expected) {
            // The run is being ended.
        }
        process.destroy();
        try {
            if (!process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
    }
}
