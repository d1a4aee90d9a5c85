package io.weir.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.metrics.Meter;
import io.weir.testing.AutobahnSuite;
import io.weir.testing.AutobahnSuite.Verdict;
import io.weir.testing.NoLeaks;
import io.weir.transport.websocket.EchoHandler;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The Autobahn test suite against the listener's own WebSockets, which here send every message back. */
@NoLeaks
class AutobahnIT {

    /** So many has the suite in the sections from framing to close handling. */
    private static final int PROTOCOL_CASES = 246;

    /** And so many of large messages and of automatic fragmentation. */
    private static final int LONG_CASES = 55;

    /** Keeps the suite's account of every frame where a case does not end as it should. */
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path folder;

    @Test
    void everyCaseOfTheProtocolEndsAsListed() throws IOException {
        assertEndAsListed(
                PROTOCOL_CASES, List.of("1.*", "2.*", "3.*", "4.*", "5.*", "6.*", "7.*"), Duration.ofMinutes(4));
    }

    @Tag("thorough")
    @Test
    void everyCaseOfLargeMessagesEndsAsListed() throws IOException {
        assertEndAsListed(LONG_CASES, List.of("9.*", "10.*"), Duration.ofMinutes(30));
    }

    private void assertEndAsListed(int count, List<String> cases, Duration timeout) throws IOException {
        ServerBounds bounds = new ServerBounds();
        bounds.maxBodyBytes = 16 << 20;
        bounds.bytesInFlight = 256 << 20;
        try (TestProxy proxy = new TestProxy(bounds, EchoHandler::upgrade)) {
            proxy.current.publish(proxy.generation(true));
            Map<String, Verdict> verdicts = new AutobahnSuite(folder).run(proxy.webSocketUri("/ws"), cases, timeout);
            assertThat(verdicts).hasSize(count);
            Map<String, Verdict> listed = listed();
            listed.keySet().retainAll(verdicts.keySet());
            verdicts.values().removeIf(Verdict.OK::equals);
            assertThat(verdicts).as("accounts in %s", folder).isEqualTo(listed);
            await().until(() -> proxy.gauge(Meter.BYTES_IN_FLIGHT) == 0);
        }
    }

    /** The cases that do not end well in both ways, which have their reasons. */
    private static Map<String, Verdict> listed() throws IOException {
        Map<String, Verdict> listed = new TreeMap<>();
        try (InputStream file = AutobahnIT.class.getResourceAsStream("/autobahn/verdicts.csv")) {
            String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
            text.lines().skip(1).map(line -> line.split(",", 4)).forEach(row -> {
                assertThat(row).as("columns").hasSize(4);
                assertThat(row[3]).as("reason for %s", row[0]).isNotBlank();
                listed.put(row[0], new Verdict(row[1], row[2]));
            });
        }
        return listed;
    }
}
