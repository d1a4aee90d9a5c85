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
 * One plugin's scheduler: a thread of its own, made when it is first asked for, so that a task that hangs stops no other
 * plugin's. Thread-safe.
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
            ScheduledExecutorService made = Executors.unconfigurableScheduledExecutorService(new Telling());
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

    /** Tells of tasks that fail: the JDK's keeps that in a future that nobody may ever look at. */
    private final class Telling extends ScheduledThreadPoolExecutor {

        Telling() {
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
                    // Its plugin ended it.
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }
}
