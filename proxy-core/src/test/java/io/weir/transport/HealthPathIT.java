package io.weir.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.NoLeaks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Health checks of balancers at the JSON-RPC listener. */
@NoLeaks
class HealthPathIT {

    private static final String CALL = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"network\"}";

    private final ServerBounds bounds = new ServerBounds();

    private static String get(String target, String host, String... headers) {
        String lines = headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n";
        return "GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\n" + lines + "\r\n";
    }

    @Test
    void aCheckFollowsTheReadinessOnOneConnection() throws Exception {
        bounds.healthPath = "/health";
        try (TestProxy proxy = new TestProxy(bounds);
                RawConnection connection = new RawConnection(proxy)) {
            RawConnection.Answer early =
                    connection.send(get("/health", "localhost")).read();
            assertThat(early.status()).isEqualTo(503);
            assertThat(early.body()).isEqualTo("not ready\n");
            proxy.readiness.serve();
            RawConnection.Answer ready =
                    connection.send(get("/health", "localhost")).read();
            assertThat(ready.status()).isEqualTo(200);
            assertThat(ready.body()).isEqualTo("ready\n");
            assertThat(ready.header("Cache-Control")).isEqualTo("no-store");
            proxy.readiness.drain();
            assertThat(connection.send(get("/health", "localhost")).read().status())
                    .isEqualTo(503);
            assertThat(connection
                            .send(RawConnection.post("/v3/" + TestProxy.KEY, CALL))
                            .read()
                            .status())
                    .isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"192.0.2.1", "pool-member.internal", "10.0.0.7:8545", ""})
    void balancersMayWriteAnyHost(String host) throws Exception {
        bounds.healthPath = "/health";
        try (TestProxy proxy = new TestProxy(bounds);
                RawConnection connection = new RawConnection(proxy)) {
            proxy.readiness.serve();
            assertThat(connection.send(get("/health?probe=1", host)).read().status())
                    .isEqualTo(200);
            assertThat(connection.send(get("/healthy", host)).read().status()).isEqualTo(403);
        }
    }

    @Test
    void theRootMayBeTheHealthPathBesideCalls() throws Exception {
        bounds.healthPath = "/";
        try (TestProxy proxy = new TestProxy(bounds);
                RawConnection connection = new RawConnection(proxy)) {
            proxy.readiness.serve();
            proxy.current.publish(proxy.generation(true));
            assertThat(connection.send(get("/", "localhost")).read().status()).isEqualTo(200);
            assertThat(connection.send(RawConnection.post("/", CALL)).read().body())
                    .contains("\"result\"");
        }
    }

    @Test
    void aBodyOfACheckIsReadAndDropped() throws Exception {
        bounds.healthPath = "/health";
        try (TestProxy proxy = new TestProxy(bounds);
                RawConnection connection = new RawConnection(proxy)) {
            proxy.readiness.serve();
            String check = get("/health", "localhost", "Content-Length: 5") + "12345";
            assertThat(connection.send(check).read().status()).isEqualTo(200);
            assertThat(connection.send(check).read().status()).isEqualTo(200);
        }
    }

    @Test
    void withoutTheSettingThereIsNoSuchPath() throws Exception {
        try (TestProxy proxy = new TestProxy(bounds);
                RawConnection connection = new RawConnection(proxy)) {
            proxy.readiness.serve();
            RawConnection.Answer answer =
                    connection.send(get("/health", "localhost")).read();
            assertThat(answer.status()).isEqualTo(405);
        }
    }
}
