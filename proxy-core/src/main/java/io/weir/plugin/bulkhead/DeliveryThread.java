package io.weir.plugin.bulkhead;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The thread that parses and delivers the replies to one plugin's calls. Thread-safe.
 *
 * <p>It is not a thread of the bulkhead, because all of these may be waiting for such a reply. It is not shared with
 * other plugins: a thread that completes a future also runs its dependent code. With {@code CompletableFuture.allOf}
 * that code may be the plugin's.
 */
public final class DeliveryThread implements AutoCloseable {

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

    /** Returns whether this is the current thread. */
    public boolean isCurrent() {
        return Thread.currentThread().equals(thread);
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
