package io.weir.transport.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.codahale.metrics.Counter;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RequestItem;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.RequestAnswer;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class AccessWriterTest {

    private static final JsonMapper JSON = new JsonMapper();

    private final Counter dropped = new Counter();

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("access.log");
    }

    private static void write(AccessWriter log, String method) {
        AccessLogEntry entry =
                new AccessLogEntry(log, AccessLogEntry.Protocol.HTTP, InetAddress.getLoopbackAddress(), 1000);
        entry.requested(List.of(new RpcCall(RawJson.NULL, method, null)));
        entry.end(200, 5, true);
    }

    private List<JsonNode> lines() throws IOException {
        return Files.readAllLines(file).stream().map(JSON::readTree).toList();
    }

    @Test
    void everythingAddedBeforeTheEndIsWrittenAndOnlyTheOwnerMayReadIt() throws Exception {
        try (AccessWriter writer = AccessWriter.open(file, 5000, dropped)) {
            IntStream.range(0, 3000).forEach(i -> write(writer, "m" + i));
        }
        assertThat(lines()).hasSize(3000);
        assertThat(lines().get(2999).get("methods").get(0).asString()).isEqualTo("m2999");
        assertThat(lines().get(0).get("time").asString()).isEqualTo("1970-01-01T00:00:01.000Z");
        assertThat(dropped.getCount()).isZero();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void aFileThatWasRenamedIsLeftAndANewOneBegun() throws Exception {
        Path old = folder.resolve("access.log.1");
        try (AccessWriter writer = AccessWriter.open(file, 100, dropped)) {
            write(writer, "before");
            await().until(() -> Files.size(file) > 0);
            Files.move(file, old);
            await().until(() -> Files.exists(file));
            write(writer, "after");
        }
        assertThat(Files.readString(old)).contains("before").doesNotContain("after");
        assertThat(lines()).hasSize(1);
    }

    @Test
    void aTruncatedFileContinuesFromItsBeginning() throws Exception {
        try (AccessWriter writer = AccessWriter.open(file, 100, dropped)) {
            write(writer, "before");
            await().until(() -> Files.size(file) > 0);
            Files.write(file, new byte[0]);
            write(writer, "after");
        }
        assertThat(Files.readAllBytes(file)).startsWith('{');
        assertThat(lines()).hasSize(1);
    }

    @Test
    void unwritableLinesAreCountedAndWritingContinuesLater() throws Exception {
        Path inner = Files.createDirectory(folder.resolve("inner"));
        file = inner.resolve("access.log");
        try (AccessWriter writer = AccessWriter.open(file, 100, dropped)) {
            Files.delete(file);
            Files.delete(inner);
            await().until(() -> {
                write(writer, "lost");
                return dropped.getCount() > 0;
            });
            Files.createDirectory(inner);
            await().until(() -> Files.exists(file));
            write(writer, "after");
        }
        assertThat(Files.readString(file)).contains("after");
    }

    @Test
    void entriesAfterTheEndAreCounted() throws Exception {
        AccessWriter writer = AccessWriter.open(file, 100, dropped);
        writer.close();
        write(writer, "late");
        assertThat(dropped.getCount()).isEqualTo(1);
    }

    @Test
    void aFileThatCannotBeOpenedIsSaid() {
        Path nowhere = folder.resolve("no").resolve("where");
        assertThatThrownBy(() -> AccessWriter.open(nowhere, 100, dropped))
                .isInstanceOf(IOException.class)
                .hasMessage("server.access-log.file: " + nowhere + " (expected: a file that can be written)");
    }

    @Test
    void namesAreBoundedAndEscaped() throws Exception {
        List<RequestItem> items = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            items.add(new RpcCall(RawJson.NULL, "same", null));
            items.add(new RpcCall(RawJson.NULL, i + "\"\\\n\u001b\u2028\ud800é" + "x".repeat(1000), null));
        }
        try (AccessWriter writer = AccessWriter.open(file, 100, dropped)) {
            AccessLogEntry entry = new AccessLogEntry(writer, AccessLogEntry.Protocol.WEBSOCKET, null, 0);
            entry.requested(items);
            RpcReply bad = RpcReply.failure(ErrorCode.INVALID_PARAMS.error());
            entry.answered(new RequestAnswer.Many(
                    List.of(RawJson.NULL, RawJson.NULL, RawJson.NULL),
                    List.of(new RpcReply.Result(RawJson.NULL), bad, RpcReply.unavailable("x"))));
            entry.end(0, 10, false);
        }
        String text = Files.readString(file);
        assertThat(text).hasSizeLessThan(1000).endsWith("}\n");
        assertThat(text.chars()).allMatch(c -> c == '\n' || (c >= ' ' && c < 0x7f));
        JsonNode line = lines().get(0);
        assertThat(line.get("calls").asInt()).isEqualTo(40);
        assertThat(line.get("methods").size()).isEqualTo(5);
        assertThat(line.get("methods").get(1).asString())
                .startsWith("0\"\\\n\u001b\u2028")
                .hasSize(64);
        assertThat(line.get("error").asInt()).isEqualTo(-32602);
        assertThat(line.get("errors").asInt()).isEqualTo(2);
        assertThat(line.get("unsent").asBoolean()).isTrue();
        assertThat(line.has("status")).isFalse();
        assertThat(line.has("client")).isFalse();
    }

    @Test
    void aQueueThatIsFullDropsAndCounts() throws Exception {
        try (AccessWriter writer = AccessWriter.open(file, 1, dropped)) {
            await().until(() -> {
                IntStream.range(0, 1000).forEach(i -> write(writer, "many"));
                return dropped.getCount() > 0;
            });
        }
        assertThat(lines()).isNotEmpty();
    }
}
