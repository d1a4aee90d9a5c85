package io.weir.plugin.call;

import io.weir.limit.FairQueue;
import io.weir.limit.Share;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One plugin's share of the {@link PluginExecutor}: running tasks, waiting tasks, and the number of calls in flight. As
 * an {@link Executor} it also runs the plugin's own tasks, which go first. Callers take turns, and have
 * {@linkplain Share shares} of the calls in flight. Thread-safe.
 */
public final class Bulkhead implements Executor {

    private final PluginExecutor threads;
    private final String pluginId;
    private final ClassLoader classes;
    private final int maxWaiting;
    private final int maxCalls;
    private final DeliveryThread delivery;
    private final FailureLog failures;
    private final ArrayDeque<Runnable> own = new ArrayDeque<>();
    private final FairQueue<Turn> waiting = new FairQueue<>(Turn::caller);
    private final Map<Object, Integer> callsByCaller = new HashMap<>();
    private int running;
    private int calls;
    private int outgoing;
    private boolean closed;

    /** A task that runs in its caller's turn. Immutable. */
    private record Turn(Object caller, Runnable task) {}

    /** Bounds waiting tasks of the plugin's own, and calls: those into the plugin, and those that it makes. */
    Bulkhead(PluginExecutor threads, String pluginId, ClassLoader classes, int maxWaiting, int maxCalls) {
        this.threads = threads;
        this.pluginId = pluginId;
        this.classes = classes;
        this.maxWaiting = maxWaiting;
        this.maxCalls = maxCalls;
        this.delivery = new DeliveryThread(pluginId, classes);
        this.failures = new FailureLog(pluginId);
    }

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
            check(own.size() < maxWaiting);
            own.add(task);
            threads.dispatch();
        }
    }

    /** Continues a call in flight, before all waiting tasks and regardless of their number: that of calls bounds these tasks. */
    public void resume(Runnable task) {
        synchronized (threads.lock()) {
            check(true);
            own.addFirst(task);
            threads.dispatch();
        }
    }

    private void check(boolean free) {
        if (closed || !free) {
            throw new RejectedExecutionException(
                    "plugin " + pluginId + (closed ? ": closed" : ": too many tasks wait already"));
        }
    }

    /** Accepts a call, which is in flight until {@link #leave}. Returns false if too many are in flight, or the bulkhead is closed. */
    public boolean enter(Object caller, Runnable call) {
        synchronized (threads.lock()) {
            int held = callsByCaller.getOrDefault(caller, 0);
            if (closed || !Share.permits(held, 1, maxCalls - calls - 1)) {
                return false;
            }
            calls++;
            callsByCaller.merge(caller, 1, Integer::sum);
            waiting.add(new Turn(caller, call));
            threads.dispatch();
            return true;
        }
    }

    /** Runs a task of a call in flight in its caller's turn. Rejects it as {@link #execute}; callers have shares of the places. */
    public void continueCall(Object caller, Runnable task) {
        synchronized (threads.lock()) {
            check(waiting.permits(caller, maxCalls + maxWaiting - waiting.size() - 1));
            waiting.add(new Turn(caller, task));
            threads.dispatch();
        }
    }

    /** Ends an accepted call, which was answered and whose code has returned. */
    public void leave(Object caller) {
        synchronized (threads.lock()) {
            calls--;
            callsByCaller.computeIfPresent(caller, (name, count) -> count == 1 ? null : count - 1);
        }
    }

    /** Counts a call that the plugin makes itself. Returns false if too many of these are in flight, or the bulkhead is closed. */
    public boolean beginOutgoing() {
        synchronized (threads.lock()) {
            if (closed || outgoing >= maxCalls) {
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
    public boolean withdraw(Object caller, Runnable call) {
        synchronized (threads.lock()) {
            return waiting.remove(new Turn(caller, call));
        }
    }

    /** Returns the plugin's own thread for the replies to its calls. */
    public DeliveryThread delivery() {
        return delivery;
    }

    /** Returns the number of calls in flight, for tests. */
    public int calls() {
        synchronized (threads.lock()) {
            return calls;
        }
    }

    boolean hasWaiting() {
        return !own.isEmpty() || waiting.size() > 0;
    }

    int running() {
        return running;
    }

    /** Returns the next task. The caller must hold the lock. */
    Runnable begin() {
        Runnable task = own.isEmpty() ? Objects.requireNonNull(waiting.next()).task() : own.remove();
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
            own.clear();
            waiting.drain();
        }
        delivery.close();
    }

    /**
     * The thread that parses and delivers the replies to one plugin's calls. Thread-safe.
     *
     * <p>It is not a thread of the bulkhead, because all of these may be waiting for such a reply. It is not shared with
     * other plugins: a thread that completes a future also runs its dependent code. With {@code CompletableFuture.allOf}
     * that code may be the plugin's.
     */
    public static final class DeliveryThread implements AutoCloseable {

        private final ThreadPoolExecutor executor;
        private volatile @Nullable Thread thread;

        DeliveryThread(String pluginId, ClassLoader classes) {
            executor = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                Thread made = new Thread(null, task, "weir-plugin-" + pluginId + "-replies", 0, false);
                made.setDaemon(true);
                made.setContextClassLoader(classes);
                thread = made;
                return made;
            });
            executor.prestartAllCoreThreads();
        }

        /**
         * Delivers a reply. The number of the plugin's calls bounds their number.
         *
         * @throws java.util.concurrent.RejectedExecutionException if the plugin is closed
         */
        public void deliver(Runnable task) {
            executor.execute(task);
        }

        public boolean isCurrent() {
            return Thread.currentThread().equals(thread);
        }

        @Override
        public void close() {
            executor.shutdownNow();
        }
    }
}
