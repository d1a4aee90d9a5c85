package io.weir.plugin.bulkhead;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * One plugin's share of the {@link PluginExecutor}: what it may run now, what waits, and how many calls it has under way.
 * Thread-safe. As an {@link Executor} it is what the plugin itself gets.
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
     * How much a lane takes in.
     *
     * @param waiting tasks that wait
     * @param calls into the plugin that are under way, and again as many out of it
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

    /** The plugin whose lane it is. */
    public String pluginId() {
        return pluginId;
    }

    /**
     * Runs a task of the plugin's.
     *
     * @throws RejectedExecutionException when too many wait already, or the plugin is closed
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
     * Goes on with a call that is under way: before all that waits, and whatever waits, for its number is bounded by that of
     * the calls.
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

    /** Takes a call in: one more under way until {@link #leave}. False when there are too many, or the lane is closed. */
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

    /** A call that was taken in is over: answered, and its code has returned. */
    public void leave() {
        synchronized (threads.lock()) {
            calls--;
        }
    }

    /** Notes a call that the plugin makes itself. False when too many of those are under way, or the lane is closed. */
    public boolean beginOutgoing() {
        synchronized (threads.lock()) {
            if (closed || outgoing >= bounds.calls()) {
                return false;
            }
            outgoing++;
            return true;
        }
    }

    /** A call that the plugin made is answered. */
    public void endOutgoing() {
        synchronized (threads.lock()) {
            outgoing--;
        }
    }

    /** Takes a call back that has not begun; whether it had not. */
    public boolean withdraw(Runnable call) {
        synchronized (threads.lock()) {
            return waiting.remove(call);
        }
    }

    /** The plugin's own thread for the replies to calls that it makes. */
    public DeliveryThread delivery() {
        return delivery;
    }

    Bounds bounds() {
        return bounds;
    }

    /** Calls under way, for tests. */
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

    /** Hands out the next task. Holds the lock. */
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
            // An interrupt that came too late must not hit the next task, which may be another plugin's.
            Thread.interrupted();
            synchronized (threads.lock()) {
                running--;
                threads.giveBack(this);
                threads.dispatch();
            }
        }
    }

    /** Lets nothing more in and forgets what waits. */
    public void close() {
        synchronized (threads.lock()) {
            closed = true;
            waiting.clear();
        }
        delivery.close();
    }
}
