package io.weir.l2.typed;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Reads the types that a message defines. Refuses whatever would let two sets of types have one hash, or a person read what the
 * hash does not cover. Thread-safe.
 */
final class TypeReader {
    private static final int MAX_TYPES = 256;
    private static final int MAX_FIELDS = 256;
    private static final int MAX_CHARACTERS = 65_536;
    private static final Set<String> MEMBERS = Set.of("name", "type", "contains");
    /** Encoded types have no escapes: with one of these characters, a name could stand for fields and types of another message. */
    private static final Pattern NAME = Pattern.compile("[^\"(),:]*[^\"(),:*]");

    private final Revision revision;
    private int characters;

    private TypeReader(Revision revision) {
        this.revision = revision;
    }

    static Map<String, List<Field>> read(JsonNode types, Revision revision) {
        check(types.isObject() && types.size() <= MAX_TYPES, "types", "an object of at most " + MAX_TYPES + " types");
        TypeReader reader = new TypeReader(revision);
        Map<String, List<Field>> read = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> entry : types.properties()) {
            read.put(entry.getKey(), reader.type(entry.getKey(), entry.getValue()));
        }
        return read;
    }

    private List<Field> type(String name, JsonNode array) {
        count(name);
        String path = "types." + name;
        checkName(name, path);
        check(!revision.basicTypes().contains(name), path, "another name: this one the revision has itself");
        List<Field> fields = fields(array, path);
        List<Field> preset = revision.presets().get(name);
        check(preset == null || preset.equals(fields), path, "another name: this one the revision has itself");
        return fields;
    }

    private List<Field> fields(JsonNode array, String path) {
        check(array.isArray() && array.size() <= MAX_FIELDS, path, "an array of at most " + MAX_FIELDS + " fields");
        List<Field> fields = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (JsonNode field : array) {
            Field read = field(field, path + '[' + fields.size() + ']');
            check(names.add(read.name()), path + '[' + fields.size() + "].name", "a name that no other field has");
            fields.add(read);
        }
        return List.copyOf(fields);
    }

    private Field field(JsonNode field, String path) {
        boolean isField = field.path("name").isString() && field.path("type").isString();
        check(isField, path, "an object with \"name\" and \"type\"");
        check(MEMBERS.containsAll(field.propertyNames()), path, "name, type and contains alone");
        String name = field.path("name").stringValue();
        String type = field.path("type").stringValue();
        count(name);
        count(type);
        checkName(name, path + ".name");
        checkType(type, path + ".type");
        JsonNode contains = field.path("contains");
        if (contains.isMissingNode()) {
            return Field.of(name, type);
        }
        check(
                contains.isString() && (type.equals("merkletree") || type.equals("enum")),
                path + ".contains",
                "the name of a type, within merkletree and enum alone");
        count(contains.stringValue());
        return new Field(name, type, contains.stringValue());
    }

    private void count(String text) {
        characters += text.length();
        check(characters <= MAX_CHARACTERS, "types", "at most " + MAX_CHARACTERS + " characters in all names");
    }

    private static void checkName(String name, String path) {
        boolean isName = NAME.matcher(name).matches() && ScalarEncoder.isUnicode(name);
        check(isName, path, "a name without quotes, colons, commas and parentheses, and without * at its end");
    }

    private void checkType(String type, String path) {
        boolean isVariant = revision == Revision.ACTIVE && Field.isTuple(type);
        if (type.equals("()") && isVariant) {
            return;
        }
        for (String part : isVariant ? Field.parts(type) : List.of(type)) {
            checkName(withoutStars(part), path);
        }
    }

    private static String withoutStars(String type) {
        int end = type.length();
        while (end > 0 && type.charAt(end - 1) == '*') {
            end--;
        }
        return type.substring(0, end);
    }

    private static void check(boolean isRight, String path, String expected) {
        ScalarEncoder.check(isRight, path, expected);
    }
}
