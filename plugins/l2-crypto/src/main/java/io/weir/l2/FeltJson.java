package io.weir.l2;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Lists of felts as JSON. Thread-safe. */
public final class FeltJson {
    private FeltJson() {}

    /** An array of hexadecimal texts. */
    public static ArrayNode hexes(Collection<Felt> felts) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode(felts.size());
        felts.forEach(felt -> array.add(felt.toHex()));
        return array;
    }

    /**
     * The felts of an array of hexadecimal texts.
     *
     * @throws IllegalArgumentException when it is none
     */
    public static List<Felt> felts(JsonNode array) {
        if (!array.isArray()) {
            throw new IllegalArgumentException("felts");
        }
        List<Felt> felts = new ArrayList<>(array.size());
        array.forEach(node -> felts.add(Felt.parseHex(node.asString(""))));
        return List.copyOf(felts);
    }
}
