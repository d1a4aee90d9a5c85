package io.weir.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.NoLeaks;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** API keys in headers, over HTTP and in the handshake of a WebSocket. */
@NoLeaks
class HeaderKeyIT {

    private static final String CALL = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"network\"}";

    private TestProxy proxy;

    @BeforeEach
    void start() throws Exception {
        proxy = new TestProxy();
    }

    @AfterEach
    void stop() {
        proxy.close();
    }

    private RawConnection.Answer post(String path, String... headers) throws Exception {
        try (RawConnection connection = new RawConnection(proxy)) {
            return connection.send(RawConnection.post(path, CALL, headers)).read();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/, main, Authorization: Bearer half",
        "/, main, authorization: bearer   half",
        "/, main, X-Api-Key: half",
        "/, main, x-api-key:half",
        "/main, main, X-Api-Key: half",
        "/side, side, X-Api-Key: k/\u00c3\u00bc y",
        "/v3/half, main, X-Api-Key: half",
        "/v3/half, main, Authorization: Bearer half",
        "/v3/half, main, Authorization: Basic aGFsZg==",
    })
    void aKeyInAHeaderCountsAsOneInThePath(String path, String network, String header) throws Exception {
        RawConnection.Answer answer = post(path, header);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body()).contains(network);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Api-Key: wrong",
                "X-Api-Key:",
                "Authorization: Bearer wrong",
                "Authorization: Bearer ",
                "Authorization: Basic aGFsZg==",
                "Authorization: half",
                "Cookie: key=half"
            })
    void aHeaderWithoutAKnownKeyIsRejected(String header) throws Exception {
        RawConnection.Answer answer = post("/", header);
        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.body())
                .contains("-32001", header.endsWith("wrong") ? "invalid api key" : "no api key")
                .doesNotContain("wrong");
        assertThat(answer.header("WWW-Authenticate")).contains("Bearer", "ApiKey");
        assertThat(proxy.refused("key")).isEqualTo(1);
    }

    @Test
    void anUnknownKeyIsNoAnonymousCaller() throws Exception {
        proxy.current.publish(proxy.generation(true));
        assertThat(post("/").status()).isEqualTo(200);
        assertThat(post("/", "X-Api-Key: wrong").status()).isEqualTo(401);
    }

    @ParameterizedTest
    @CsvSource({
        "/v3/half, X-Api-Key: other, Accept: a",
        "/v3/half, Authorization: Bearer other, Accept: a",
        "/v3/other, X-Api-Key: half, Accept: a",
        "/, Authorization: Bearer half, X-Api-Key: other",
        "/, X-Api-Key: half, X-Api-Key: other",
        "/, Authorization: Bearer half, Authorization: Bearer other",
    })
    void keysThatDifferAreRejectedWhicheverIsKnown(String path, String one, String other) throws Exception {
        RawConnection.Answer answer = post(path, one, other);
        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.body()).contains("-32001", "several that differ").doesNotContain("half", "other");
        assertThat(answer.header("WWW-Authenticate")).contains("Bearer");
        assertThat(proxy.refused("key_conflict")).isEqualTo(1);
        assertThat(proxy.runner.calls()).isZero();
    }

    @Test
    void requestsOnOneConnectionMayHaveDifferentKeys() throws Exception {
        try (RawConnection connection = new RawConnection(proxy)) {
            for (String key : new String[] {"half", "wrong", "half", "half"}) {
                RawConnection.Answer answer = connection
                        .send(RawConnection.post("/", CALL, "X-Api-Key: " + key))
                        .read();
                assertThat(answer.status()).isEqualTo(key.equals("half") ? 200 : 401);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/ws, 101, X-Api-Key: half",
        "/main/ws, 101, Authorization: Bearer half",
        "/ws/v3/half, 101, Authorization: Bearer half",
        "/side/ws, 403, Authorization: Bearer half",
        "/ws, 401, Authorization: Bearer wrong",
        "/ws/v3/half, 401, X-Api-Key: wrong",
    })
    void theHandshakeOfAWebSocketTakesTheSameHeaders(String path, int status, String header) throws Exception {
        try (RawConnection connection = new RawConnection(proxy)) {
            RawConnection.Answer answer =
                    connection.send(RawWebSocket.handshake(path, header)).read();
            assertThat(answer.status()).isEqualTo(status);
        }
    }
}
