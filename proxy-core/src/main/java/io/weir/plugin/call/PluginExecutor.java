package io.weir.plugin.call;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of plugins' code, shared so that no plugin can take them all. Thread-safe.
 *
 * <p>Each plugin has a {@link Bulkhead}: a bounded queue, and one thread that is always its own. The other threads are
 * lent to bulkheads with work, in turn. One bulkhead never gets more than half of them if there are others. So a plugin
 * whose calls all hang slows the others down but does not stop them, and its waiting tasks are in its own queue. Each
 * plugin has its one thread even if fewer threads are configured than there are plugins.
 *
 * <p>All threads are created at once in the constructor. A thread retains the context of the code that created it. A
 * thread created while a plugin's code ran would keep that plugin's classes in memory.
 */
public final class PluginExecutor implements AutoCloseable {

    private final Object lock = new Object();
    private final List<Bulkhead> bulkheads = new ArrayList<>();
    private final ThreadPoolExecutor workers;
    private final int maxLent;
    private final int maxWaiting;
    private int lendable;
    private int next;
    private boolean closed;

    /**
     * Starts the threads.
     *
     * @param name the beginning of the threads' names
     * @param plugins number of bulkheads
     * @param threads in total; at least one for each plugin is started
     * @param queue maximum number of waiting tasks of one plugin
     */
    public PluginExecutor(String name, int plugins, int threads, int queue) {
        int count = Math.max(Math.max(plugins, threads), 1);
        lendable = count - plugins;
        maxLent = plugins <= 1 ? lendable : (lendable + 1) / 2;
        maxWaiting = queue;
        workers = new ThreadPoolExecutor(count, count, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), named(name));
        workers.prestartAllCoreThreads();
    }

    public Bulkhead bulkhead(String pluginId, ClassLoader classes) {
        int maxCalls = workers.getCorePoolSize() + maxWaiting;
        Bulkhead bulkhead = new Bulkhead(this, pluginId, classes, maxWaiting, maxCalls);
        synchronized (lock) {
            bulkheads.add(bulkhead);
        }
        return bulkhead;
    }

    Object lock() {
        return lock;
    }

    /** Runs tasks while there are both tasks and threads for them. The caller must hold the lock. */
    void dispatch() {
        if (closed) {
            return;
        }
        boolean gave = true;
        while (gave) {
            gave = false;
            for (int i = 0; i < bulkheads.size(); i++) {
                Bulkhead bulkhead = bulkheads.get((next + i) % bulkheads.size());
                if (bulkhead.hasWaiting() && take(bulkhead)) {
                    workers.execute(bulkhead.begin());
                    gave = true;
                }
            }
            // The next round begins with another bulkhead.
            next = bulkheads.isEmpty() ? 0 : (next + 1) % bulkheads.size();
        }
    }

    private boolean take(Bulkhead bulkhead) {
        if (bulkhead.running() == 0) {
            return true;
        }
        if (lendable == 0 || bulkhead.running() > maxLent) {
            return false;
        }
        lendable--;
        return true;
    }

    /** Records the end of a bulkhead's task. The caller must hold the lock. */
    void giveBack(Bulkhead bulkhead) {
        if (bulkhead.running() > 0) {
            lendable++;
        }
    }

    /** Ends the threads: interrupts running tasks and discards waiting ones. */
    @Override
    public void close() {
        List<Bulkhead> all;
        synchronized (lock) {
            closed = true;
            all = List.copyOf(bulkheads);
            bulkheads.clear();
        }
        all.forEach(Bulkhead::close);
        workers.shutdownNow();
    }

    private static ThreadFactory named(String prefix) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(null, task, prefix + number.incrementAndGet(), 0, false);
            thread.setDaemon(true);
            return thread;
        };
    }
}
