package io.weir.hocon;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The positions of the items of one file. Immutable.
 *
 * @param items in the order of the file, but a block after its content
 */
record Outline(List<Item> items) {

    /** An item of the file. Immutable. */
    sealed interface Item permits Entry, Include, Mixture, Substitution {}

    /** A position in the file, both from 1. Immutable. */
    record Spot(int line, int column) {}

    /**
     * A name, or an element of a list, and its value. Immutable.
     *
     * @param path from the file's root; an element of a list has its index as name
     * @param value null if the name only leads to a deeper one, as {@code a} does in {@code a.b = 1}
     * @param text the value as written
     * @param substituted whether a substitution is part of the value itself
     */
    record Entry(List<String> path, Spot key, @Nullable Spot value, String text, boolean substituted) implements Item {

        /**
         * Returns whether the parser reports this value on that line: its first or, for quoted text of several lines,
         * its last.
         */
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

    /** A block or list with plain text beside it, which the parser would drop. Immutable. */
    record Mixture(List<String> path, Spot spot) implements Item {}

    /** The kind of target of an include statement. */
    enum Target {
        /** A file. */
        FILE,
        /** A URL. */
        URL,
        /** A class path resource. */
        CLASSPATH
    }

    /**
     * An include statement. Immutable.
     *
     * @param path of the block that contains it
     */
    record Include(List<String> path, Target target, String name, Spot spot) implements Item {}

    /**
     * A substitution. Immutable.
     *
     * @param owner the path of the setting that contains it
     * @param name the name that it refers to
     */
    record Substitution(List<String> owner, List<String> name, boolean optional, Spot spot) implements Item {}
}
