package io.weir.l2.typed;

import io.weir.l2.Felt;
import io.weir.l2.hash.Selector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The structs and enums that a message knows: those it defines, and those of its revision. Confined to one thread. */
final class TypeTable {
    private static final int MAX_ENCODED = 1_048_576;

    private final Revision revision;
    private final Map<String, List<Field>> types;
    private final MeteredHash hash;
    private final Map<String, Felt> hashes = new HashMap<>();
    private int encoded;

    TypeTable(MeteredHash hash, Map<String, List<Field>> defined) {
        this.hash = hash;
        this.revision = hash.revision();
        this.types = new LinkedHashMap<>(defined);
        types.putAll(revision.presets());
    }

    /** The fields of a struct or the variants of an enum; null where there is no such type. */
    @Nullable
    List<Field> fields(String type) {
        return types.get(type);
    }

    /** The hash of a type's text. */
    Felt hash(String type) {
        return hashes.computeIfAbsent(type, name -> Selector.of(encode(name)));
    }

    /**
     * The text of a type: itself, then in order of the alphabet all others that it needs.
     *
     * @throws IllegalArgumentException when the texts of all types together are too long
     */
    String encode(String type) {
        Set<String> needed = reached(List.of(type), this::neededBy);
        needed.remove(type);
        StringBuilder text = new StringBuilder();
        append(text, type);
        needed.stream().sorted().forEach(other -> append(text, other));
        encoded += text.length();
        return text.toString();
    }

    private void append(StringBuilder text, String type) {
        String added = text(type);
        hash.read(added.length(), "types");
        text.append(added);
        ScalarEncoder.check(
                encoded + text.length() <= MAX_ENCODED,
                "types",
                "types of at most " + MAX_ENCODED + " characters, each with all that it needs");
    }

    /** Returns the names of the types that a message uses, among them those of the leaves of its Merkle trees. */
    Set<String> used(List<String> roots) {
        return reached(roots, field -> {
            List<String> needed = new ArrayList<>(neededBy(field));
            String contains = field.contains();
            if (contains != null) {
                needed.add(contains);
            }
            return needed;
        });
    }

    private Set<String> reached(List<String> roots, Function<Field, List<String>> next) {
        Set<String> reached = new LinkedHashSet<>(roots);
        List<String> open = new ArrayList<>(roots);
        while (!open.isEmpty()) {
            List<Field> fields = types.getOrDefault(open.remove(open.size() - 1), List.of());
            hash.spend(1L + fields.size(), "types");
            for (Field field : fields) {
                for (String name : next.apply(field)) {
                    if (types.containsKey(name) && reached.add(name)) {
                        open.add(name);
                    }
                }
            }
        }
        return reached;
    }

    private List<String> neededBy(Field field) {
        String type = field.type();
        if (type.endsWith("*")) {
            return List.of(element(type));
        }
        if (revision == Revision.LEGACY) {
            return List.of(type);
        }
        if (type.equals("enum")) {
            String contains = field.contains();
            return contains == null ? List.of() : List.of(contains);
        }
        if (Field.isTuple(type)) {
            return Field.parts(type).stream()
                    .map(part -> part.endsWith("*") ? element(part) : part)
                    .collect(Collectors.toList());
        }
        return List.of(type);
    }

    private String text(String type) {
        return types.getOrDefault(type, List.of()).stream()
                .map(field -> revision.quoted(field.name()) + ':' + fieldType(field))
                .collect(Collectors.joining(",", revision.quoted(type) + '(', ")"));
    }

    private String fieldType(Field field) {
        String type = field.type();
        String contains = field.contains();
        if (revision == Revision.ACTIVE && type.equals("enum") && contains != null) {
            type = contains;
        }
        if (!Field.isTuple(type)) {
            return revision.quoted(type);
        }
        return Field.parts(type).stream()
                .map(part -> part.isEmpty() ? part : revision.quoted(part))
                .collect(Collectors.joining(",", "(", ")"));
    }

    static String element(String arrayType) {
        return arrayType.substring(0, arrayType.length() - 1);
    }
}
