package io.weir.app.reload;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.testing.JsonRpcClient;
import io.weir.testing.WeirProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A proxy whose configuration file a test writes anew. Thread-safe. */
public final class ReloadedProxy implements AutoCloseable {

    /** The setting that allows operations with the token {@code demo}. */
    public static final String TOKEN =
            "admin.token-sha256 = \"2a97516c354b68848cdbd8f54a226a0a55b21ed138e207ad6c5cbb9c00aa5aea\"";

    private static final JsonMapper JSON = new JsonMapper();
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final WeirProcess weir;

    /** Starts with a configuration that has {@link #TOKEN}. */
    public ReloadedProxy(String configuration) {
        this.weir = WeirProcess.start(configuration);
    }

    /** The process. */
    public WeirProcess weir() {
        return weir;
    }

    /** Replaces the file at once, without a reload: a proxy that watches it sees no half of it. */
    public void write(String configuration) {
        Path file = weir.configuration();
        try {
            Path next = Files.writeString(file.resolveSibling(file.getFileName() + ".next"), configuration);
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes the file and reloads. Returns the answer, which must tell that something changed. */
    public JsonNode reload(String configuration) {
        write(configuration);
        HttpResponse<String> response = operate("POST", "/reload");
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        JsonNode answer = JSON.readTree(response.body());
        assertThat(answer.get("outcome").asString()).isEqualTo("applied");
        return answer;
    }

    /** Sends an operation with the token. */
    public HttpResponse<String> operate(String method, String path) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + weir.adminPort() + path))
                .header("Authorization", "Bearer demo")
                .method(method, BodyPublishers.noBody())
                .build();
        try {
            return HTTP.send(request, BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for an answer", e);
        }
    }

    /** What {@code /status} says. */
    public JsonNode status() {
        return JSON.readTree(JsonRpcClient.get("http://127.0.0.1:" + weir.adminPort() + "/status")
                .body());
    }

    /** A client of a path, such as {@code /v3/demo}. */
    public JsonRpcClient client(String path) {
        return new JsonRpcClient("http://127.0.0.1:" + weir.port() + path);
    }

    @Override
    public void close() {
        weir.close();
    }
}
