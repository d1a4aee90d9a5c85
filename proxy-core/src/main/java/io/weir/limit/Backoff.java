package io.weir.limit;

import java.util.HashMap;
import java.util.Map;

/**
 * Pauses between attempts that fail. Each failure in a row doubles the pause, up to a maximum. A refusal brings the pause for
 * refusals at once. All times are in nanoseconds on the clock of {@link System#nanoTime}. Confined to one thread.
 *
 * @param <T> the type of attempts, of which there is a bounded number
 */
public final class Backoff<T> {

    private final long firstNanos;
    private final int maxDoublings;
    private final long refusedNanos;
    private final Map<T, Pause> pauses = new HashMap<>();

    /**
     * Pause of an attempt. Immutable.
     *
     * @param doublings of the first pause
     */
    private record Pause(long untilNanos, int doublings, boolean refused) {}

    /**
     * @param firstNanos the pause after a first failure
     * @param maxDoublings the number of failures after which the pause does not grow any more
     * @param refusedNanos the pause after a refusal
     */
    public Backoff(long firstNanos, int maxDoublings, long refusedNanos) {
        this.firstNanos = firstNanos;
        this.maxDoublings = maxDoublings;
        this.refusedNanos = refusedNanos;
    }

    /** Returns whether an attempt is not to be made now. */
    public boolean holds(T attempt, long now) {
        Pause pause = pauses.get(attempt);
        return pause != null && now - pause.untilNanos() < 0;
    }

    /** Returns whether an attempt failed without a refusal and is not to be made now. */
    public boolean holdsForNow(T attempt, long now) {
        Pause pause = pauses.get(attempt);
        return pause != null && !pause.refused() && now - pause.untilNanos() < 0;
    }

    public void failed(T attempt, boolean refused, long now) {
        Pause before = pauses.get(attempt);
        int doublings = before == null ? 0 : Math.min(before.doublings() + 1, maxDoublings);
        long nanos = refused ? refusedNanos : firstNanos << doublings;
        pauses.put(attempt, new Pause(now + nanos, doublings, refused));
    }

    /** Notes that an attempt succeeded, so that the next failure is a first one. */
    public void worked(T attempt) {
        pauses.remove(attempt);
    }
}
