package io.weir.plugin.bulkhead;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that plugins' code runs on, shared by all plugins but not to be taken by one. Thread-safe.
 *
 * <p>Each plugin has a {@link Bulkhead}: a bounded queue, and one thread that is always its own. The threads beyond those are lent
 * to whichever lanes have work, in turn, and never more than half of them to one lane while there are others. So a plugin whose
 * calls all hang slows the others down, but each of them goes on; and what waits for the hanging one is in its own queue. Where
 * fewer threads are configured than there are plugins, each plugin still has its one.
 *
 * <p>Every thread is made here, at once, and none later: a thread remembers the code that was running when it was made, and one
 * made while a plugin's code ran would keep that plugin's classes for ever.
 */
public final class PluginExecutor implements AutoCloseable {

    private final Object lock = new Object();
    private final List<Bulkhead> lanes = new ArrayList<>();
    private final ThreadPoolExecutor workers;
    private final int perLane;
    private final int perQueue;
    private int lendable;
    private int next;
    private boolean closed;

    /**
     * Starts the threads.
     *
     * @param plugins how many lanes there will be
     * @param threads in all; at least one for each plugin is started
     * @param queue tasks of one plugin that may wait
     */
    public PluginExecutor(int plugins, int threads, int queue) {
        int count = Math.max(Math.max(plugins, threads), 1);
        lendable = count - plugins;
        perLane = plugins <= 1 ? lendable : (lendable + 1) / 2;
        perQueue = queue;
        workers = new ThreadPoolExecutor(
                count, count, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), named("weir-plugin-"));
        workers.prestartAllCoreThreads();
    }

    /** Makes a plugin's lane. */
    public Bulkhead lane(String pluginId, ClassLoader classes) {
        Bulkhead lane = new Bulkhead(
                this, pluginId, classes, new Bulkhead.Bounds(perQueue, workers.getCorePoolSize() + perQueue));
        synchronized (lock) {
            lanes.add(lane);
        }
        return lane;
    }

    Object lock() {
        return lock;
    }

    /** Gives threads to lanes while there are both work and threads for them. Holds the lock. */
    void dispatch() {
        if (closed) {
            return;
        }
        boolean gave = true;
        while (gave) {
            gave = false;
            for (int i = 0; i < lanes.size(); i++) {
                Bulkhead lane = lanes.get((next + i) % lanes.size());
                if (lane.hasWaiting() && take(lane)) {
                    workers.execute(lane.begin());
                    gave = true;
                }
            }
            // The next round begins with another lane.
            next = lanes.isEmpty() ? 0 : (next + 1) % lanes.size();
        }
    }

    private boolean take(Bulkhead lane) {
        if (lane.running() == 0) {
            return true;
        }
        if (lendable == 0 || lane.running() > perLane) {
            return false;
        }
        lendable--;
        return true;
    }

    /** A lane's task has ended. Holds the lock. */
    void giveBack(Bulkhead lane) {
        if (lane.running() > 0) {
            lendable++;
        }
    }

    /** Ends the threads: those at work are interrupted, what waits does not run. */
    @Override
    public void close() {
        List<Bulkhead> all;
        synchronized (lock) {
            closed = true;
            all = List.copyOf(lanes);
            lanes.clear();
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
