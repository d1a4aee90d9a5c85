package io.weir.config.hocon;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where things stand in one file. Immutable.
 *
 * @param items in the order of the file, but a block after what is in it
 */
record Outline(List<Item> items) {

    /** Something that stands in the file. */
    sealed interface Item permits Entry, Include, Mixture, Substitution {}

    /** A place in the file, both from 1. */
    record Spot(int line, int column) {}

    /**
     * A name, or an element of a list, and its value.
     *
     * @param path from the file's root; an element of a list is named by its index
     * @param value null where the name only leads to a deeper one, as {@code a} does in {@code a.b = 1}
     * @param text the value as it is written
     * @param substituted whether a substitution is part of the value itself
     */
    record Entry(List<String> path, Spot key, @Nullable Spot value, String text, boolean substituted) implements Item {

        /** Whether the parser means this value by that line: where it begins or, for quoted text of several lines, ends. */
        boolean isOnLine(int line) {
            if (value == null) {
                return false;
            }
            boolean several = text.startsWith("\"\"\"");
            return line == value.line()
                    || (several
                            && line
                                    == value.line()
                                            + text.chars()
                                                    .filter(c -> c == '\n')
                                                    .count());
        }
    }

    /** A value of a block or list with plain text beside it, which the parser would drop. */
    record Mixture(List<String> path, Spot spot) implements Item {}

    /** What an include statement names. */
    enum Target {
        /** A file. */
        FILE,
        /** A URL. */
        URL,
        /** A class path resource. */
        CLASSPATH
    }

    /**
     * An include statement.
     *
     * @param path of the block it stands in
     */
    record Include(List<String> path, Target target, String name, Spot spot) implements Item {}

    /**
     * A substitution.
     *
     * @param owner the path of the setting it stands in
     * @param name what it asks for
     */
    record Substitution(List<String> owner, List<String> name, boolean optional, Spot spot) implements Item {}
}
