package io.weir.bench.load.drive;

import io.weir.bench.load.server.RunningServer.Target;
import io.weir.bench.load.server.Tool;
import io.weir.bench.load.server.Workshop;
import io.weir.bench.load.traffic.Traffic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * wrk with one thread and a script written for the traffic. It looks at statuses, and at the size of all answers together. A
 * connection of our own driver checks contents beside it: a script that reads answers would make wrk slower than the servers.
 * Confined to the run's thread.
 */
public final class Wrk {

    private static final Pattern RESULT =
            Pattern.compile("RESULT (\\d+) (\\d+) (\\d+) (\\d+) (\\d+) (\\d+) (\\d+) (\\d+)");

    private final Workshop workshop;

    /** Runs in a workshop. */
    public Wrk(Workshop workshop) {
        this.workshop = workshop;
    }

    /**
     * Loads a server.
     *
     * @param leastBytes that answers have in the mean; fewer is a problem
     */
    public Outcome load(Target target, Traffic traffic, int connections, Duration time, double leastBytes)
            throws IOException {
        long seconds = Math.max(1, Math.round(time.toMillis() / 1000.0));
        Path script = WrkScript.write(workshop, target, traffic);
        List<String> command = workshop.pinning()
                .driver(List.of(
                        Tool.WRK.path(),
                        "-t1",
                        "-c" + connections,
                        "-d" + seconds + "s",
                        "--timeout",
                        "10s",
                        "-s",
                        script.toString(),
                        target.url()));
        String text = String.join("\n", Tool.output(command.toArray(String[]::new)));
        Matcher result = RESULT.matcher(text);
        if (!result.find()) {
            throw new IOException("wrk: " + text);
        }
        Files.deleteIfExists(script);
        return outcome(result, leastBytes);
    }

    private static Outcome outcome(Matcher result, double leastBytes) {
        long requests = Long.parseLong(result.group(1));
        Duration took = Duration.ofNanos(Long.parseLong(result.group(2)) * 1000);
        double bytes = Double.parseDouble(result.group(3)) / Math.max(1, requests);
        long errors = 0;
        for (int group = 4; group <= 8; group++) {
            errors += Long.parseLong(result.group(group));
        }
        String problem = errors == 0
                ? null
                : "wrk: connect, read, write, status, timeout: "
                        + result.group().substring("RESULT ".length());
        if (requests > 0 && bytes < leastBytes) {
            errors++;
            problem = "wrk: answers of %.0f bytes in the mean (expected: at least %.0f)".formatted(bytes, leastBytes);
        }
        return new Outcome(requests - Math.min(errors, requests), errors, problem, took, null, null);
    }
}
