package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.JsonRpcSocket;
import io.weir.testing.traffic.EchoNode;
import io.weir.testing.traffic.HttpConnection;
import io.weir.testing.traffic.HttpConnection.Response;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A proxy that serves calls without a key. */
final class AnonymousAccessIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String CALL = JsonRpcClient.call("eth_config");

    private static EchoNode node;
    private static LocalProxy weir;

    @BeforeAll
    static void start() {
        node = EchoNode.start("only", 7);
        weir = LocalProxy.start(ConfigurationText.of("only", "7")
                .upstream("node", node.url())
                .setting("access.anonymous = true")
                .setting("access.anonymous-rate { calls-per-second = 1, burst = 200 }")
                .text());
    }

    @AfterAll
    static void stop() {
        try {
            if (weir != null) {
                weir.close();
            }
        } finally {
            node.close();
        }
    }

    @Test
    void callsWithoutAKeyAreServedOnEveryPathThatNeedsNone() {
        try (HttpConnection http = HttpConnection.open(weir.port())) {
            for (String path : List.of("/", "/only")) {
                Response response = http.post(path, CALL);
                assertThat(response.status()).as(response.body()).isEqualTo(200);
                assertThat(response.json().at("/result/node").asString()).isEqualTo("only");
            }
            assertThat(http.post("/other", CALL).status()).isEqualTo(404);
        }
        for (String path : List.of("/ws", "/only/ws")) {
            try (JsonRpcSocket socket = JsonRpcSocket.connect("ws://127.0.0.1:" + weir.port() + path)) {
                socket.send(CALL);
                assertThat(socket.await()).contains("\"node\":\"only\"");
            }
        }
    }

    @Test
    void aWrongKeyIsNoneAllTheSameAndARightOneWorks() {
        try (HttpConnection http = HttpConnection.open(weir.port())) {
            assertThat(http.post("/v3/wrong", CALL).status()).isEqualTo(401);
            assertThat(http.post("/v3/", CALL).status()).isEqualTo(401);
            assertThat(http.post("/v3/demo", CALL).status()).isEqualTo(200);
        }
    }

    @Test
    void withoutAKeyThereIsNoWallet() {
        try (HttpConnection http = HttpConnection.open(weir.port())) {
            Response response = http.post("/", JsonRpcClient.call("wallet_invokeSnap"));
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.errorCode()).isEqualTo(-32601);
        }
    }

    @Test
    void eachAddressWithoutAKeyHasARateOfItsOwn() throws Exception {
        String batch = "[" + (CALL + ",").repeat(19) + CALL + "]";
        try (LocalProxy limited = LocalProxy.start(ConfigurationText.of("only", "7")
                        .upstream("node", node.url())
                        .setting("access.anonymous { rate { calls-per-second = 1, burst = 25 } }")
                        .text());
                HttpConnection greedy = HttpConnection.open(limited.port(), InetAddress.getByName("127.0.0.2"));
                HttpConnection second = HttpConnection.open(limited.port(), InetAddress.getByName("127.0.0.2"));
                HttpConnection other = HttpConnection.open(limited.port(), InetAddress.getByName("127.0.0.3"))) {
            assertThat(greedy.post("/", batch).json().isArray()).isTrue();
            assertThat(second.post("/", batch).errorCode()).isEqualTo(-32005);
            assertThat(other.post("/", batch).json().isArray()).isTrue();
        }
    }

    @Test
    void allCallsWithoutAKeyShareOneRate() {
        try (HttpConnection http = HttpConnection.open(weir.port());
                HttpConnection other = HttpConnection.open(weir.port())) {
            Response first = http.post("/", "[" + String.join(",", List.of(CALL, CALL)) + "]");
            assertThat(first.json().isArray()).isTrue();
            Response large = http.post("/", "[" + (CALL + ",").repeat(180) + CALL + "]");
            assertThat(large.status()).isEqualTo(200);
            assertThat(other.post("/", "[" + (CALL + ",").repeat(180) + CALL + "]")
                            .errorCode())
                    .isEqualTo(-32005);
            assertThat(other.post("/v3/demo", CALL).status()).isEqualTo(200);
            await().atMost(PATIENCE).until(() -> other.post("/", CALL).status() == 200);
        }
    }
}
