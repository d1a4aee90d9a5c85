package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.AdminClient;
import io.weir.testing.Runs;
import io.weir.testing.traffic.EchoNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The bill of a replayed day: calls, units and bytes per key and method, over HTTP and WebSocket, alone and in batches, answered by a
 * node, from memory, or with errors. {@code -Dweir.bill.calls=100000} replays a whole day.
 */
final class KeyBillIT {

    private static final int CALLS = Runs.number("weir.bill.calls", 4_000, 100_000);
    private static final int CLIENTS = 4;
    private static final Pattern LINE =
            Pattern.compile("weir_key_(calls|units|bytes)_total\\{(.*)} ([0-9.E+]+)", Pattern.MULTILINE);
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

    private static final String CONFIG = """
            server.port = 0
            admin.port = 0
            plugins.path = []
            default-network = main
            networks.main { chain-id = 1, verify = off, upstreams.node.url = "%s" }
            access.keys {
              alpha { sha256 = "%s" }
              beta { sha256 = "%s" }
              gamma { sha256 = "%s", methods = ["eth_*"] }
              limited { sha256 = "%s", rate { calls-per-second = 1, burst = 5 } }
            }
            """;

    @Test
    void theFiguresOfEachKeyAndMethodAreThoseOfTheDay() {
        try (EchoNode node = EchoNode.start("node", 1);
                LocalProxy weir = LocalProxy.start(CONFIG.formatted(
                        node.url(),
                        CommandLineRun.sha256("alpha"),
                        CommandLineRun.sha256("beta"),
                        CommandLineRun.sha256("gamma"),
                        CommandLineRun.sha256("limited")))) {
            await().until(() -> weir.admin().readyStatus() == 200);
            Map<String, long[]> expected = replay(weir);
            Map<String, long[]> billed = billed(weir.admin().metrics());
            assertThat(billed.keySet()).isEqualTo(expected.keySet());
            // More than the 0.1 % that are asked for: a call counts before its answer leaves, so that nothing is
            // missing.
            billed.forEach((line, figures) ->
                    assertThat(figures).as("calls, units and bytes of " + line).isEqualTo(expected.get(line)));
            assertThat(expected.values().stream()
                            .mapToLong(figures -> figures[0])
                            .sum())
                    .isGreaterThanOrEqualTo(CALLS / CLIENTS * CLIENTS);
            assertThatTheNodeGotWhatWasCounted(node, weir.admin());
            assertThat(weir.admin().metric("weir_key_refusals_total", "key=\"limited\"", "reason=\"rate\""))
                    .isPositive();
        }
    }

    private static void assertThatTheNodeGotWhatWasCounted(EchoNode node, AdminClient admin) {
        List<String> asked = node.asked();
        if (asked.size() < EchoNode.MAX_REMEMBERED) {
            for (String method : List.of("eth_getBalance", "eth_call", "eth_estimateGas")) {
                String label = "method=\"" + method + '"';
                assertThat(admin.metric("weir_upstream_sent_total", label))
                        .as(method)
                        .isEqualTo(Collections.frequency(asked, method));
                assertThat(admin.metric("weir_upstream_sent_total", label, "cause=\"client\""))
                        .as(method)
                        .isPositive();
            }
        }
    }

    private static Map<String, long[]> replay(LocalProxy weir) {
        List<CompletableFuture<Map<String, long[]>>> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            long seed = i;
            clients.add(CompletableFuture.supplyAsync(() -> {
                try (DayOfCalls day = new DayOfCalls(weir, seed)) {
                    return day.replay(CALLS / CLIENTS);
                }
            }));
        }
        Map<String, long[]> bill = new TreeMap<>();
        clients.forEach(client -> client.join().forEach((line, figures) -> {
            long[] sum = bill.computeIfAbsent(line, any -> new long[3]);
            for (int i = 0; i < sum.length; i++) {
                sum[i] += figures[i];
            }
        }));
        return bill;
    }

    private static Map<String, long[]> billed(String metrics) {
        Map<String, long[]> bill = new TreeMap<>();
        Matcher lines = LINE.matcher(metrics);
        while (lines.find()) {
            Map<String, String> labels = new TreeMap<>();
            LABEL.matcher(lines.group(2)).results().forEach(label -> labels.put(label.group(1), label.group(2)));
            assertThat(labels.get("network")).isEqualTo("main");
            int column = List.of("calls", "units", "bytes").indexOf(lines.group(1));
            bill.computeIfAbsent(labels.get("key") + " " + labels.get("method"), any -> new long[3])[column] =
                    (long) Double.parseDouble(lines.group(3));
        }
        return bill;
    }
}
