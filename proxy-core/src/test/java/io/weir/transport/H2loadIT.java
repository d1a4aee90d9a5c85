package io.weir.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.metrics.Meter;
import io.weir.testing.Machine;
import io.weir.testing.NoLeaks;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The listener under h2load, a client of HTTP/2 of its own kind: many streams at once on some connections. */
@NoLeaks
class H2loadIT {

    private static final int CALLS = 5_000;

    @TempDir
    private Path folder;

    @Test
    void everyCallIsAnsweredWithoutTls() throws Exception {
        check(new ServerBounds());
    }

    @Test
    void everyCallIsAnsweredOverTls() throws Exception {
        check(new ServerBounds().secured());
    }

    private void check(ServerBounds bounds) throws Exception {
        Machine.assumeProgram("h2load", "apt-get install nghttp2-client");
        Path call = Files.writeString(folder.resolve("call.json"), Http2IT.CALL);
        try (TestProxy proxy = new TestProxy(bounds)) {
            String output = run(
                    "h2load",
                    "--requests=" + CALLS,
                    "--clients=5",
                    "--max-concurrent-streams=50",
                    "--data=" + call,
                    "--header=content-type: application/json",
                    proxy.uri(Http2IT.PATH).toString());
            assertThat(output)
                    .contains("Application protocol: h2")
                    .contains(CALLS + " succeeded, 0 failed, 0 errored, 0 timeout")
                    .contains("status codes: " + CALLS + " 2xx, 0 3xx, 0 4xx, 0 5xx");
            assertThat(proxy.runner.calls()).isEqualTo(CALLS);
            await().until(() -> proxy.gauge(Meter.CONNECTIONS) == 0 && proxy.gauge(Meter.BYTES_IN_FLIGHT) == 0);
        }
    }

    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
