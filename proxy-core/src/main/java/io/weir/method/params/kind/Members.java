package io.weir.method.params.kind;

import io.weir.jsonrpc.RawJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Members of one object during its check: known ones in normal form, and others. Confined to one thread. */
public final class Members {

    private final RawJson written;
    private final List<String> names;
    private final List<RawJson> quoted;
    private final Map<String, Integer> indexes;
    private final @Nullable RawJson[] values;

    /** One bit for each known member that has occurred. */
    private long seen;

    private List<RawJson> others = List.of();
    private int last = -1;
    private boolean changed;

    /**
     * @param names of the known ones, in the order of the normal form; at most 64
     * @param quoted the same in quotes
     * @param indexes of the names in that order
     */
    Members(RawJson written, List<String> names, List<RawJson> quoted, Map<String, Integer> indexes) {
        this.written = written;
        this.names = names;
        this.quoted = quoted;
        this.indexes = indexes;
        this.values = new @Nullable RawJson[names.size()];
    }

    private int index(String name) {
        Integer index = indexes.get(name);
        if (index == null) {
            throw new IllegalArgumentException(name + ": not a known member (expected: one of " + names + ")");
        }
        return index;
    }

    /** Returns the value of a known member, or null if it is absent. */
    public @Nullable RawJson get(String name) {
        return values[index(name)];
    }

    /** Sets a known member. */
    public void put(String name, RawJson value) {
        values[index(name)] = value;
        changed = true;
    }

    /** Removes a known member. */
    public void remove(String name) {
        values[index(name)] = null;
        changed = true;
    }

    /** Returns whether there are unknown members. */
    public boolean hasOthers() {
        return !others.isEmpty();
    }

    /** Notes the occurrence of a known member. Returns whether it is the first with that name. */
    boolean markSeen(int index) {
        boolean first = (seen & 1L << index) == 0;
        seen |= 1L << index;
        return first;
    }

    /** Adds a known member's value, as it was written and in normal form. */
    void take(int index, RawJson value, RawJson normal) {
        changed |= !normal.isSame(value) || index < last || hasOthers();
        last = Math.max(last, index);
        values[index] = normal;
    }

    /** Omits a known member. */
    void drop() {
        changed = true;
    }

    /** Adds an unknown member: its name, in quotes, and its value, both as written. */
    void takeOther(RawJson name, RawJson value) {
        if (others.isEmpty()) {
            others = new ArrayList<>(4);
        }
        others.add(name);
        others.add(value);
    }

    /**
     * Returns the object in normal form without white space: known members first, in order, then the others in their
     * original order.
     */
    public RawJson json() {
        List<RawJson> parts = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            RawJson value = values[i];
            if (value != null) {
                parts.add(quoted.get(i));
                parts.add(value);
            }
        }
        parts.addAll(others);
        return JsonObject.of(parts, written, changed);
    }
}
