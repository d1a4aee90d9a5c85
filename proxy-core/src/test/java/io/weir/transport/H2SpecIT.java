package io.weir.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.metrics.Meter;
import io.weir.testing.Machine;
import io.weir.testing.NoLeaks;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The listener against h2spec, whose cases cover all of HTTP/2 and of its compression of headers. */
@NoLeaks
class H2SpecIT {

    /**
     * Some cases send a false frame behind a request without waiting for its answer. They fail if the answer has ended the stream before the
     * frame arrives. What fails in every run is no such race.
     */
    private static final int RUNS = 5;

    /** A case that failed. */
    private static final Pattern FAILED = Pattern.compile("(?m)^ *\u00d7 \\d+: (.*)$");

    @Test
    void everyCasePassesWithoutTls() throws Exception {
        // Bytes that are no preface are a request of HTTP/1.1 on this port, with an answer of HTTP/1.1: 400.
        check(new ServerBounds(), List.of("Sends invalid connection preface"));
    }

    @Test
    void everyCasePassesOverTls() throws Exception {
        check(new ServerBounds().secured(), List.of(), "--tls", "--insecure");
    }

    private static void check(ServerBounds bounds, List<String> failing, String... options) throws Exception {
        String program = Machine.program("h2spec", "WEIR_H2SPEC", "bin/h2spec");
        bounds.healthPath = "/health";
        try (TestProxy proxy = new TestProxy(bounds)) {
            List<String> command = new ArrayList<>(List.of(program, "--strict", "--timeout", "10"));
            command.addAll(List.of(options));
            command.addAll(List.of("--host", "127.0.0.1", "--port", String.valueOf(proxy.port()), "--path", "/health"));
            List<String> failed = failed(command);
            for (int run = 1; run < RUNS && !failed.equals(failing); run++) {
                failed.retainAll(failed(command));
            }
            assertThat(failed).containsExactlyElementsOf(failing);
            await().until(() -> proxy.gauge(Meter.CONNECTIONS) == 0);
        }
    }

    /** Returns the cases that failed in a whole run, each once. */
    private static List<String> failed(List<String> command) throws Exception {
        Process run = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(run.getInputStream().readAllBytes(), UTF_8);
        run.waitFor();
        // The progress names a failure as well as the summary.
        List<String> failed = FAILED.matcher(output)
                .results()
                .map(found -> found.group(1))
                .distinct()
                .collect(Collectors.toCollection(ArrayList::new));
        assertThat(output).contains("146 tests, " + (146 - failed.size()) + " passed, 0 skipped");
        return failed;
    }
}
