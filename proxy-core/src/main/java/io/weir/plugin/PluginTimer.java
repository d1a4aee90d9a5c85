package io.weir.plugin;

import io.weir.plugin.bulkhead.FailureLog;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/**
 * One plugin's scheduler. It has a thread of its own, created on first use, so that a hanging task blocks no other
 * plugin. Thread-safe.
 */
final class PluginTimer implements AutoCloseable {

    private final String pluginId;
    private final FailureLog log;
    private @Nullable ScheduledExecutorService scheduler;
    private boolean closed;

    PluginTimer(String pluginId, FailureLog log) {
        this.pluginId = pluginId;
        this.log = log;
    }

    synchronized ScheduledExecutorService scheduler() {
        if (scheduler == null) {
            ScheduledExecutorService made = Executors.unconfigurableScheduledExecutorService(new LoggingScheduler());
            if (closed) {
                made.shutdownNow();
            }
            scheduler = made;
        }
        return scheduler;
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (scheduler != null) {
            scheduler.shutdownNow();
        }
    }

    /**
     * A scheduler that logs failed tasks. The JDK's scheduler keeps failures in futures that may never be read.
     * Thread-safe.
     */
    private final class LoggingScheduler extends ScheduledThreadPoolExecutor {

        LoggingScheduler() {
            super(1, task -> {
                Thread thread = new Thread(null, task, "weir-plugin-" + pluginId + "-timer", 0, false);
                thread.setDaemon(true);
                return thread;
            });
            setRemoveOnCancelPolicy(true);
        }

        @Override
        protected void afterExecute(Runnable task, @Nullable Throwable failure) {
            if (failure == null && task instanceof Future<?> future && future.isDone()) {
                try {
                    future.get();
                } catch (ExecutionException e) {
                    log.failed("a scheduled task", Objects.requireNonNullElse(e.getCause(), e));
                } catch (CancellationException ignored) {
                    // Its plugin cancelled it.
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }
}
