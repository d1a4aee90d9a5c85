package io.weir.bench.load.server;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** A program of the system that a run uses where it is there, and how to get it. */
public enum Tool {
    NGINX("nginx", "Debian package nginx-light or nginx", "-v"),
    HAPROXY("haproxy", "Debian package haproxy", "-v"),
    WRK("wrk", "Debian package wrk", "-v"),
    H2LOAD("h2load", "Debian package nghttp2-client", "--version"),
    TASKSET("taskset", "Debian package util-linux", "--version"),
    ERPC("erpc", "go install github.com/erpc/erpc/cmd/erpc@main, or built from its source", "--version");

    private final String program;
    private final String source;
    private final String versionFlag;

    Tool(String program, String source, String versionFlag) {
        this.program = program;
        this.source = source;
        this.versionFlag = versionFlag;
    }

    /** Whether it is on the PATH, or where a system keeps its servers. */
    public boolean isThere() {
        return !path().isEmpty();
    }

    /** Its file; empty where it is not there. */
    public String path() {
        String path = System.getenv("PATH");
        return Stream.concat(
                        Stream.of((path == null ? "" : path).split(File.pathSeparator)),
                        Stream.of("/usr/sbin", "/usr/local/sbin"))
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst()
                .orElse("");
    }

    /** Why what needs it is left out. */
    public String missing() {
        return program + " is not on the PATH (" + source + ")";
    }

    /** The first line with a number in what it says of its version. */
    public String version() {
        List<String> lines = isThere() ? output(path(), versionFlag) : List.of();
        return lines.stream()
                .filter(line -> line.chars().anyMatch(Character::isDigit))
                .findFirst()
                .map(String::strip)
                .orElse(program + ", version unknown");
    }

    /** All lines that a short command prints; none where it cannot be run. */
    public static List<String> output(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            process.waitFor();
            return new ArrayList<>(text.lines().toList());
        } catch (IOException e) {
            return List.of();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
