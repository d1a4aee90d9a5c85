package io.weir.l2.typed;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Reads the types that a message defines. Thread-safe. */
final class TypeReader {
    private static final int MAX_TYPES = 256;
    private static final int MAX_FIELDS = 256;

    private TypeReader() {}

    static Map<String, List<Field>> read(JsonNode types, Revision revision) {
        check(types.isObject() && types.size() <= MAX_TYPES, "types", "an object of at most " + MAX_TYPES + " types");
        Map<String, List<Field>> read = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> entry : types.properties()) {
            String name = entry.getKey();
            String path = "types." + name;
            check(isName(name), path, "a name without * at its end, commas and parentheses around");
            check(!revision.basicTypes().contains(name), path, "another name: this one the revision has itself");
            List<Field> fields = fields(entry.getValue(), path);
            List<Field> preset = revision.presets().get(name);
            check(preset == null || preset.equals(fields), path, "another name: this one the revision has itself");
            read.put(name, fields);
        }
        return read;
    }

    private static List<Field> fields(JsonNode array, String path) {
        check(array.isArray() && array.size() <= MAX_FIELDS, path, "an array of at most " + MAX_FIELDS + " fields");
        List<Field> fields = new ArrayList<>();
        for (JsonNode field : array) {
            boolean isField =
                    field.path("name").isString() && field.path("type").isString();
            check(isField, path + '[' + fields.size() + ']', "an object with \"name\" and \"type\"");
            JsonNode contains = field.path("contains");
            fields.add(new Field(
                    field.path("name").stringValue(),
                    field.path("type").stringValue(),
                    contains.isString() ? contains.stringValue() : null));
        }
        return List.copyOf(fields);
    }

    private static boolean isName(String name) {
        return !name.isEmpty() && !name.endsWith("*") && !name.contains(",") && !Field.isTuple(name);
    }

    private static void check(boolean isRight, String path, String expected) {
        if (!isRight) {
            throw new IllegalArgumentException(path + ": unusable (expected: " + expected + ")");
        }
    }
}
