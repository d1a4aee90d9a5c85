package io.weir.l2.deploy.sending;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Deployments that were sent lately and not refused. Bounded in number, and each for a time only. Thread-safe.
 *
 * <p>It is not kept over a restart: then "already in the mempool" reaches the client as the node says it.
 */
public final class RecentDeployments {
    private record Entry(Expected expected, long sentNanos) {}

    /** The deployments of a minute under the heaviest load, in a few megabytes. */
    private static final int MOST = 10_000;

    /** Longer than clients repeat a call whose answer they did not get. */
    private static final Duration KEEP = Duration.ofMinutes(10);

    private final int most;
    private final long keepNanos;
    private final LongSupplier clock;
    /** The oldest first. */
    private final Map<DeploymentKey, Entry> entries = new LinkedHashMap<>();

    /**
     * An empty memory.
     *
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    public RecentDeployments(LongSupplier clock) {
        this(MOST, KEEP, clock);
    }

    RecentDeployments(int most, Duration keep, LongSupplier clock) {
        this.most = most;
        this.keepNanos = keep.toNanos();
        this.clock = clock;
    }

    /** Returns the expected answer to a deployment, or null if it was not sent lately. */
    synchronized @Nullable Expected get(DeploymentKey key) {
        dropOld();
        Entry entry = entries.get(key);
        return entry == null ? null : entry.expected();
    }

    /** Remembers one from now on. */
    synchronized void put(DeploymentKey key, Expected expected) {
        dropOld();
        entries.remove(key);
        entries.put(key, new Entry(expected, clock.getAsLong()));
        if (entries.size() > most) {
            removeOldest();
        }
    }

    /** Forgets one that turned out not to be taken. */
    synchronized void forget(DeploymentKey key) {
        entries.remove(key);
    }

    /** How many are remembered. */
    public synchronized int size() {
        dropOld();
        return entries.size();
    }

    private void dropOld() {
        long now = clock.getAsLong();
        Iterator<Entry> oldestFirst = entries.values().iterator();
        while (oldestFirst.hasNext() && now - oldestFirst.next().sentNanos() >= keepNanos) {
            oldestFirst.remove();
        }
    }

    private void removeOldest() {
        Iterator<Entry> oldestFirst = entries.values().iterator();
        oldestFirst.next();
        oldestFirst.remove();
    }
}
