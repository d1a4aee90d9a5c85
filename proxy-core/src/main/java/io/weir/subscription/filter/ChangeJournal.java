package io.weir.subscription.filter;

import static java.util.Objects.requireNonNull;

import io.weir.jsonrpc.RawJson;
import io.weir.subscription.delivery.Delivered;
import io.weir.subscription.delivery.SubscriptionKind;
import io.weir.subscription.stream.BlockLogs;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Changes of one network that filters have not told yet, within a bound on their bytes. It is shared: a filter holds a position
 * in it. Thread-safe; the events of a network come from the event loop of its stream, and its readers are on any.
 *
 * <p>Each kind has positions of its own, so that a filter of blocks does not pass pending transactions. Beyond the bound the kind
 * that takes the most bytes loses its oldest change, so that logs do not end filters of blocks. A change that all readers have
 * passed is dropped before.
 */
final class ChangeJournal {

    /** Time between two looks for changes that all readers have passed. */
    private static final long TRIM_NANOS = 1_000_000_000L;

    private static final Set<SubscriptionKind> STREAM = EnumSet.of(SubscriptionKind.NEW_HEADS, SubscriptionKind.LOGS);

    private final long maxBytes;
    private final LongSupplier clock;
    private final Map<SubscriptionKind, Kept> byKind = new EnumMap<>(SubscriptionKind.class);
    private long bytes;
    private long trimmedNanos;

    /** Change that filters tell. Immutable. */
    sealed interface Change {

        /** Returns the bytes that it takes, about. */
        long bytes();

        /** A value that every filter of a kind tells: the hash of a block, or a pending transaction. */
        record Value(RawJson text) implements Change {

            /** The objects around the text. */
            private static final int OVERHEAD = 80;

            @Override
            public long bytes() {
                return (long) text.length() + OVERHEAD;
            }
        }

        /**
         * Logs of a block.
         *
         * @param postings the same logs, by their addresses
         * @param removed whether the block is no longer canonical
         * @param sequence of the logs when they were added
         */
        record Logs(BlockLogs logs, BlockLogs.Postings postings, boolean removed, long sequence) implements Change {

            /** The objects of one log. */
            private static final int OVERHEAD = 600;

            @Override
            public long bytes() {
                return logs.bytes() + (long) OVERHEAD * logs.size();
            }
        }
    }

    /** State of a position. */
    enum State {
        /** The changes from there on are at hand. */
        KNOWN,
        /** A change was evicted. */
        EVICTED,
        /** The stream could not go on, so changes are unknown. */
        UNKNOWN
    }

    /** Holder of a position. Thread-safe. */
    interface Reader {

        SubscriptionKind kind();

        /** Returns the position of the next change that it has not passed. */
        long position();

        /** Sets the position at which it begins. */
        void begin(long position);
    }

    /** Changes of one kind. Guarded by the journal. */
    private static final class Kept {

        private final ChangeRing changes = new ChangeRing();
        private final Set<Reader> readers = new HashSet<>();
    }

    ChangeJournal(long maxBytes, LongSupplier clock) {
        this.maxBytes = maxBytes;
        this.clock = clock;
        this.trimmedNanos = clock.getAsLong();
        for (SubscriptionKind kind : SubscriptionKind.values()) {
            byKind.put(kind, new Kept());
        }
    }

    /** Adds the changes of an event, if a reader may want them. */
    void take(Delivered event) {
        if (event instanceof Delivered.Result result && has(result.kind())) {
            append(result.kind(), new Change.Value(RawJson.of(result.change())));
        } else if (event instanceof Delivered.Logs of && has(SubscriptionKind.LOGS)) {
            Change.Logs logs =
                    new Change.Logs(of.logs(), new BlockLogs.Postings(of.logs()), of.removed(), of.sequence());
            append(SubscriptionKind.LOGS, logs);
        } else if (event instanceof Delivered.Failure failure) {
            lose(List.of(failure.kind()));
        } else if (event instanceof Delivered.End end) {
            SubscriptionKind kind = end.kind();
            lose(kind == null ? STREAM : List.of(kind));
        }
    }

    private Kept kept(SubscriptionKind kind) {
        return requireNonNull(byKind.get(kind));
    }

    private synchronized boolean has(SubscriptionKind kind) {
        return !kept(kind).readers.isEmpty();
    }

    /** Adds a change for the readers of a kind, if there are any. */
    synchronized void append(SubscriptionKind kind, Change change) {
        if (!has(kind)) {
            return;
        }
        long now = clock.getAsLong();
        if (now - trimmedNanos >= TRIM_NANOS) {
            trimmedNanos = now;
            byKind.values().forEach(this::trim);
        }
        kept(kind).changes.add(change);
        bytes += change.bytes();
        while (bytes > maxBytes) {
            removeFirst(largest());
        }
    }

    private void trim(Kept kept) {
        long lowest = kept.changes.end();
        for (Reader reader : kept.readers) {
            lowest = Math.min(lowest, reader.position());
        }
        while (kept.changes.first() < lowest) {
            removeFirst(kept);
        }
    }

    /** Returns the kind whose changes take the most bytes. */
    private Kept largest() {
        Kept largest = null;
        for (Kept kept : byKind.values()) {
            if (largest == null || kept.changes.bytes() > largest.changes.bytes()) {
                largest = kept;
            }
        }
        return requireNonNull(largest);
    }

    private void removeFirst(Kept kept) {
        bytes -= kept.changes.removeFirst().bytes();
    }

    private synchronized void lose(Collection<SubscriptionKind> kinds) {
        for (SubscriptionKind kind : kinds) {
            Kept kept = kept(kind);
            clear(kept);
            kept.changes.lose();
        }
    }

    private void clear(Kept kept) {
        while (!kept.changes.isEmpty()) {
            removeFirst(kept);
        }
    }

    /** Adds a reader. It begins after all changes so far. */
    synchronized void open(Reader reader) {
        Kept kept = kept(reader.kind());
        reader.begin(kept.changes.end());
        kept.readers.add(reader);
    }

    synchronized void close(Reader reader) {
        Kept kept = kept(reader.kind());
        kept.readers.remove(reader);
        if (kept.readers.isEmpty()) {
            clear(kept);
        }
    }

    /** Returns the position of the next change of a kind. */
    synchronized long end(SubscriptionKind kind) {
        return kept(kind).changes.end();
    }

    /** Returns whether the changes from a position on are at hand. */
    synchronized State state(SubscriptionKind kind, long position) {
        ChangeRing changes = kept(kind).changes;
        if (position >= changes.first()) {
            return State.KNOWN;
        }
        return changes.isUnknown(position) ? State.UNKNOWN : State.EVICTED;
    }

    /**
     * Copies changes from a position on.
     *
     * @param end position of the first change that is not copied
     * @return null if one of them is not at hand any more
     */
    synchronized @Nullable List<Change> read(SubscriptionKind kind, long position, long end) {
        ChangeRing changes = kept(kind).changes;
        if (position < changes.first()) {
            return null;
        }
        Change[] read = new Change[(int) (end - position)];
        for (int i = 0; i < read.length; i++) {
            read[i] = changes.at(position + i);
        }
        return List.of(read);
    }

    /** Returns the bytes of the changes, about. */
    synchronized long bytes() {
        return bytes;
    }

    /** Changes of one kind at consecutive positions, the oldest first. Guarded by the journal. */
    static final class ChangeRing {

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
}
