package io.weir.l2.typed;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A field of a struct or a variant of an enum. Immutable.
 *
 * @param contains for a Merkle tree the type of its leaves, for an enum its type
 */
record Field(String name, String type, @Nullable String contains) {
    static Field of(String name, String type) {
        return new Field(name, type, null);
    }

    /** The type within, where the type cannot do without. */
    String requiredContains(String path) {
        if (contains == null) {
            throw new IllegalArgumentException(path + ": a " + type + " without a type (expected: \"contains\")");
        }
        return contains;
    }

    /** Whether a type is that of a variant: parts in parentheses. */
    static boolean isTuple(String type) {
        return type.startsWith("(") && type.endsWith(")");
    }

    /** The parts of a variant's type; one empty part where it has none. */
    static List<String> parts(String tuple) {
        return List.of(tuple.substring(1, tuple.length() - 1).split(",", -1));
    }
}
