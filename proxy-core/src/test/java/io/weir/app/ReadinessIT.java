package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.WeirProcess;
import io.weir.testing.traffic.EchoNode;
import io.weir.testing.traffic.HttpConnection;
import java.net.ConnectException;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Readiness for balancers, and its order with the drain at SIGTERM. */
final class ReadinessIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long DELAY_MILLIS = 5_000;

    private static ConfigurationText configuration(EchoNode node) {
        return ConfigurationText.of("main", "1").upstream("node", node.url()).setting("server.health-path = /up");
    }

    private static int status(WeirProcess weir) {
        return JsonRpcClient.get("http://127.0.0.1:" + weir.port() + "/up").statusCode();
    }

    private static HttpResponse<String> ready(WeirProcess weir, String query) {
        return JsonRpcClient.get("http://127.0.0.1:" + weir.adminPort() + "/health/ready" + query);
    }

    @Test
    void aDeadTestNetworkDoesNotFailTheReadinessOfAll() throws Exception {
        try (EchoNode node = EchoNode.start("echo", 1);
                WeirProcess weir = WeirProcess.start(configuration(node)
                        .setting("networks.testing { chain-id = 2, optional = true }")
                        .setting("networks.testing.upstreams.gone.url = \"http://127.0.0.1:1\"")
                        .text())) {
            await().atMost(PATIENCE).until(() -> ready(weir, "").statusCode() == 200);
            assertThat(ready(weir, "").body()).isEqualTo("ready\nno usable upstream: testing\n");
            assertThat(ready(weir, "?network=main").statusCode()).isEqualTo(200);
            assertThat(ready(weir, "?network=testing").statusCode()).isEqualTo(503);
            assertThat(ready(weir, "?network=other").statusCode()).isEqualTo(404);
            assertThat(status(weir)).isEqualTo(200);
            assertThat(weir.admin().metric("weir_ready")).isEqualTo(1);
        }
    }

    @Test
    void afterSigtermHealthChecksFailFirstAndCallsAreServedForTheDelay() throws Exception {
        try (EchoNode node = EchoNode.start("echo", 1);
                WeirProcess weir = WeirProcess.start(configuration(node)
                        .setting("server.drain-delay = " + DELAY_MILLIS + " ms")
                        .text())) {
            await().atMost(PATIENCE).until(() -> status(weir) == 200);
            long terminated = System.nanoTime();
            weir.process().terminate();
            await().atMost(PATIENCE).until(() -> status(weir) == 503);
            assertThat(ready(weir, "").body()).isEqualTo("draining\n");
            assertThat(ready(weir, "?network=main").statusCode()).isEqualTo(503);
            try (HttpConnection fresh = HttpConnection.open(weir.port())) {
                assertThat(fresh.post("/v3/demo", JsonRpcClient.call("eth_chainId"))
                                .status())
                        .isEqualTo(200);
            }
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThatThrownBy(
                                    () -> HttpConnection.open(weir.port()).close())
                            .hasRootCauseInstanceOf(ConnectException.class));
            assertThat(System.nanoTime() - terminated)
                    .isGreaterThanOrEqualTo(Duration.ofMillis(DELAY_MILLIS).toNanos());
            assertThat(weir.process().awaitExit(PATIENCE)).isZero();
        }
    }
}
