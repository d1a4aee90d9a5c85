package io.weir.subscription.node;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Pauses of attempts that failed. Confined to one thread.
 *
 * @param <T> the type of attempts, of which there is a bounded number
 */
final class NodePauses<T> {

    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int MAX_DOUBLINGS = 6;

    /** Pause of an attempt that was refused. */
    private static final long REFUSED_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Map<T, Pause> pauses = new HashMap<>();

    /**
     * Pause of an attempt. Immutable.
     *
     * @param failures in a row
     */
    private record Pause(long untilNanos, int failures, boolean refused) {}

    /** Returns whether it is not to be tried now. */
    boolean holds(T attempt, long now) {
        Pause pause = pauses.get(attempt);
        return pause != null && now - pause.untilNanos() < 0;
    }

    /** Returns whether it may succeed later, although it is not to be tried now. */
    boolean holdsForNow(T attempt, long now) {
        Pause pause = pauses.get(attempt);
        return pause != null && !pause.refused() && now - pause.untilNanos() < 0;
    }

    /** Notes that it failed. */
    void failed(T attempt, boolean refused, long now) {
        Pause before = pauses.get(attempt);
        int failures = before == null ? 0 : Math.min(before.failures() + 1, MAX_DOUBLINGS);
        long nanos = refused ? REFUSED_NANOS : PAUSE_NANOS << failures;
        pauses.put(attempt, new Pause(now + nanos, failures, refused));
    }

    /** Notes that it brought what was wanted. */
    void worked(T attempt) {
        pauses.remove(attempt);
    }
}
