package io.weir.limit;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Whose the places of a small pool are, each of which is taken for as long as one call needs it. A holder may have at most eight times
 * what stays free; see {@link Share}. Places that are taken for long do not come back when others need them. So whoever has an eighth of
 * all places leaves free, besides, what the small holders had at once within the last second and do not have now. Not thread-safe.
 */
public final class PlaceShares {

    /** What small holders had counts for one to two of these windows: what is not permitted now may be permitted after one. */
    public static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final int places;
    private final int eighth;
    private final LongSupplier nanoTime;
    private final Map<Object, Integer> held = new HashMap<>();
    private int taken;
    /** Places of all holders, of which each counts with an eighth of all places at most. */
    private int small;
    /** The most of these in this window of time, and in the one before. */
    private int most;

    private int mostBefore;
    private long windowNanos;

    /** @param nanoTime as {@link System#nanoTime} */
    public PlaceShares(int places, LongSupplier nanoTime) {
        this.places = places;
        this.eighth = Math.max(1, places / 8);
        this.nanoTime = nanoTime;
        this.windowNanos = nanoTime.getAsLong();
    }

    /** Returns the number of places that a holder has. */
    public int held(Object holder) {
        return held.getOrDefault(holder, 0);
    }

    /** Returns whether a holder may take a place more now. */
    public boolean permits(Object holder) {
        int own = held(holder);
        int free = places - taken - 1;
        return Share.permits(own, 1, own < eighth ? free : free - (most() - small));
    }

    private int most() {
        moveWindow();
        return Math.max(most, mostBefore);
    }

    private void moveWindow() {
        long now = nanoTime.getAsLong();
        if (now - windowNanos >= WINDOW_NANOS) {
            mostBefore = now - windowNanos < 2 * WINDOW_NANOS ? most : small;
            most = small;
            windowNanos = now;
        }
    }

    /** Takes a place, permitted or not. */
    public void take(Object holder) {
        taken++;
        if (held.merge(holder, 1, Integer::sum) <= eighth) {
            small++;
            if (small > most) {
                moveWindow();
                most = small;
            }
        }
    }

    public void give(Object holder) {
        taken--;
        if (held.getOrDefault(holder, 0) <= eighth) {
            small--;
        }
        held.computeIfPresent(holder, (key, count) -> count == 1 ? null : count - 1);
    }
}
