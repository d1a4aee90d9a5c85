package io.weir.jsonrpc.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A table of known names by their UTF-8 bytes, so that reading a known name creates no string. Immutable.
 *
 * <p>It uses open addressing with linear probing and is at most half full. An absent name costs one or two probes.
 */
public final class NameTable {

    /** A table without names. */
    public static final NameTable EMPTY = of(Set.of());

    private final @Nullable String[] names;
    private final byte[][] bytes;

    private NameTable(int slots) {
        names = new @Nullable String[slots];
        bytes = new byte[slots][];
    }

    public static NameTable of(Collection<String> names) {
        Set<String> distinct = Set.copyOf(names);
        NameTable table = new NameTable(Math.max(2, Integer.highestOneBit(distinct.size()) * 4));
        distinct.forEach(table::add);
        return table;
    }

    private void add(String name) {
        byte[] text = name.getBytes(UTF_8);
        int slot = slot(text, 0, text.length);
        names[slot] = name;
        bytes[slot] = text;
    }

    /** Returns the name with these bytes, or null if it is unknown. */
    public @Nullable String find(byte[] text, int start, int end) {
        return names[slot(text, start, end)];
    }

    public boolean has(String name) {
        byte[] text = name.getBytes(UTF_8);
        return find(text, 0, text.length) != null;
    }

    /** Returns the slot of the name, or the empty slot for it. */
    private int slot(byte[] text, int start, int end) {
        int slot = hash(text, start, end) & names.length - 1;
        while (names[slot] != null && !Arrays.equals(bytes[slot], 0, bytes[slot].length, text, start, end)) {
            slot = slot + 1 & names.length - 1;
        }
        return slot;
    }

    private static int hash(byte[] text, int start, int end) {
        int hash = 1;
        for (int i = start; i < end; i++) {
            hash = 31 * hash + text[i];
        }
        return hash ^ hash >>> 15;
    }
}
