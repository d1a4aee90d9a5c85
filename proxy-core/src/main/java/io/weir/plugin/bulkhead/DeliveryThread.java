package io.weir.plugin.bulkhead;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The thread on which the replies to one plugin's calls are parsed and handed over. Thread-safe.
 *
 * <p>It is none of the lane's: there every thread may be waiting for such a reply. It is none of another plugin's: whoever
 * completes a future runs what hangs on it, and {@code CompletableFuture.allOf} lets a plugin hang its code on the completion
 * itself.
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
     * Hands over a reply; their number is bounded by that of the plugin's calls.
     *
     * @throws java.util.concurrent.RejectedExecutionException when the plugin is closed
     */
    public void deliver(Runnable task) {
        executor.execute(task);
    }

    /** Whether this is the current thread. */
    public boolean isCurrent() {
        return Thread.currentThread().equals(thread);
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
