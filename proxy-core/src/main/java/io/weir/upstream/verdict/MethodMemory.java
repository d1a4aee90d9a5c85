package io.weir.upstream.verdict;

import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Methods that one node recently said it does not have. The number of methods and the time are bounded, because clients may
 * call methods of any name and nodes are upgraded. After the time one call tries again before the others; see {@link HalfOpen}.
 * Thread-safe.
 */
public final class MethodMemory {

    static final int MAX = 256;
    static final int MAX_NAME_CHARS = 128;

    private final LongSupplier clock;
    private final Map<String, HalfOpen> lacking = new ConcurrentHashMap<>();

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
        if (lacking.size() >= MAX && !lacking.containsKey(method)) {
            evict(now);
        }
        lacking.put(method, new HalfOpen(now));
    }

    private void evict(long now) {
        lacking.values().removeIf(lack -> lack.isOver(now));
        Iterator<String> any = lacking.keySet().iterator();
        while (lacking.size() >= MAX && any.hasNext()) {
            any.next();
            any.remove();
        }
    }

    /** Notes that the node has the method after all. */
    public void has(String method) {
        if (!lacking.isEmpty()) {
            lacking.remove(method);
        }
    }

    /** Returns whether the node said recently that it does not have a method. */
    public boolean saidToLack(String method) {
        HalfOpen lack = lacking.isEmpty() ? null : lacking.get(method);
        return lack != null && !lack.isOver(clock.getAsLong());
    }

    /** Returns whether the node is not to be asked for a method. A call that tries again is told that it is. */
    public boolean isLacking(String method) {
        HalfOpen lack = lacking.isEmpty() ? null : lacking.get(method);
        return lack != null && !lack.mayTry(clock.getAsLong());
    }

    /** Returns whether the node said that it does not have a method, and has not shown since that it has. */
    public boolean remembers(String method) {
        return lacking.containsKey(method);
    }

    /** Returns whether the memory is empty, expired entries included. */
    public boolean isEmpty() {
        return lacking.isEmpty();
    }

    int size() {
        return lacking.size();
    }
}
