package io.weir.cache.memory;

import io.weir.cache.CachedResult;
import io.weir.cache.CallKey;
import io.weir.cache.index.PositionIndex;
import io.weir.cache.memory.Labels.Label;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Packed results in the order in which they came, in a ring of chunks: the newest is written to, the oldest goes as a whole. Of two
 * keys with one print the later one is known. Thread-safe; nothing holds the lock for longer
 * than it takes to go through one chunk, or to let the index grow.
 */
final class PackedQueue {

    /** The one that is written to, and one to look back on. */
    private static final int FEWEST_CHUNKS = 2;

    private final int chunkBytes;
    private final int ghostSlots;
    private final Labels labels;
    private final Room room;
    /** Also the lock of all that follows. */
    private final PositionIndex index = new PositionIndex();

    /** A ring; those in use follow each other. */
    private final byte[] @Nullable [] chunks;
    /** How far each is written. */
    private final int[] ends;

    private int oldest;
    private int used;
    private @Nullable GhostQueue ghosts;
    private long taken;

    /** What all queues share. Thread-safe. */
    interface Room {

        /** Whether there are so many more bytes to be had. */
        boolean has(long bytes);

        /** Hears of bytes that were taken, or given back. */
        void took(long bytes);

        /** Hears of results that had to go. */
        void dropped(long results);
    }

    /**
     * An empty queue.
     *
     * @param chunkBytes a power of two
     * @param mostChunks the most that it ever has
     * @param ghostSlots how many results that had to go it remembers; a power of two
     */
    PackedQueue(int chunkBytes, int mostChunks, int ghostSlots, Labels labels, Room room) {
        this.chunkBytes = chunkBytes;
        this.ghostSlots = ghostSlots;
        this.labels = labels;
        this.room = room;
        this.chunks = new byte[Math.max(mostChunks, FEWEST_CHUNKS)][];
        this.ends = new int[chunks.length];
    }

    /**
     * Adds a packed result, which fits into a chunk.
     *
     * @return whether it was; not, where it was here before and had to go
     */
    boolean add(byte[] packed) {
        int print = PackedResult.print(packed, 0);
        synchronized (index) {
            if (ghosts != null && ghosts.take(print)) {
                return false;
            }
            if (used == 0 || ends[newest()] + packed.length > chunkBytes) {
                beginChunk();
            }
            int slot = newest();
            System.arraycopy(packed, 0, chunk(slot), ends[slot], packed.length);
            index.put(print, slot * chunkBytes + ends[slot]);
            ends[slot] += packed.length;
            account();
            return true;
        }
    }

    /** Whether there is a result under a key. */
    boolean has(CallKey key) {
        synchronized (index) {
            return find(key) >= 0;
        }
    }

    /**
     * Takes out the result under a key.
     *
     * @param taker gets it, in arrays of its own, before anybody can find it gone; must be quick
     * @return the result; null where there is none
     */
    @Nullable
    CachedResult take(CallKey key, Consumer<CachedResult> taker) {
        synchronized (index) {
            int place = find(key);
            if (place < 0) {
                return null;
            }
            byte[] chunk = chunk(place / chunkBytes);
            int at = place & (chunkBytes - 1);
            CachedResult result = PackedResult.result(labels.get(PackedResult.label(chunk, at)), chunk, at);
            taker.accept(result);
            index.remove(key.hashCode());
            return result;
        }
    }

    /** Where the result under a key stands; -1 where there is none. */
    private int find(CallKey key) {
        int place = index.get(key.hashCode());
        if (place < 0) {
            return -1;
        }
        byte[] chunk = chunk(place / chunkBytes);
        int at = place & (chunkBytes - 1);
        boolean same =
                labels.get(PackedResult.label(chunk, at)).isOf(key) && PackedResult.isUnder(key.params(), chunk, at);
        return same ? place : -1;
    }

    /** Forgets what has a key's print. */
    void remove(CallKey key) {
        index.remove(key.hashCode());
    }

    /**
     * Forgets results of a network, chunk by chunk.
     *
     * @return how many
     */
    @SuppressWarnings("ThreadPriorityCheck") // Correct without it, only less fair.
    long removeIf(String network, Predicate<CachedResult> which) {
        long removed = 0;
        for (int slot = 0; slot < chunks.length; slot++) {
            synchronized (index) {
                int before = index.entries();
                forEach(slot, (chunk, at) -> {
                    Label label = labels.get(PackedResult.label(chunk, at));
                    if (label.network().equals(network) && which.test(PackedResult.result(label, chunk, at))) {
                        index.remove(PackedResult.print(chunk, at));
                    }
                });
                removed += before - index.entries();
            }
            // A monitor goes to whoever had it last, unless others get a turn.
            Thread.yield();
        }
        synchronized (index) {
            if (index.entries() == 0) {
                clear();
            }
            account();
        }
        return removed;
    }

    /** Gives back a chunk, and says whether it did: the last few it keeps. */
    boolean shrink() {
        synchronized (index) {
            if (used <= FEWEST_CHUNKS) {
                return false;
            }
            dropOldest();
            account();
            return true;
        }
    }

    /** How many results there are. */
    int entries() {
        return index.entries();
    }

    private void beginChunk() {
        boolean full = used >= FEWEST_CHUNKS && (used == chunks.length || !room.has(chunkBytes));
        byte[] chunk = full ? dropOldest() : new byte[chunkBytes];
        used++;
        chunks[newest()] = chunk;
        ends[newest()] = 0;
    }

    private byte[] dropOldest() {
        int before = index.entries();
        if (before > 0 && ghosts == null) {
            ghosts = new GhostQueue(ghostSlots);
        }
        GhostQueue left = ghosts;
        forEach(oldest, (chunk, at) -> {
            int print = PackedResult.print(chunk, at);
            index.remove(print);
            Objects.requireNonNull(left).add(print);
        });
        room.dropped(before - index.entries());
        byte[] chunk = chunk(oldest);
        chunks[oldest] = null;
        oldest = (oldest + 1) % chunks.length;
        used--;
        return chunk;
    }

    private void clear() {
        Arrays.fill(chunks, null);
        index.clear();
        used = 0;
        ghosts = null;
    }

    /** A result's place. */
    private interface Visitor {
        void visit(byte[] chunk, int at);
    }

    /** Goes through those results of a chunk that are known. */
    private void forEach(int slot, Visitor visitor) {
        byte[] chunk = chunks[slot];
        for (int at = 0; chunk != null && at < ends[slot]; at += PackedResult.length(chunk, at)) {
            if (index.get(PackedResult.print(chunk, at)) == slot * chunkBytes + at) {
                visitor.visit(chunk, at);
            }
        }
    }

    private byte[] chunk(int slot) {
        return Objects.requireNonNull(chunks[slot]);
    }

    private int newest() {
        return (oldest + used - 1) % chunks.length;
    }

    private void account() {
        long beside = index.bytes() + (ghosts == null ? 0 : ghosts.bytes());
        long now = used == 0 ? 0 : (long) used * chunkBytes + beside;
        if (now != taken) {
            room.took(now - taken);
            taken = now;
        }
    }
}
