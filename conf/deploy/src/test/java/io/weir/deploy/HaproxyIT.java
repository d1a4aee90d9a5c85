package io.weir.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.ChildProcess;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.Machine;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The example of a balancer, in front of proxies of the archive. */
@Execution(ExecutionMode.CONCURRENT)
final class HaproxyIT {

    private static final String CALL = JsonRpcClient.call("eth_chainId");

    @TempDir
    private static Path folder;

    @TempDir
    private static Path own;

    private static Unpacked unpacked;
    private static Path config;

    @BeforeAll
    static void unpack() throws IOException {
        Machine.assumeProgram("setpriv", "apt-get install util-linux");
        Haproxy.program();
        unpacked = new Unpacked(folder);
        // Checks are ten times as fast as the example's. The delay is its own: the test calls the proxy within it.
        String settings = Haproxy.settings();
        assertThat(settings).contains("drain-delay = 10 s");
        // A client that calls without a pause exceeds the rate of the example's key.
        settings += "access.keys.demo.rate.calls-per-second = 0\n";
        config = Files.writeString(unpacked.onFreePorts(), Files.readString(unpacked.onFreePorts()) + settings);
    }

    private static ChildProcess proxy(String data) throws IOException {
        return unpacked.start(
                Map.of("WEIR_DATA", unpacked.writable(data).toString()), "run", "--config", config.toString());
    }

    /** Waits until a proxy passes its health check. Returns its port. */
    private static int port(ChildProcess proxy) {
        URI url = URI.create(Unpacked.url(proxy));
        await().until(() -> JsonRpcClient.get(url.resolve("/health").toString()).statusCode() == 200);
        return url.getPort();
    }

    @Test
    void aProxyThatEndsFailsNoCall() throws Exception {
        try (ChildProcess first = proxy("first");
                ChildProcess second = proxy("second");
                Haproxy balancer = Haproxy.start(own, Haproxy.example(), port(first), port(second));
                Calls calls = new Calls(balancer)) {
            await().until(() -> calls.answered() > 20);

            first.terminate();
            balancer.awaitServer("weir/weir-1", "DOWN");
            // It is out of the balancer before its listener closes.
            assertThat(new JsonRpcClient(Unpacked.url(first)).post(CALL).statusCode())
                    .isEqualTo(200);
            assertThat(first.awaitExit(Unpacked.PATIENCE)).as(first.told()).isZero();
            int before = calls.answered();
            await().until(() -> calls.answered() > before + 20);

            assertThat(calls.end()).isEmpty();
        }
    }

    @Test
    void aPausedProxyStaysInServiceOnlyWithATimeoutOfChecks() throws Exception {
        // It takes more failed checks, so that the example's servers would be down before.
        String withoutTimeout = """

                defaults
                  mode http
                  log global
                  timeout connect 5s
                  timeout client 75s
                  timeout server 75s
                backend hasty
                  option httpchk GET /health
                  default-server check inter 2s fall 5 rise 2
                  server weir-1 10.0.0.11:8545
                """;
        try (ChildProcess proxy = proxy("paused");
                Haproxy balancer = Haproxy.start(own, Haproxy.example() + withoutTimeout, port(proxy), port(proxy));
                Calls calls = new Calls(balancer)) {
            proxy.suspend();
            balancer.awaitServer("hasty/weir-1", "DOWN, reason: Layer7 timeout");
            proxy.resume();
            balancer.awaitServer("hasty/weir-1", "UP");
            // The first check of a server takes it down alone. Only from now on all failures count that the file asks
            // for.
            proxy.suspend();
            await().until(() -> balancer.process().out().stream()
                            .filter(line -> line.contains("Server hasty/weir-1 is DOWN"))
                            .count()
                    == 2);
            proxy.resume();

            assertThat(balancer.process().out()).noneMatch(line -> line.contains("Server weir/"));
            assertThat(calls.end()).isEmpty();
        }
    }

    /** Calls one after the other, at short intervals, each of which must have a result. */
    private static final class Calls implements AutoCloseable {

        private static final long PAUSE_MILLIS = 5;

        private final JsonRpcClient client;
        private final AtomicInteger answered = new AtomicInteger();
        private final CompletableFuture<String> failure = new CompletableFuture<>();
        private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

        Calls(Haproxy balancer) {
            client = new JsonRpcClient(balancer.url());
            // HAProxy may not listen yet.
            await().ignoreExceptions()
                    .until(() ->
                            !balancer.process().alive() || client.post(CALL).statusCode() == 200);
            assertThat(balancer.process().alive()).as(balancer.process().told()).isTrue();
            clock.scheduleWithFixedDelay(this::call, 0, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        }

        private void call() {
            try {
                HttpResponse<String> answer = client.post(CALL);
                if (answer.statusCode() == 200 && answer.body().contains("\"result\":\"0x539\"")) {
                    answered.incrementAndGet();
                } else {
                    failure.complete(answer + " " + answer.body());
                }
            } catch (RuntimeException e) {
                failure.complete(e.toString());
            }
        }

        int answered() {
            assertThat(failure).isNotDone();
            return answered.get();
        }

        /** Ends the calls. Returns the answer that was none; empty if each one was. */
        String end() throws Exception {
            clock.shutdown();
            assertThat(clock.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
            return failure.getNow("");
        }

        @Override
        public void close() {
            clock.shutdownNow();
        }
    }
}
