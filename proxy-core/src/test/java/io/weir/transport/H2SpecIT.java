package io.weir.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.Machine;
import io.weir.testing.NoLeaks;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The listener against h2spec, whose cases cover all of HTTP/2 and of its compression of headers. */
@ExtendWith(NoLeaks.class)
class H2SpecIT {

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
            Process run = new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(run.getInputStream().readAllBytes(), UTF_8);
            run.waitFor();
            // The progress names a failure as well as the summary.
            assertThat(FAILED.matcher(output)
                            .results()
                            .map(failed -> failed.group(1))
                            .distinct())
                    .as(output)
                    .containsExactlyElementsOf(failing);
            assertThat(output).contains("146 tests, " + (146 - failing.size()) + " passed, 0 skipped");
        }
    }
}
