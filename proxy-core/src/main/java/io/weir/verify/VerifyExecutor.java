package io.weir.verify;

import io.weir.metrics.RateLimitedLogger;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.LoggerFactory;

/** Executor of verifications and of scans of the store, with bounds on waiting tasks and on their bytes. Thread-safe. */
public final class VerifyExecutor implements AutoCloseable {

    private static final RateLimitedLogger LOG = new RateLimitedLogger(LoggerFactory.getLogger(VerifyExecutor.class));

    private final ThreadPoolExecutor threads;
    private final long maxBytes;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicInteger tasks = new AtomicInteger();

    /**
     * Makes an executor that starts no thread before its first task.
     *
     * @param queue maximum number of waiting tasks
     * @param maxBytes maximum bytes of answers that wait or are being verified; one alone may be larger
     */
    public VerifyExecutor(int count, int queue, long maxBytes) {
        this.maxBytes = maxBytes;
        AtomicInteger number = new AtomicInteger();
        this.threads =
                new ThreadPoolExecutor(count, count, 10, TimeUnit.SECONDS, new ArrayBlockingQueue<>(queue), task -> {
                    Thread thread = new Thread(task, "weir-verify-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Runs a task on one of the threads.
     *
     * @param size bytes that the task holds
     * @return false if there is no capacity: the task will never run
     */
    public boolean tryRun(long size, Runnable task) {
        long before = bytes.getAndAdd(size);
        if (before > 0 && before + size > maxBytes) {
            bytes.addAndGet(-size);
            return false;
        }
        tasks.incrementAndGet();
        try {
            threads.execute(() -> run(size, task));
            return true;
        } catch (RejectedExecutionException e) {
            tasks.decrementAndGet();
            bytes.addAndGet(-size);
            return false;
        }
    }

    /** Returns whether no task waits or runs. */
    public boolean isIdle() {
        return tasks.get() == 0;
    }

    private void run(long size, Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.warn("a verification failed inside", e);
        } finally {
            bytes.addAndGet(-size);
            tasks.decrementAndGet();
        }
    }

    /** Drops waiting tasks, and does not wait for running ones. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
