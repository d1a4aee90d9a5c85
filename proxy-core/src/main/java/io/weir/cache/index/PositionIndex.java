package io.weir.cache.index;

/**
 * Where records stand, by the print of their names: a table of primitives, 12 bytes a slot and at most two thirds full, with linear
 * probing. Two names with one print are told apart by the records themselves; the later one wins. Thread-safe; a method holds the
 * index's own monitor, so that whoever does several things at once may hold it too.
 */
public final class PositionIndex {

    private static final int SLOT_BYTES = Long.BYTES + Integer.BYTES;
    private static final int FEWEST_SLOTS = 64;

    private long[] prints = new long[FEWEST_SLOTS];
    /** The record's place plus one; 0 where the slot is free. */
    private int[] places = new int[FEWEST_SLOTS];

    private int entries;

    /** Notes a record's place, which is not negative. */
    public synchronized void put(long print, int place) {
        if ((entries + 1) * 3L > prints.length * 2L) {
            resize(prints.length * 2);
        }
        insert(print, place + 1);
    }

    private void insert(long print, int value) {
        int slot = find(print);
        if (places[slot] == 0) {
            entries++;
        }
        prints[slot] = print;
        places[slot] = value;
    }

    private void resize(int slots) {
        long[] oldPrints = prints;
        int[] oldPlaces = places;
        prints = new long[slots];
        places = new int[slots];
        entries = 0;
        for (int i = 0; i < oldPrints.length; i++) {
            if (oldPlaces[i] != 0) {
                insert(oldPrints[i], oldPlaces[i]);
            }
        }
    }

    /** The place of a record; -1 where there is none. */
    public synchronized int get(long print) {
        return places[find(print)] - 1;
    }

    /** Forgets a record. */
    public synchronized void remove(long print) {
        int free = find(print);
        if (places[free] == 0) {
            return;
        }
        entries--;
        // What was put behind it because it was in the way moves up, so that no search ends early.
        for (int next = next(free); places[next] != 0; next = next(next)) {
            if (distance(slot(prints[next]), next) >= distance(free, next)) {
                prints[free] = prints[next];
                places[free] = places[next];
                free = next;
            }
        }
        places[free] = 0;
        if (prints.length > FEWEST_SLOTS && entries * 6L < prints.length) {
            resize(prints.length / 2);
        }
    }

    /** Forgets all records, and gives back what they took. */
    public synchronized void clear() {
        prints = new long[FEWEST_SLOTS];
        places = new int[FEWEST_SLOTS];
        entries = 0;
    }

    /** How many records are known. */
    public synchronized int entries() {
        return entries;
    }

    /** What the table takes. */
    public synchronized long bytes() {
        return (long) prints.length * SLOT_BYTES;
    }

    /** The slot of a print, or the free one where it would go. */
    private int find(long print) {
        int slot = slot(print);
        while (places[slot] != 0 && prints[slot] != print) {
            slot = next(slot);
        }
        return slot;
    }

    private int next(int slot) {
        return (slot + 1) & (prints.length - 1);
    }

    private int distance(int from, int to) {
        return (to - from) & (prints.length - 1);
    }

    private int slot(long print) {
        return (int) ((print * 0x9E3779B97F4A7C15L) >>> 40) & (prints.length - 1);
    }
}
