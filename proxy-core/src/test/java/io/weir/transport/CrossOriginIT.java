package io.weir.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.NoLeaks;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The CORS headers for pages of browsers, with and without a configuration of their origins. */
@NoLeaks
class CrossOriginIT {

    private static final String PATH = "/v3/" + TestProxy.KEY;
    private static final String CALL = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"network\"}";
    private static final String ALLOW = "Access-Control-Allow-Origin";
    private static final String APP = "https://app.test";

    private final ServerBounds bounds = new ServerBounds();

    private static String preflight(String path, String origin) {
        return "OPTIONS " + path + " HTTP/1.1\r\nHost: a\r\nOrigin: " + origin
                + "\r\nAccess-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: content-type\r\n\r\n";
    }

    @Test
    void aPageThatIsNamedMayAskAndRead() throws Exception {
        bounds.corsOrigins = Set.of(APP);
        bounds.corsHeaders = List.of("X-App");
        try (TestProxy proxy = new TestProxy(bounds);
                RawConnection connection = new RawConnection(proxy)) {
            RawConnection.Answer asked = connection.send(preflight(PATH, APP)).read();
            assertThat(asked.status()).isEqualTo(204);
            assertThat(asked.header(ALLOW)).isEqualTo(APP);
            assertThat(asked.header("Access-Control-Allow-Methods")).isEqualTo("POST");
            assertThat(asked.header("Access-Control-Allow-Headers"))
                    .isEqualTo(
                            "Content-Type, Authorization, X-Api-Key, Cache-Control, Weir-Require, traceparent, tracestate, X-App");
            assertThat(asked.header("Access-Control-Max-Age")).isEqualTo("600");
            assertThat(asked.header("Vary")).isEqualTo("Origin");
            assertThat(proxy.runner.calls()).isZero();
            RawConnection.Answer answer = connection
                    .send(RawConnection.post(PATH, CALL, "Origin: " + APP))
                    .read();
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.header(ALLOW)).isEqualTo(APP);
            assertThat(answer.header("Access-Control-Expose-Headers")).contains("Retry-After");
            RawConnection.Answer refused = connection
                    .send(RawConnection.post("/v3/wrong", CALL, "Origin: " + APP))
                    .read();
            assertThat(refused.status()).isEqualTo(401);
            assertThat(refused.header(ALLOW)).isEqualTo(APP);
        }
    }

    @Test
    void anotherPageGetsNoCorsHeaders() throws Exception {
        bounds.corsOrigins = Set.of(APP);
        try (TestProxy proxy = new TestProxy(bounds);
                RawConnection connection = new RawConnection(proxy)) {
            RawConnection.Answer asked =
                    connection.send(preflight(PATH, "https://evil.test")).read();
            assertThat(asked.status()).isEqualTo(403);
            assertThat(asked.header(ALLOW)).isNull();
            assertThat(asked.header("Vary")).isEqualTo("Origin");
            RawConnection.Answer two = connection
                    .send(RawConnection.post(PATH, CALL, "Origin: " + APP, "Origin: https://evil.test"))
                    .read();
            assertThat(two.status()).isEqualTo(403);
            assertThat(two.header(ALLOW)).isNull();
            assertThat(connection.send(preflight("/a/b/c", APP)).read().status())
                    .isEqualTo(404);
        }
    }

    @Test
    void everyPageMayWhereTheConfigurationSaysSo() throws Exception {
        bounds.corsOrigins = Set.of("*");
        try (TestProxy proxy = new TestProxy(bounds);
                RawConnection connection = new RawConnection(proxy)) {
            RawConnection.Answer asked =
                    connection.send(preflight(PATH, "null")).read();
            assertThat(asked.status()).isEqualTo(204);
            assertThat(asked.header(ALLOW)).isEqualTo("*");
            assertThat(asked.header("Vary")).isNull();
            assertThat(connection.send(RawConnection.post(PATH, CALL)).read().header(ALLOW))
                    .isNull();
        }
    }

    @Test
    void nothingIsSaidByDefault() throws Exception {
        try (TestProxy proxy = new TestProxy(bounds);
                RawConnection connection = new RawConnection(proxy)) {
            assertThat(connection.send(preflight(PATH, APP)).read().status()).isEqualTo(403);
            RawConnection.Answer answer = connection
                    .send(RawConnection.post(PATH, CALL, "Origin: " + APP))
                    .read();
            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.headers())
                    .noneMatch(line -> line.startsWith("Access-Control-") || line.startsWith("Vary: Origin"));
        }
    }
}
