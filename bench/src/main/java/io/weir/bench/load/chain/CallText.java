package io.weir.bench.load.chain;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.List;

/**
 * A call as a node reads it, with its id and its parameters as they are written. Immutable.
 *
 * @param id as JSON text; empty where there is none
 * @param params each as JSON text
 */
public record CallText(String id, String method, List<String> params) {

    /** Reads the one call, or the calls of a batch, in a body. */
    public static List<CallText> read(byte[] body) {
        JsonText text = new JsonText(new String(body, ISO_8859_1));
        if (!text.isArray()) {
            return List.of(one(text));
        }
        return text.elements().stream()
                .map(element -> one(new JsonText(element)))
                .toList();
    }

    private static CallText one(JsonText text) {
        String id = text.member("id");
        String method = text.member("method");
        String params = text.member("params");
        return new CallText(
                id, JsonText.unquoted(method), params.isEmpty() ? List.of() : new JsonText(params).elements());
    }

    /** A parameter; empty where there are fewer. */
    String param(int index) {
        return index < params.size() ? params.get(index) : "";
    }
}
