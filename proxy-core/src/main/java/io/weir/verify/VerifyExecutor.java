package io.weir.verify;

import io.weir.limit.FairQueue;
import io.weir.limit.Share;
import io.weir.metrics.RateLimitedLogger;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.LoggerFactory;

/**
 * Executor of verifications and of scans of the store, with bounds on waiting tasks and on their bytes. Those for whom tasks run take
 * turns, and have {@linkplain Share shares} of both. Thread-safe.
 */
public final class VerifyExecutor implements AutoCloseable {

    private static final RateLimitedLogger LOG = new RateLimitedLogger(LoggerFactory.getLogger(VerifyExecutor.class));

    /** For whom the proxy's own tasks run. */
    private static final Object OWN = new Object();

    private record Task(Object holder, long size, Runnable code) {}

    private final ThreadPoolExecutor threads;
    private final FairQueue<Task> waiting = new FairQueue<>(Task::holder);
    private final int maxWaiting;
    private final long maxBytes;
    private final Map<Object, Long> bytesByHolder = new HashMap<>();
    private long bytes;
    private int tasks;

    /**
     * Makes an executor that starts no thread before its first task.
     *
     * @param queue maximum number of waiting tasks
     * @param maxBytes maximum bytes of answers that wait or are being verified; one alone may be larger
     */
    public VerifyExecutor(int count, int queue, long maxBytes) {
        this.maxBytes = maxBytes;
        this.maxWaiting = queue;
        AtomicInteger number = new AtomicInteger();
        this.threads = new ThreadPoolExecutor(count, count, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
            Thread thread = new Thread(task, "weir-verify-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Runs a task of the proxy's own on one of the threads.
     *
     * @param size bytes that the task holds
     * @return false if there is no capacity: the task will never run
     */
    public boolean tryRun(long size, Runnable task) {
        return tryRun(OWN, size, task);
    }

    /** Runs a task for somebody, in its turn; else as {@link #tryRun(long, Runnable)}. */
    public boolean tryRun(Object holder, long size, Runnable task) {
        Task added = new Task(holder, size, task);
        if (!add(added)) {
            return false;
        }
        try {
            threads.execute(this::runNext);
            return true;
        } catch (RejectedExecutionException e) {
            // It was closed. A thread that has not ended yet may have taken the task.
            return !withdraw(added);
        }
    }

    private boolean add(Task task) {
        synchronized (waiting) {
            int free = maxWaiting + threads.getMaximumPoolSize() - tasks - 1;
            long held = bytesByHolder.getOrDefault(task.holder(), 0L);
            boolean fits = bytes == 0 || Share.permits(held, task.size(), maxBytes - bytes - task.size());
            if (!fits || !Share.permits(waiting.size(task.holder()), 1, free)) {
                return false;
            }
            waiting.add(task);
            count(task, 1);
            return true;
        }
    }

    private boolean withdraw(Task task) {
        synchronized (waiting) {
            boolean waited = waiting.remove(task);
            if (waited) {
                count(task, -1);
            }
            return waited;
        }
    }

    private void count(Task task, int sign) {
        tasks += sign;
        bytes += sign * task.size();
        long held = bytesByHolder.merge(task.holder(), sign * task.size(), Long::sum);
        if (held == 0) {
            bytesByHolder.remove(task.holder());
        }
    }

    /** Returns whether no task waits or runs. */
    public boolean isIdle() {
        synchronized (waiting) {
            return tasks == 0;
        }
    }

    private void runNext() {
        Task next;
        synchronized (waiting) {
            next = waiting.next();
        }
        if (next == null) {
            return;
        }
        try {
            next.code().run();
        } catch (RuntimeException e) {
            LOG.warn("a verification failed inside", e);
        } finally {
            synchronized (waiting) {
                count(next, -1);
            }
        }
    }

    /** Drops waiting tasks, and does not wait for running ones. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
