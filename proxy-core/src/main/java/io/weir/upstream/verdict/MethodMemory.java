package io.weir.upstream.verdict;

import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Methods that one node recently said it does not have. The number of methods and the time are bounded, because clients may
 * call methods of any name and nodes are upgraded. Thread-safe.
 */
public final class MethodMemory {

    static final int MAX = 256;
    static final int MAX_NAME_CHARS = 128;
    static final long NANOS = TimeUnit.MINUTES.toNanos(10);

    private final LongSupplier clock;
    private final Map<String, Long> untilNanos = new ConcurrentHashMap<>();

    /**
     * Creates an empty memory.
     *
     * @param clock nanoseconds, as {@link System#nanoTime}
     */
    public MethodMemory(LongSupplier clock) {
        this.clock = clock;
    }

    /** Notes that the node does not have a method. */
    public void lacks(String method) {
        if (method.length() > MAX_NAME_CHARS) {
            return;
        }
        long now = clock.getAsLong();
        if (untilNanos.size() >= MAX && !untilNanos.containsKey(method)) {
            evict(now);
        }
        untilNanos.put(method, now + NANOS);
    }

    private void evict(long now) {
        untilNanos.values().removeIf(until -> until - now <= 0);
        Iterator<String> any = untilNanos.keySet().iterator();
        while (untilNanos.size() >= MAX && any.hasNext()) {
            any.next();
            any.remove();
        }
    }

    /** Notes that the node has the method after all. */
    public void has(String method) {
        if (!untilNanos.isEmpty()) {
            untilNanos.remove(method);
        }
    }

    /** Returns whether the node said recently that it does not have a method. */
    public boolean isLacking(String method) {
        if (untilNanos.isEmpty()) {
            return false;
        }
        Long until = untilNanos.get(method);
        return until != null && until - clock.getAsLong() > 0;
    }

    /** Returns whether the memory is empty, expired entries included. */
    public boolean isEmpty() {
        return untilNanos.isEmpty();
    }

    int size() {
        return untilNanos.size();
    }
}
