package io.weir.plugin.bulkhead;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * One plugin's share of the {@link PluginExecutor}: running tasks, waiting tasks, and the number of calls in flight. As
 * an {@link Executor} it also runs the plugin's own tasks. Thread-safe.
 */
public final class Bulkhead implements Executor {

    private final PluginExecutor threads;
    private final String pluginId;
    private final ClassLoader classes;
    private final Bounds bounds;
    private final DeliveryThread delivery;
    private final FailureLog failures;
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private int running;
    private int calls;
    private int outgoing;
    private boolean closed;

    /**
     * The capacity of a bulkhead. Immutable.
     *
     * @param waiting maximum number of waiting tasks
     * @param calls maximum number of calls into the plugin, and of its own calls
     */
    record Bounds(int waiting, int calls) {}

    Bulkhead(PluginExecutor threads, String pluginId, ClassLoader classes, Bounds bounds) {
        this.threads = threads;
        this.pluginId = pluginId;
        this.classes = classes;
        this.bounds = bounds;
        this.delivery = new DeliveryThread(pluginId, classes);
        this.failures = new FailureLog(pluginId, System::nanoTime);
    }

    /** Returns the id of its plugin. */
    public String pluginId() {
        return pluginId;
    }

    /**
     * Runs a task of the plugin.
     *
     * @throws RejectedExecutionException if too many tasks wait already, or the plugin is closed
     */
    @Override
    public void execute(Runnable task) {
        synchronized (threads.lock()) {
            if (closed || waiting.size() >= bounds.waiting()) {
                throw new RejectedExecutionException(
                        "plugin " + pluginId + ": " + (closed ? "closed" : bounds.waiting() + " tasks wait already"));
            }
            waiting.add(task);
            threads.dispatch();
        }
    }

    /**
     * Continues a call in flight, before all waiting tasks and regardless of their number. The number of calls bounds
     * these tasks.
     */
    public void resume(Runnable task) {
        synchronized (threads.lock()) {
            if (closed) {
                throw new RejectedExecutionException("plugin " + pluginId + ": closed");
            }
            waiting.addFirst(task);
            threads.dispatch();
        }
    }

    /**
     * Accepts a call, which is in flight until {@link #leave}. Returns false if too many are in flight, or the bulkhead
     * is closed.
     */
    public boolean enter(Runnable call) {
        synchronized (threads.lock()) {
            if (closed || calls >= bounds.calls()) {
                return false;
            }
            calls++;
            waiting.add(call);
            threads.dispatch();
            return true;
        }
    }

    /** Ends an accepted call, which was answered and whose code has returned. */
    public void leave() {
        synchronized (threads.lock()) {
            calls--;
        }
    }

    /**
     * Counts a call that the plugin makes itself. Returns false if too many of these are in flight, or the bulkhead is
     * closed.
     */
    public boolean beginOutgoing() {
        synchronized (threads.lock()) {
            if (closed || outgoing >= bounds.calls()) {
                return false;
            }
            outgoing++;
            return true;
        }
    }

    /** Ends a call that the plugin made itself. */
    public void endOutgoing() {
        synchronized (threads.lock()) {
            outgoing--;
        }
    }

    /** Removes a call that has not begun. Returns whether it had not. */
    public boolean withdraw(Runnable call) {
        synchronized (threads.lock()) {
            return waiting.remove(call);
        }
    }

    /** Returns the plugin's own thread for the replies to its calls. */
    public DeliveryThread delivery() {
        return delivery;
    }

    Bounds bounds() {
        return bounds;
    }

    /** Returns the number of calls in flight, for tests. */
    public int calls() {
        synchronized (threads.lock()) {
            return calls;
        }
    }

    boolean hasWaiting() {
        return !waiting.isEmpty();
    }

    int running() {
        return running;
    }

    /** Returns the next task. The caller must hold the lock. */
    Runnable begin() {
        Runnable task = waiting.remove();
        running++;
        return () -> run(task);
    }

    private void run(Runnable task) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(classes);
        try {
            task.run();
        } catch (Throwable e) {
            failures.failed("a task of its own", e);
        } finally {
            thread.setContextClassLoader(before);
            // A late interrupt must not affect the next task, which may be another plugin's.
            Thread.interrupted();
            synchronized (threads.lock()) {
                running--;
                threads.giveBack(this);
                threads.dispatch();
            }
        }
    }

    /** Rejects all later tasks and discards those waiting. */
    public void close() {
        synchronized (threads.lock()) {
            closed = true;
            waiting.clear();
        }
        delivery.close();
    }
}
