package io.weir.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.BooleanNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * One false thing in an answer, which can be put in and taken out again.
 *
 * @param path where it is, with the member's name at the end
 * @param member the name of the member that it changes
 */
public record Lie(String path, String member, Kind kind, Runnable tell, Runnable takeBack) {

    /** Members that pass as sent, whatever they say. */
    public static final Set<String> UNCOVERED = Set.of("size", "totalDifficulty", "blobGasPrice");

    /** Members that say again what others say, and that nodes may leave out. */
    public static final Set<String> MAY_BE_ABSENT = Set.of(
            "blockTimestamp",
            "chainId",
            "v",
            "yParity",
            "type",
            "gasPrice",
            "effectiveGasPrice",
            "removed",
            "blobGasUsed",
            // Where the creation failed, or may have; ProofOfLiesTest has a test of its own for it.
            "contractAddress");

    /** What is changed: a member's value or presence, or the items of a list. */
    public enum Kind {
        VALUE,
        ABSENT,
        DROPPED,
        REPEATED,
        SWAPPED,
        ADDED
    }

    /** Every lie about an object or a list and all that is in it. */
    public static List<Lie> about(JsonNode tree) {
        List<Lie> lies = new ArrayList<>();
        collect(tree, "", "", lies);
        return lies;
    }

    @Override
    public String toString() {
        return kind + " at " + path;
    }

    private static void collect(JsonNode node, String path, String member, List<Lie> lies) {
        if (node instanceof ObjectNode object) {
            for (Map.Entry<String, JsonNode> entry : List.copyOf(object.properties())) {
                members(object, path + "." + entry.getKey(), entry.getKey(), entry.getValue(), lies);
            }
        } else if (node instanceof ArrayNode array) {
            items(array, path, member, lies);
        }
    }

    private static void members(ObjectNode object, String path, String name, JsonNode value, List<Lie> lies) {
        if (!value.isNull()) {
            lies.add(new Lie(path, name, Kind.ABSENT, () -> object.remove(name), () -> object.set(name, value)));
        }
        if (value.isContainer()) {
            collect(value, path, name, lies);
        } else {
            JsonNode other = other(value, name);
            lies.add(new Lie(path, name, Kind.VALUE, () -> object.set(name, other), () -> object.set(name, value)));
        }
    }

    private static void items(ArrayNode array, String path, String member, List<Lie> lies) {
        int size = array.size();
        for (int i = 0; i < size; i++) {
            int at = i;
            JsonNode item = array.get(i);
            String here = path + "[" + i + "]";
            lies.add(new Lie(here, member, Kind.DROPPED, () -> array.remove(at), () -> array.insert(at, item)));
            lies.add(new Lie(here, member, Kind.REPEATED, () -> array.insert(at, item), () -> array.remove(at)));
            if (i + 1 < size && !array.get(i + 1).equals(item)) {
                Runnable swap = () -> {
                    JsonNode first = array.get(at);
                    array.set(at, array.get(at + 1));
                    array.set(at + 1, first);
                };
                lies.add(new Lie(here, member, Kind.SWAPPED, swap, swap));
            }
            if (item.isContainer()) {
                collect(item, here, member, lies);
            } else {
                JsonNode other = other(item, member);
                lies.add(new Lie(here, member, Kind.VALUE, () -> array.set(at, other), () -> array.set(at, item)));
            }
        }
        JsonNode invented = size == 0 ? StringNode.valueOf("0x" + "ab".repeat(32)) : array.get(size - 1);
        lies.add(new Lie(path, member, Kind.ADDED, () -> array.add(invented), () -> array.remove(size)));
    }

    private static JsonNode other(JsonNode value, String name) {
        if (value instanceof StringNode text) {
            String hex = text.stringValue();
            if (hex.equals("0x")) {
                return StringNode.valueOf("0x00");
            }
            char last = hex.charAt(hex.length() - 1);
            return StringNode.valueOf(hex.substring(0, hex.length() - 1) + (last == '1' ? '2' : '1'));
        }
        if (value instanceof BooleanNode flag) {
            return BooleanNode.valueOf(!flag.booleanValue());
        }
        if (value instanceof NullNode) {
            return StringNode.valueOf("0x" + "cd".repeat(20));
        }
        throw new IllegalArgumentException(name + ": " + value + " (expected: text, a flag or null)");
    }
}
