package io.weir.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Adds a member to an answer whose name equals a known one but for case, as readers in Go and others take it. Confined to one
 * thread.
 */
public final class ShadowMembers {

    private static final String MARK = "@@shadow@@";

    private final Random random;

    public ShadowMembers(Random random) {
        this.random = random;
    }

    /** An object in an answer, and its form. */
    private record Found(ObjectNode object, ObjectForm form) {}

    /**
     * An answer with one member more.
     *
     * @param name as a reader sees it
     * @param json the answer; escapes may stand in the name
     */
    public record Shadowed(String name, String known, String json) {

        @Override
        public String toString() {
            return name + " beside " + known;
        }
    }

    /** The answer with a shadow of a random known member at a random place; the tree is as before. */
    public Shadowed add(JsonNode tree, ObjectForm form) {
        List<Found> objects = new ArrayList<>();
        collect(tree, form, objects);
        Found place = objects.get(random.nextInt(objects.size()));
        List<String> known = place.form().covered().stream().sorted().toList();
        String name = known.get(random.nextInt(known.size()));
        String shadow = otherCase(name);
        JsonNode value = place.object().get(name);
        JsonNode told = value == null || random.nextBoolean() ? StringNode.valueOf("0x1") : value;
        return new Shadowed(shadow, name, text(tree, place.object(), escaped(shadow), told));
    }

    /** The answer with a member of any name at a random place. */
    public String addNamed(JsonNode tree, ObjectForm form, String name) {
        List<Found> objects = new ArrayList<>();
        collect(tree, form, objects);
        Found place = objects.get(random.nextInt(objects.size()));
        return text(tree, place.object(), name, StringNode.valueOf("0x1"));
    }

    private static String text(JsonNode tree, ObjectNode object, String name, JsonNode value) {
        object.set(MARK, value);
        try {
            return tree.toString().replace('"' + MARK + '"', '"' + name + '"');
        } finally {
            object.remove(MARK);
        }
    }

    private static void collect(JsonNode node, ObjectForm form, List<Found> objects) {
        if (node.isArray()) {
            node.forEach(item -> collect(item, form, objects));
        } else if (node instanceof ObjectNode object) {
            objects.add(new Found(object, form));
            form.inside().forEach((name, inside) -> {
                if (object.has(name)) {
                    collect(object.get(name), inside, objects);
                }
            });
        }
    }

    /** The name with at least one letter in another case. */
    private String otherCase(String name) {
        StringBuilder other = new StringBuilder(name);
        do {
            for (int i = 0; i < name.length(); i++) {
                if (random.nextInt(3) == 0) {
                    other.setCharAt(i, otherCase(name.charAt(i)));
                }
            }
        } while (other.toString().equals(name));
        return other.toString();
    }

    private char otherCase(char letter) {
        char lower = Character.toLowerCase(letter);
        if (lower == 's' && random.nextBoolean()) {
            return '\u017f';
        }
        if (lower == 'k' && random.nextBoolean()) {
            return '\u212a';
        }
        return Character.isUpperCase(letter) ? lower : Character.toUpperCase(letter);
    }

    private String escaped(String name) {
        StringBuilder text = new StringBuilder();
        for (char letter : name.toCharArray()) {
            text.append(random.nextInt(3) == 0 ? "\\u%04x".formatted((int) letter) : String.valueOf(letter));
        }
        return text.toString();
    }
}
