package io.weir.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A program that runs beside a test, and what it writes. Thread-safe. */
public final class ChildProcess implements AutoCloseable {

    private static final Duration END_TIMEOUT = Duration.ofSeconds(60);

    private final String name;
    private final Process process;
    private final OutputLines out;
    private final OutputLines err;

    private ChildProcess(String name, Process process) {
        this.name = name;
        this.process = process;
        this.out = OutputLines.of(process.getInputStream(), name + " stdout");
        this.err = OutputLines.of(process.getErrorStream(), name + " stderr");
    }

    /**
     * Starts a program.
     *
     * @param name what it is called in failure messages
     * @param environment added to this process's own
     */
    public static ChildProcess start(String name, Path folder, Map<String, String> environment, List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            return new ChildProcess(name, process);
        } catch (IOException e) {
            throw new UncheckedIOException(name + ": " + command, e);
        }
    }

    /** Starts a class of the class path of the tests, in a virtual machine that starts fast. */
    public static ChildProcess startJava(String name, Path folder, Class<?> program, String... arguments) {
        String java = ProcessHandle.current().info().command().orElse("java");
        List<String> command = new ArrayList<>(List.of(
                java, "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), program.getName()));
        command.addAll(List.of(arguments));
        return start(name, folder, Map.of(), command);
    }

    /** Waits for a line on standard output in which the pattern is found. Fails where there is none in time. */
    public MatchResult awaitLine(Pattern pattern, Duration timeout) {
        return awaitLine(out, pattern, timeout);
    }

    /** Waits for a line on standard error in which the pattern is found. Fails where there is none in time. */
    public MatchResult awaitErrorLine(Pattern pattern, Duration timeout) {
        return awaitLine(err, pattern, timeout);
    }

    private MatchResult awaitLine(OutputLines lines, Pattern pattern, Duration timeout) {
        try {
            Matcher found = lines.await(pattern, timeout);
            if (found == null) {
                throw new AssertionError(name + ": no line with " + pattern + " within " + timeout + told());
            }
            return found.toMatchResult();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Waits for the program's end and for the end of its output. Fails where it does not end in time. */
    public int awaitExit(Duration timeout) {
        try {
            if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError(name + ": did not end within " + timeout + told());
            }
            out.awaitEnd(END_TIMEOUT);
            err.awaitEnd(END_TIMEOUT);
            return process.exitValue();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Sends SIGTERM. */
    public void terminate() {
        // By the handle: the process's own method would close its output unread.
        process.toHandle().destroy();
    }

    /** Sends SIGHUP. */
    public void hangUp() {
        signal("-HUP");
    }

    /** Sends SIGSTOP: it does nothing more, and its connections stay. */
    public void suspend() {
        signal("-STOP");
    }

    /** Sends SIGCONT. */
    public void resume() {
        signal("-CONT");
    }

    private void signal(String name) {
        try {
            int exit = new ProcessBuilder("kill", name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw new AssertionError("kill " + name + ": exit code " + exit);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Sends SIGKILL and waits for the end. */
    public void kill() {
        process.toHandle().destroyForcibly();
        awaitExit(END_TIMEOUT);
    }

    /** What the system knows of it, and of the processes that it started. */
    public ProcessHandle handle() {
        return process.toHandle();
    }

    /** Whether it runs. */
    public boolean alive() {
        return process.isAlive();
    }

    /** What it has written to standard output so far. */
    public List<String> out() {
        return out.soFar();
    }

    /** What it has written to standard error so far. */
    public List<String> err() {
        return err.soFar();
    }

    /** All that it has written, to be added to a failure message. */
    public String told() {
        return "\n--- " + name + " stdout\n" + String.join("\n", out()) + "\n--- " + name + " stderr\n"
                + String.join("\n", err()) + "\n---";
    }

    @Override
    public void close() {
        kill();
    }

    private static IllegalStateException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("interrupted while waiting for a child process", e);
    }
}
