package io.weir.cache.tier.disk;

/**
 * Where records stand in one segment, by the print of their names: a table of primitives, 12 bytes a slot and at most two thirds
 * full. Two names with one print are told apart by the records themselves; the later one wins. Thread-safe.
 */
final class SegmentIndex {

    private static final int GONE = -1;

    private long[] prints = new long[64];
    /** The record's place plus one; 0 where the slot is free. */
    private int[] places = new int[64];

    private int used;
    private int entries;

    /** Notes a record's place. */
    synchronized void put(long print, int place) {
        if ((used + 1) * 3L > prints.length * 2L) {
            grow();
        }
        insert(print, place + 1);
    }

    private void insert(long print, int value) {
        int slot = slot(print);
        while (places[slot] != 0 && prints[slot] != print) {
            slot = (slot + 1) & (prints.length - 1);
        }
        if (places[slot] == 0) {
            used++;
        }
        if (places[slot] <= 0) {
            entries++;
        }
        prints[slot] = print;
        places[slot] = value;
    }

    private void grow() {
        long[] oldPrints = prints;
        int[] oldPlaces = places;
        prints = new long[oldPrints.length * 2];
        places = new int[oldPrints.length * 2];
        used = 0;
        entries = 0;
        for (int i = 0; i < oldPrints.length; i++) {
            if (oldPlaces[i] > 0) {
                insert(oldPrints[i], oldPlaces[i]);
            }
        }
    }

    /** The place of a record; -1 where there is none. */
    synchronized int get(long print) {
        int slot = slot(print);
        while (places[slot] != 0) {
            if (prints[slot] == print) {
                return places[slot] == GONE ? -1 : places[slot] - 1;
            }
            slot = (slot + 1) & (prints.length - 1);
        }
        return -1;
    }

    /** Forgets a record. */
    synchronized void remove(long print) {
        int slot = slot(print);
        while (places[slot] != 0) {
            if (prints[slot] == print) {
                if (places[slot] > 0) {
                    entries--;
                }
                places[slot] = GONE;
                return;
            }
            slot = (slot + 1) & (prints.length - 1);
        }
    }

    synchronized int entries() {
        return entries;
    }

    private int slot(long print) {
        return (int) ((print * 0x9E3779B97F4A7C15L) >>> 40) & (prints.length - 1);
    }
}
