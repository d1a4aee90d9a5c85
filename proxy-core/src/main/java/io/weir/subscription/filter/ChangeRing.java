package io.weir.subscription.filter;

import org.jspecify.annotations.Nullable;

/** Changes of one kind at consecutive positions, the oldest first. Confined to one thread at a time. */
final class ChangeRing {

    private static final int MIN_SLOTS = 16;

    private @Nullable Change[] changes = new @Nullable Change[MIN_SLOTS];
    private long first;
    private int size;
    private long bytes;
    /** Position before which changes are unknown; each later one that is missing was evicted. */
    private long unknown;

    /** Returns the position of the oldest change. */
    long first() {
        return first;
    }

    /** Returns the position of the next change. */
    long end() {
        return first + size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** Returns whether nobody knows the changes from a position on, because the stream could not go on. */
    boolean isUnknown(long position) {
        return position < unknown;
    }

    /** Adds a change. */
    void add(Change change) {
        if (size == changes.length) {
            resize(size * 2);
        }
        changes[slot(end())] = change;
        size++;
        bytes += change.bytes();
    }

    /** Returns the change at a position, from {@link #first} to before {@link #end}. */
    Change at(long position) {
        Change change = changes[slot(position)];
        if (change == null || position < first || position >= end()) {
            throw new IllegalArgumentException(
                    "position: " + position + " (expected: " + first + " to before " + end() + ")");
        }
        return change;
    }

    /** Returns the bytes of the changes, about. */
    long bytes() {
        return bytes;
    }

    /** Removes the oldest change. */
    Change removeFirst() {
        Change change = at(first);
        changes[slot(first)] = null;
        first++;
        size--;
        bytes -= change.bytes();
        if (size < changes.length / 4 && changes.length > MIN_SLOTS) {
            resize(changes.length / 2);
        }
        return change;
    }

    /** Notes that changes are missing here. The ring must be empty. */
    void lose() {
        first++;
        unknown = first;
    }

    private int slot(long position) {
        return (int) (position & (changes.length - 1));
    }

    private void resize(int slots) {
        @Nullable Change[] moved = new @Nullable Change[slots];
        for (long position = first; position < end(); position++) {
            moved[(int) (position & (slots - 1))] = changes[slot(position)];
        }
        changes = moved;
    }
}
