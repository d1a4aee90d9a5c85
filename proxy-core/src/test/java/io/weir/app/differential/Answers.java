package io.weir.app.differential;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The answers of a batch, by id, with what stands in each as it was written. Pure. */
final class Answers {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private Answers() {}

    /**
     * One answer; either the result or the error's code is null.
     *
     * @param result the bytes of the result
     * @param data those of the error's data, or null
     */
    record Answer(String result, Integer code, String message, String data) {
        /** Whether a caller can tell them apart, messages left out. */
        boolean same(Answer other) {
            return Objects.equals(result, other.result)
                    && Objects.equals(code, other.code)
                    && Objects.equals(data, other.data);
        }
    }

    static Map<Integer, Answer> read(String body) {
        byte[] text = body.getBytes(UTF_8);
        Map<Integer, Answer> answers = new LinkedHashMap<>();
        try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), text)) {
            assertThat(parser.nextToken()).as(body).isEqualTo(JsonToken.START_ARRAY);
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                Map<String, String> members = members(parser, text);
                answers.put(Integer.valueOf(members.get("id")), answer(members));
            }
        }
        return answers;
    }

    private static Map<String, String> members(JsonParser parser, byte[] text) {
        Map<String, String> members = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            int start = (int) parser.currentTokenLocation().getByteOffset();
            parser.skipChildren();
            parser.finishToken();
            int end = (int) parser.currentLocation().getByteOffset();
            members.put(name, new String(text, start, end - start, UTF_8).strip());
        }
        return members;
    }

    private static Answer answer(Map<String, String> members) {
        String error = members.get("error");
        if (error == null) {
            assertThat(members).containsKey("result");
            return new Answer(members.get("result"), null, null, null);
        }
        assertThat(members).doesNotContainKey("result");
        JsonNode tree = JSON.readTree(error);
        JsonNode data = tree.get("data");
        return new Answer(
                null,
                tree.path("code").asInt(),
                tree.path("message").asString(),
                data == null ? null : data.toString());
    }
}
