package io.weir.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.jsonrpc.RawJson;
import io.weir.metrics.Meter;
import io.weir.testing.NoLeaks;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls over HTTP/2 and TLS, as the client of the JDK sends them. */
@NoLeaks
class Http2IT {

    static final String PATH = "/v3/" + TestProxy.KEY;
    static final String CALL = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"network\"}";
    static final String ANSWER = "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":\"main\"}";

    final ServerBounds bounds = bounds();
    TestProxy proxy;
    HttpClient client;

    ServerBounds bounds() {
        return new ServerBounds().secured();
    }

    @BeforeEach
    void start() throws Exception {
        bounds.maxBodyBytes = 4 << 20;
        bounds.corsOrigins = Set.of("https://app.test");
        bounds.healthPath = "/health";
        proxy = new TestProxy(bounds);
        client = client(proxy);
    }

    static HttpClient client(TestProxy proxy) {
        HttpClient.Builder client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2);
        if (proxy.clientTls != null) {
            client.sslContext(proxy.clientTls);
        }
        return client.build();
    }

    @AfterEach
    void stop() {
        proxy.close();
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(proxy.uri(path)).header("Content-Type", "application/json");
    }

    /** Sends a request on a connection that speaks HTTP/2 from its beginning. */
    HttpResponse<byte[]> send(HttpRequest.Builder request) throws Exception {
        HttpResponse<byte[]> response = client.send(request.build(), BodyHandlers.ofByteArray());
        assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
        return response;
    }

    @Test
    void aCallIsAnsweredWithTheHeadersOfACallAndNoneOfAConnection() throws Exception {
        HttpResponse<byte[]> response = send(request(PATH).POST(BodyPublishers.ofString(CALL)));
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(new String(response.body())).isEqualTo(ANSWER);
        assertThat(response.headers().map().keySet())
                .contains("content-type", "content-length", "date", "server-timing")
                .doesNotContain("connection", "transfer-encoding");
        await().until(() -> proxy.gauge(Meter.BYTES_IN_FLIGHT) == 0);
        assertThat(proxy.gauge(Meter.HTTP2_CONNECTIONS)).isEqualTo(1);
    }

    @Test
    void manyCallsAtOnceAreAnsweredOnOneConnection() throws Exception {
        send(request(PATH).POST(BodyPublishers.ofString(CALL)));
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            String call = "{\"jsonrpc\":\"2.0\",\"id\":" + i + ",\"method\":\"network\"}";
            answers.add(client.sendAsync(
                    request(PATH).POST(BodyPublishers.ofString(call)).build(), BodyHandlers.ofString()));
            if (i >= 50) {
                answers.get(i - 50).get(60, TimeUnit.SECONDS);
            }
        }
        for (int i = 0; i < answers.size(); i++) {
            assertThat(answers.get(i).get(60, TimeUnit.SECONDS).body())
                    .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":" + i + ",\"result\":\"main\"}");
        }
        assertThat(proxy.gauge(Meter.HTTP2_CONNECTIONS)).isEqualTo(1);
    }

    @Test
    void aBatchIsAnsweredInOrder() throws Exception {
        String batch = "[" + CALL + "," + CALL.replace("7", "8") + "]";
        assertThat(new String(
                        send(request(PATH).POST(BodyPublishers.ofString(batch))).body()))
                .isEqualTo("[" + ANSWER + "," + ANSWER.replace("7", "8") + "]");
    }

    @Test
    void aNotificationIsAnsweredWithoutABody() throws Exception {
        String notification = "{\"jsonrpc\":\"2.0\",\"method\":\"network\"}";
        HttpResponse<byte[]> response = send(request(PATH).POST(BodyPublishers.ofString(notification)));
        assertThat(response.statusCode()).isEqualTo(204);
        assertThat(response.body()).isEmpty();
    }

    @Test
    void largeBodiesPassInBothDirections() throws Exception {
        String large = "\"" + "x".repeat(3 << 20) + "\"";
        proxy.runner.on("large", call -> RawJson.of(large));
        String call = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"large\",\"params\":[" + large + "]}";
        HttpResponse<byte[]> response = send(request(PATH).POST(BodyPublishers.ofString(call)));
        assertThat(new String(response.body())).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":" + large + "}");
        await().until(() -> proxy.gauge(Meter.BYTES_IN_FLIGHT) == 0);
    }

    @Test
    void gzipWorksInBothDirections() throws Exception {
        String large = "\"" + "x".repeat(1 << 16) + "\"";
        proxy.runner.on("network", call -> RawJson.of(large));
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(CALL.getBytes());
        }
        HttpResponse<byte[]> response = send(request(PATH)
                .header("Content-Encoding", "gzip")
                .header("Accept-Encoding", "gzip")
                .POST(BodyPublishers.ofByteArray(packed.toByteArray())));
        assertThat(response.headers().firstValue("content-encoding")).hasValue("gzip");
        assertThat(response.body().length).isLessThan(4096);
        assertThat(new String(new GZIPInputStream(new ByteArrayInputStream(response.body())).readAllBytes()))
                .endsWith(large + "}");
    }

    @Test
    void rejectionsHaveTheirStatusesAndTheConnectionGoesOn() throws Exception {
        assertThat(status(request("/v3/unknown").POST(BodyPublishers.ofString(CALL))))
                .isEqualTo(401);
        assertThat(status(request("/no/such/path").POST(BodyPublishers.ofString(CALL))))
                .isEqualTo(404);
        assertThat(status(request(PATH).GET())).isEqualTo(405);
        HttpRequest.Builder text = HttpRequest.newBuilder(proxy.uri(PATH)).header("Content-Type", "text/html");
        assertThat(status(text.POST(BodyPublishers.ofString(CALL)))).isEqualTo(415);
        assertThat(status(request("/ws" + PATH).GET())).isEqualTo(426);
        assertThat(status(request(PATH).POST(BodyPublishers.ofString(CALL)).header("Origin", "https://bad.test")))
                .isEqualTo(403);
        assertThat(status(request(PATH).POST(BodyPublishers.ofString(CALL)))).isEqualTo(200);
        assertThat(proxy.gauge(Meter.HTTP2_CONNECTIONS)).isEqualTo(1);
        assertThat(proxy.refused("verb")).isEqualTo(1);
    }

    private int status(HttpRequest.Builder request) throws Exception {
        return send(request).statusCode();
    }

    @Test
    void aPageThatIsAllowedReadsItsAnswer() throws Exception {
        HttpResponse<byte[]> preflight = send(request(PATH)
                .method("OPTIONS", BodyPublishers.noBody())
                .header("Origin", "https://app.test")
                .header("Access-Control-Request-Method", "POST"));
        assertThat(preflight.statusCode()).isEqualTo(204);
        assertThat(preflight.headers().firstValue("access-control-allow-methods"))
                .hasValue("POST");
        HttpResponse<byte[]> answer =
                send(request(PATH).header("Origin", "https://app.test").POST(BodyPublishers.ofString(CALL)));
        assertThat(answer.headers().firstValue("access-control-allow-origin")).hasValue("https://app.test");
    }

    @Test
    void theHealthPathAnswersAGetAndAHead() throws Exception {
        HttpResponse<byte[]> get = send(request("/health").GET());
        HttpResponse<byte[]> head = send(request("/health").method("HEAD", BodyPublishers.noBody()));
        assertThat(head.statusCode()).isEqualTo(get.statusCode());
        assertThat(new String(get.body())).endsWith("ready\n");
        assertThat(head.body()).isEmpty();
    }

    @Test
    void aKeyInAHeaderIsTaken() throws Exception {
        HttpRequest.Builder request =
                request("/main/v3/").header("Authorization", "Bearer half").POST(BodyPublishers.ofString(CALL));
        assertThat(new String(send(request).body())).isEqualTo(ANSWER);
    }
}
