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

/** h2load over HTTP/1.1 with one thread: a second opinion where the request is always the same. Confined to the run's thread. */
public final class H2load {

    private static final Pattern RATE = Pattern.compile("finished in [^,]+, ([0-9.]+) req/s");
    private static final Pattern STATUS =
            Pattern.compile("status codes: (\\d+) 2xx, (\\d+) 3xx, (\\d+) 4xx, (\\d+) 5xx");

    private final Workshop workshop;

    /** Runs in a workshop. */
    public H2load(Workshop workshop) {
        this.workshop = workshop;
    }

    /** Loads a server. */
    public Outcome load(Target target, Traffic.Same traffic, int connections, Duration time) throws IOException {
        long seconds = Math.max(1, Math.round(time.toMillis() / 1000.0));
        Path body = workshop.file("h2load.body");
        Files.write(body, traffic.body());
        List<String> command = workshop.pinning()
                .driver(List.of(
                        Tool.H2LOAD.path(),
                        "--h1",
                        "-t1",
                        "-c" + connections,
                        "-D" + seconds,
                        "-H",
                        "Content-Type: application/json",
                        "-d",
                        body.toString(),
                        target.url()));
        String text = String.join("\n", Tool.output(command.toArray(String[]::new)));
        Matcher rate = RATE.matcher(text);
        Matcher status = STATUS.matcher(text);
        if (!rate.find() || !status.find()) {
            throw new IOException("h2load: " + text);
        }
        long bad = Long.parseLong(status.group(2)) + Long.parseLong(status.group(3)) + Long.parseLong(status.group(4));
        long requests = Math.round(Double.parseDouble(rate.group(1)) * seconds);
        String problem = bad == 0 ? null : "h2load: " + status.group();
        return new Outcome(requests, bad, problem, Duration.ofSeconds(seconds), null, null);
    }
}
