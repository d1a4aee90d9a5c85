package io.weir.app;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.ConfigurationText;
import io.weir.testing.TestAuthority;
import io.weir.testing.traffic.ScriptedAnswers;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Large results that go on to the client over TLS while they arrive. */
final class StreamedOverTlsIT {

    private static final byte[] RESULT = ("\"" + "x".repeat(8_000_000) + "\"").getBytes(US_ASCII);
    private static final String CALL = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"trace_filter\",\"params\":[0]}";

    @TempDir
    private Path folder;

    @Test
    void aStreamedResultArrivesWholeOrNotAtAll() throws Exception {
        TestAuthority authority = new TestAuthority("Authority");
        authority.issue("localhost", "127.0.0.1").write(folder.resolve("a.pem"), folder.resolve("a.key"));
        try (ScriptedAnswers node = new ScriptedAnswers(
                        (call, out) -> ScriptedAnswers.writeWhole(out, ScriptedAnswers.body(call, RESULT)));
                LocalProxy weir = LocalProxy.start(ConfigurationText.of("main", "1")
                        .upstream("a", node.url())
                        .setting("server.tls.certificates.a { chain = \"" + folder + "/a.pem\", key = \"" + folder
                                + "/a.key\" }")
                        .text())) {
            await().until(() -> weir.admin().readyStatus() == 200);
            HttpClient client = HttpClient.newBuilder()
                    .sslContext(authority.trust())
                    .version(HttpClient.Version.HTTP_1_1)
                    .build();
            HttpRequest request = HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + weir.port() + "/v3/demo"))
                    .POST(HttpRequest.BodyPublishers.ofString(CALL))
                    .build();
            for (int i = 1; i <= 2; i++) {
                assertThat(client.send(request, HttpResponse.BodyHandlers.ofString())
                                .body())
                        .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":" + new String(RESULT, US_ASCII) + "}");
                assertThat(weir.admin().metric("weir_upstream_streamed_total")).isEqualTo(i);
            }
            try (SSLSocket leaving =
                    (SSLSocket) authority.trust().getSocketFactory().createSocket("127.0.0.1", weir.port())) {
                leaving.getOutputStream()
                        .write(("POST /v3/demo HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + CALL.length()
                                        + "\r\n\r\n" + CALL)
                                .getBytes(US_ASCII));
                assertThat(leaving.getInputStream().readNBytes(100_000)).hasSize(100_000);
            }
            await().until(() -> weir.admin().metric("weir_bytes_in_flight") == 0);
        }
    }
}
