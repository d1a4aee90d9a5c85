package io.weir.app.start;

import io.netty.util.concurrent.DefaultThreadFactory;
import io.weir.admin.Reload.Cause;
import io.weir.admin.Reload.Result;
import io.weir.metrics.OutOfMemory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that reloads, one request after the other. A request that comes while another one waits shares its result. Each
 * request gets a result, at a shutdown too. Thread-safe.
 */
final class ReloadThread implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ReloadThread.class);

    private final Function<Cause, Result> reload;
    private final Function<Cause, Result> abandon;
    private final AtomicReference<@Nullable Request> waiting = new AtomicReference<>();
    private final ScheduledThreadPoolExecutor thread;

    /** A request with its result to come. Immutable. */
    private record Request(Cause cause, CompletableFuture<Result> result) {}

    /**
     * @param reload returns the result of a reload; called on the thread
     * @param abandon returns the result of a reload that a shutdown prevents; called on any thread
     */
    ReloadThread(Function<Cause, Result> reload, Function<Cause, Result> abandon) {
        this.reload = reload;
        this.abandon = abandon;
        this.thread = new ScheduledThreadPoolExecutor(1, new DefaultThreadFactory("weir-reload", true));
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Asks for a reload. */
    CompletionStage<Result> request(Cause cause) {
        Request mine = new Request(cause, new CompletableFuture<>());
        Request begun = waiting.compareAndExchange(null, mine);
        if (begun != null) {
            // It has not read the file yet, so that it will read what this request is about.
            return begun.result();
        }
        try {
            thread.execute(() -> OutOfMemory.run(() -> run(mine)));
        } catch (RejectedExecutionException e) {
            abandon(mine);
        }
        return mine.result();
    }

    private void run(Request request) {
        if (waiting.compareAndSet(request, null)) {
            request.result().complete(reload.apply(request.cause()));
        }
    }

    /** Ends a request, unless its reload has begun. */
    private void abandon(Request request) {
        if (waiting.compareAndSet(request, null)) {
            request.result().complete(abandon.apply(request.cause()));
        }
    }

    /** Runs a task on the thread, unless a shutdown comes first. */
    ScheduledFuture<?> schedule(Runnable task, long millis) {
        return thread.schedule(() -> OutOfMemory.run(task), millis, TimeUnit.MILLISECONDS);
    }

    /** Abandons the requests that wait and later ones, and waits for a reload that has begun. */
    @Override
    public void close() {
        thread.shutdown();
        // The executor has dropped its task, or drops one that is being added.
        Request left = waiting.get();
        if (left != null) {
            abandon(left);
        }
        try {
            if (!thread.awaitTermination(1, TimeUnit.MINUTES)) {
                LOG.warn("a reload did not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
