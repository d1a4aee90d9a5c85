package io.weir.upstream.verdict;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.reply.ReplyReader;
import io.weir.jsonrpc.reply.ReplyReader.NodeReply;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Each recorded answer of a real node has the class that the table beside the records names. */
class RecordedErrorsTest {

    private static final JsonMapper JSON = new JsonMapper();

    @ParameterizedTest
    @ValueSource(strings = {"anvil", "anvil-ws", "hardhat"})
    void everyRecordedErrorIsOfTheClassThatIsNamedForIt(String file) throws Exception {
        Deque<String[]> expected = expected(file);
        List<String> seen = new ArrayList<>();
        List<String> named = new ArrayList<>();
        JsonNode records = JSON.readTree(read(file + ".json"));
        for (int i = 0; i < records.size(); i++) {
            for (NodeReply reply : replies(records.get(i))) {
                if (reply.reply() instanceof RpcReply.Failure failure) {
                    Verdict verdict = CallErrors.verdict(method(records.get(i)), failure.error(), 200);
                    seen.add(i + " " + verdict.errorClass().label() + ": " + failure.error());
                    String[] row = expected.remove();
                    named.add(row[1] + " " + row[2] + ": " + failure.error());
                }
            }
        }
        assertThat(seen).containsExactlyElementsOf(named);
        assertThat(expected).as("named, but not recorded").isEmpty();
        assertThat(seen).hasSizeGreaterThan(5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"anvil", "hardhat"})
    void everyRecordedRevertReachesClientsInTheSameForm(String file) throws Exception {
        int reverts = 0;
        for (JsonNode record : JSON.readTree(read(file + ".json"))) {
            if (!record.path("label").asString("").contains(": revert ")) {
                continue;
            }
            NodeReply reply = replies(record).get(0);
            RpcReply.Failure failure = (RpcReply.Failure) reply.reply();
            String method = method(record);
            var clean = CallErrors.clean(method, failure.error(), CallErrors.verdict(method, failure.error(), 200));
            String asked = JSON.readTree(record.get("request").stringValue())
                    .path("params")
                    .path(0)
                    .path("data")
                    .asString("0x");
            assertThat(clean.code()).isEqualTo(3);
            assertThat(clean.message()).startsWith("execution reverted").doesNotContainPattern("\\p{Cntrl}");
            boolean withheld = file.equals("hardhat") && asked.equals("0x08c379a0ffff");
            assertThat(clean.data() == null ? null : clean.data().toString())
                    .as("the contract reverts with what it was called with; %s", record.get("label"))
                    .isEqualTo(withheld ? null : '"' + asked + '"');
            reverts++;
        }
        assertThat(reverts).isEqualTo(22);
    }

    private static String method(JsonNode record) {
        try {
            return JSON.readTree(record.path("request").asString("{}"))
                    .path("method")
                    .asString("eth_subscribe");
        } catch (JacksonException e) {
            return "none";
        }
    }

    private static List<NodeReply> replies(JsonNode record) throws Exception {
        String text = record.has("m") ? answer(record) : record.path("response").asString("");
        if (!text.startsWith("{") && !text.startsWith("[{")) {
            return List.of();
        }
        if (!text.contains("\"error\"")) {
            // Long results were truncated when they were recorded.
            return List.of();
        }
        byte[] body = text.getBytes(UTF_8);
        return ReplyReader.readBatch(body, 0, body.length, 10_000).replies();
    }

    private static String answer(JsonNode message) {
        return message.get("d").stringValue().equals("<<") ? message.get("m").stringValue() : "";
    }

    private static Deque<String[]> expected(String file) throws IOException {
        Deque<String[]> rows = new ArrayDeque<>();
        read("expected-classes.tsv")
                .lines()
                .map(line -> line.split("\t", 4))
                .filter(row -> row[0].equals(file))
                .forEach(rows::add);
        return rows;
    }

    private static String read(String name) throws IOException {
        try (InputStream in =
                Objects.requireNonNull(RecordedErrorsTest.class.getResourceAsStream("/node-errors/" + name), name)) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }
}
