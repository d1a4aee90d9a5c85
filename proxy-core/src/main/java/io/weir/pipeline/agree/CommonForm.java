package io.weir.pipeline.agree;

import io.weir.jsonrpc.RawJson;
import io.weir.method.MethodFacts;
import io.weir.method.params.kind.HexText;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Form of results that all nodes share. Nodes differ in the case of digits and in the padding of numbers, and write JSON with other
 * white space and another order of members. Pure.
 */
public final class CommonForm {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private static final int SHOWN_BYTES = 80;

    private CommonForm() {}

    /**
     * Returns a result in the common form.
     *
     * @param ignored names of members that are left out at every depth
     */
    public static RawJson of(MethodFacts facts, RawJson value, Set<String> ignored) {
        HexText hex = facts.givesJson() ? null : HexText.read(value);
        if (hex != null) {
            return facts.givesNumber() ? hex.quantity() : hex.bytes();
        }
        return facts.givesJson() || value.first() == '{' || value.first() == '[' ? json(value, ignored) : value;
    }

    /** Returns the beginning of a result, for logs. */
    static String shown(RawJson value) {
        int length = Math.min(value.length(), SHOWN_BYTES);
        String text = new String(value.array(), value.offset(), length, StandardCharsets.UTF_8);
        return value.length() > SHOWN_BYTES ? text + "…" : text;
    }

    /** Returns JSON without white space, and with sorted members; the value itself if it is not JSON. */
    private static RawJson json(RawJson value, Set<String> ignored) {
        try {
            JsonNode tree = MAPPER.readTree(value.array(), value.offset(), value.length());
            if (!ignored.isEmpty()) {
                remove(tree, ignored);
            }
            return RawJson.of(MAPPER.writeValueAsBytes(MAPPER.treeToValue(tree, Object.class)));
        } catch (JacksonException e) {
            // It was sliced by its delimiters only, is nested too deeply, or has a name twice, of which readers take
            // another one.
            return value;
        }
    }

    /** Removes members. The parser bounds the depth. */
    private static void remove(JsonNode tree, Collection<String> names) {
        if (tree instanceof ObjectNode object) {
            object.remove(names);
        }
        tree.forEach(inner -> remove(inner, names));
    }
}
