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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The structs and enums that a message knows: those it defines, and those of its revision. Confined to one thread. */
final class TypeTable {
    private final Revision revision;
    private final Map<String, List<Field>> types;
    private final Map<String, Felt> hashes = new HashMap<>();

    TypeTable(Revision revision, Map<String, List<Field>> defined) {
        this.revision = revision;
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

    /** The text of a type: itself, then in order of the alphabet all others that it needs. */
    String encode(String type) {
        Set<String> needed = new LinkedHashSet<>();
        needed.add(type);
        List<String> open = new ArrayList<>(List.of(type));
        while (!open.isEmpty()) {
            for (Field field : types.getOrDefault(open.remove(open.size() - 1), List.of())) {
                for (String next : neededBy(field)) {
                    if (types.containsKey(next) && needed.add(next)) {
                        open.add(next);
                    }
                }
            }
        }
        needed.remove(type);
        return text(type) + needed.stream().sorted().map(this::text).collect(Collectors.joining());
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
