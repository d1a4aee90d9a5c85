package io.weir.jsonrpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.text.NameTable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The files of JSONTestSuite, each as a whole body and as the parameters of a call. */
class JsonTestSuiteTest {

    private static final byte[] BEFORE = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":".getBytes(UTF_8);

    private final RequestReader reader = new RequestReader(1000, NameTable.EMPTY);

    static List<Path> files() throws IOException, URISyntaxException {
        Path folder = Path.of(
                Objects.requireNonNull(JsonTestSuiteTest.class.getResource("/jsonrpc/JSONTestSuite/test_parsing"))
                        .toURI());
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    @Test
    void theSuiteIsComplete() throws IOException, URISyntaxException {
        assertThat(files()).hasSize(318);
    }

    @ParameterizedTest
    @MethodSource("files")
    void asABody(Path file) throws IOException {
        byte[] body = Files.readAllBytes(file);
        RequestBody read = reader.read(body, 0, body.length);
        switch (verdict(file)) {
            case 'n' -> assertThat(onlyError(read).code()).isIn(-32700, -32600);
            case 'y' -> assertThat(errors(read)).extracting(RpcError::code).containsOnly(-32600);
            default -> assertThat(errors(read)).extracting(RpcError::code).isSubsetOf(-32700, -32600);
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void asParams(Path file) throws IOException {
        byte[] params = Files.readAllBytes(file);
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        joined.writeBytes(BEFORE);
        joined.writeBytes(params);
        joined.write('}');
        byte[] body = joined.toByteArray();
        RequestItem item = (RequestItem) reader.read(body, 0, body.length);
        switch (verdict(file)) {
            case 'n' -> assertThat(((RequestItem.Invalid) item).error().code()).isIn(-32700, -32600);
            case 'y' -> assertAccepted(item, new String(params, UTF_8).strip());
            default -> assertThat(item).isNotNull();
        }
    }

    private static void assertAccepted(RequestItem item, String params) {
        switch (params.charAt(0)) {
            case '[', '{' -> assertThat(((RpcCall) item).params()).hasToString(params);
            case 'n' -> assertThat(((RpcCall) item).params()).isNull();
            default -> assertThat(((RequestItem.Invalid) item).error().code()).isEqualTo(-32600);
        }
    }

    private static char verdict(Path file) {
        return file.getFileName().toString().charAt(0);
    }

    private static RpcError onlyError(RequestBody body) {
        return ((RequestItem.Invalid) body).error();
    }

    /** No file of the suite is a valid request, so that every element is answered with an error. */
    private static List<RpcError> errors(RequestBody body) {
        List<RequestItem> items = body.items();
        return items.stream().map(item -> ((RequestItem.Invalid) item).error()).toList();
    }
}
