package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.ConfigurationText;
import io.weir.testing.Machine;
import io.weir.testing.WeirProcess;
import io.weir.testing.traffic.CallConnection;
import io.weir.testing.traffic.EchoNode;
import io.weir.testing.traffic.FrameConnection;
import io.weir.testing.traffic.KeepAliveConnection;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Thousands of connections, most of them idle, and a small heap. */
final class ManyConnectionsIT {

    private static final int IDLE = 5_000;
    private static final int BUSY = 500;
    private static final int ROUNDS = 4;
    private static final int THREADS = 10;
    private static final int OTHER_FILES = 1_500;

    @Test
    void fiveThousandIdleConnectionsAndFiveHundredBusyOnesAreServedWithASmallHeap() throws Exception {
        Machine.assumeOpenFiles(IDLE + BUSY + OTHER_FILES);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (EchoNode node = EchoNode.start("a", 1);
                WeirProcess weir = WeirProcess.start(List.of("-Xmx256m"), configuration(node))) {
            await().until(() -> weir.admin().readyStatus() == 200);
            List<Group> groups = onEach(threads, THREADS, number -> new Group(weir.port(), number));
            await().until(() -> weir.admin().metric("weir_connections") == IDLE + BUSY);
            await().until(() -> weir.admin().metric("weir_websockets") == (IDLE + BUSY) / 2.0);
            onEach(threads, THREADS, number -> groups.get(number).callBusy(ROUNDS));
            onEach(threads, THREADS, number -> groups.get(number).callAll());
            await().atMost(Duration.ofSeconds(60)).until(() -> weir.admin().metric("weir_bytes_in_flight") == 0);
            assertThat(weir.process().alive()).isTrue();
            onEach(threads, THREADS, number -> groups.get(number).close());
            assertThat(weir.process().told()).doesNotContain("OutOfMemory");
        } finally {
            threads.shutdownNow();
        }
    }

    private static String configuration(EchoNode node) {
        return ConfigurationText.of("main", "1").upstream("a", node.url()).text();
    }

    /** The work of a thread. */
    private interface Work<T> {
        T run(int number) throws Exception;
    }

    private static <T> List<T> onEach(ExecutorService threads, int count, Work<T> work) throws Exception {
        List<Callable<T>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = i;
            all.add(() -> work.run(number));
        }
        List<T> results = new ArrayList<>();
        for (Future<T> result : threads.invokeAll(all, 2, TimeUnit.MINUTES)) {
            results.add(result.get());
        }
        return results;
    }

    /** The connections of one thread: HTTP and WebSocket in turn. */
    private static final class Group {

        private final int number;
        private final List<CallConnection> busy = new ArrayList<>();
        private final List<CallConnection> all = new ArrayList<>();
        private int calls;

        Group(int port, int number) throws IOException {
            this.number = number;
            while (all.size() < (IDLE + BUSY) / THREADS) {
                List<CallConnection> opened = new ArrayList<>();
                for (int i = 0; i < BUSY / THREADS; i++) {
                    opened.add(i % 2 == 0 ? new KeepAliveConnection(port) : new FrameConnection(port));
                }
                // Later they may be idle for minutes, but a new connection must call at once.
                call(opened);
                all.addAll(opened);
            }
            busy.addAll(all.subList(0, BUSY / THREADS));
        }

        /** Has every busy connection ask at the same time, again and again. */
        Void callBusy(int rounds) throws IOException {
            for (int round = 0; round < rounds; round++) {
                call(busy);
            }
            return null;
        }

        Void callAll() throws IOException {
            for (int from = 0; from < all.size(); from += busy.size()) {
                call(all.subList(from, from + busy.size()));
            }
            return null;
        }

        private void call(List<CallConnection> connections) throws IOException {
            int first = calls;
            for (CallConnection connection : connections) {
                connection.send("{\"jsonrpc\":\"2.0\",\"id\":" + calls + ",\"method\":\"trace_get\",\"params\":[\""
                        + number + "-" + calls + "\"]}");
                calls++;
            }
            for (int i = 0; i < connections.size(); i++) {
                assertThat(connections.get(i).read())
                        .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":" + (first + i)
                                + ",\"result\":{\"node\":\"a\",\"method\":\"trace_get\",\"params\":[\"" + number
                                + "-" + (first + i) + "\"]}}");
            }
        }

        Void close() throws IOException {
            for (CallConnection connection : all) {
                connection.close();
            }
            return null;
        }
    }
}
