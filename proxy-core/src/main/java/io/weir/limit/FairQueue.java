package io.weir.limit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Queue whose holders take turns, so that one with many entries delays its own alone (fair queueing, Nagle, RFC 970). For
 * places that entries keep for a while, the holder with the fewest goes first instead (max-min fairness). The entries of one holder stay in
 * their order. Not thread-safe.
 *
 * @param <T> the type of the entries
 */
public final class FairQueue<T> {

    private final Function<T, Object> holderOf;
    /** The entries by holder; the next turn comes first. */
    private final Map<Object, Deque<T>> queues = new LinkedHashMap<>();

    private int size;

    /** @param holderOf returns whose an entry is */
    public FairQueue(Function<T, Object> holderOf) {
        this.holderOf = holderOf;
    }

    public int size() {
        return size;
    }

    /** Returns the number of entries of one holder. */
    public int size(Object holder) {
        Deque<T> queue = queues.get(holder);
        return queue == null ? 0 : queue.size();
    }

    /**
     * Returns whether a holder may add an entry, by its share; see {@link Share}.
     *
     * @param free places that stay free afterwards
     */
    public boolean permits(Object holder, long free) {
        return Share.permits(size(holder), 1, free);
    }

    /** Adds an entry behind the others of its holder. */
    public void add(T entry) {
        queues.computeIfAbsent(holderOf.apply(entry), holder -> new ArrayDeque<>(2))
                .add(entry);
        size++;
    }

    /** Returns the next entry of those whose holders may take a place: that of the one with the fewest places. Null if there is none. */
    public @Nullable T peek(PlaceShares places) {
        if (size == 0) {
            return null;
        }
        Deque<T> next = null;
        int fewest = Integer.MAX_VALUE;
        for (Map.Entry<Object, Deque<T>> queue : queues.entrySet()) {
            int held = places.held(queue.getKey());
            if (held < fewest && places.permits(queue.getKey())) {
                next = queue.getValue();
                fewest = held;
                // Holders of places are no more than places: the search is short.
                if (held == 0) {
                    break;
                }
            }
        }
        return next == null ? null : next.peek();
    }

    /** Removes an entry that {@link #peek} returned. Its holder's next turn comes after those of the others. */
    public void takeTurn(T entry) {
        Object holder = holderOf.apply(entry);
        Deque<T> queue = queues.remove(holder);
        if (queue != null) {
            queue.remove();
            size--;
            if (!queue.isEmpty()) {
                queues.put(holder, queue);
            }
        }
    }

    /** Removes and returns the next entry; null if there is none. */
    public @Nullable T next() {
        T next = queues.isEmpty() ? null : queues.values().iterator().next().peek();
        if (next != null) {
            takeTurn(next);
        }
        return next;
    }

    /** Removes an entry wherever it is. Returns whether it was there. */
    public boolean remove(T entry) {
        Object holder = holderOf.apply(entry);
        Deque<T> queue = queues.get(holder);
        if (queue == null || !queue.remove(entry)) {
            return false;
        }
        size--;
        if (queue.isEmpty()) {
            queues.remove(holder);
        }
        return true;
    }

    public List<T> entries() {
        List<T> all = new ArrayList<>(size);
        queues.values().forEach(all::addAll);
        return all;
    }

    /** Removes all entries, and returns them. */
    public List<T> drain() {
        List<T> all = entries();
        queues.clear();
        size = 0;
        return all;
    }
}
