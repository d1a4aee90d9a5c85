package io.weir.verify;

import io.weir.limit.Budget;
import io.weir.limit.FairQueue;
import io.weir.limit.Reservation;
import io.weir.limit.Share;
import io.weir.metrics.RateLimitedLogger;
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

    /** Answers that may wait: seconds of work, so that bursts of blocks are verified late and not left out. */
    private static final int MAX_WAITING = 1_000;

    /** Bytes of answers that wait or are being verified: a dozen of the largest blocks with receipts. */
    private static final long MAX_BYTES = 64 << 20;

    private record Task(Object holder, Reservation bytes, Runnable code) {}

    private final ThreadPoolExecutor threads;
    private final FairQueue<Task> waiting = new FairQueue<>(Task::holder);
    private final int maxWaiting;
    private final Budget bytes;
    private final AtomicInteger tasks = new AtomicInteger();

    /** Makes an executor that starts no thread before its first task. One thread leaves the other processors to calls. */
    public VerifyExecutor() {
        this(MAX_WAITING, MAX_BYTES);
    }

    /**
     * Makes an executor with other bounds.
     *
     * @param queue maximum number of waiting tasks
     * @param maxBytes maximum bytes of answers that wait or are being verified; one alone may be larger
     */
    public VerifyExecutor(int queue, long maxBytes) {
        this.bytes = new Budget(maxBytes);
        this.maxWaiting = queue;
        AtomicInteger number = new AtomicInteger();
        this.threads = new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
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
        Task added = new Task(holder, bytes.reserve(holder), task);
        if (!add(added, size)) {
            return false;
        }
        try {
            threads.execute(this::runNext);
            return true;
        } catch (RejectedExecutionException e) {
            // It was closed. A thread that has not ended yet may have taken the task.
            synchronized (waiting) {
                if (!waiting.remove(added)) {
                    return true;
                }
            }
            end(added);
            return false;
        }
    }

    private boolean add(Task task, long size) {
        synchronized (waiting) {
            int free = maxWaiting + threads.getMaximumPoolSize() - tasks.get() - 1;
            if (!waiting.permits(task.holder(), free)) {
                return false;
            }
            if (bytes.taken() == 0) {
                task.bytes().add(size);
            } else if (!task.bytes().tryAdd(size)) {
                return false;
            }
            waiting.add(task);
            tasks.incrementAndGet();
            return true;
        }
    }

    private void end(Task task) {
        task.bytes().close();
        tasks.decrementAndGet();
    }

    /** Returns whether no task waits or runs. */
    public boolean isIdle() {
        return tasks.get() == 0;
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
            end(next);
        }
    }

    /** Drops waiting tasks, and does not wait for running ones. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
