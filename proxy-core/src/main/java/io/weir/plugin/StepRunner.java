package io.weir.plugin;

import io.weir.metrics.OutOfMemory;
import io.weir.plugin.load.LinkProblem;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the steps of one plugin's life cycle on a separate thread that can be abandoned. A step that throws or does not
 * end is a problem of its plugin, not of the host. Confined to the thread that owns the host.
 */
final class StepRunner implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(StepRunner.class);

    private final String pluginId;
    private final ClassLoader classes;
    private ExecutorService thread;

    StepRunner(String pluginId, ClassLoader classes) {
        this.pluginId = pluginId;
        this.classes = classes;
        this.thread = newThread();
    }

    /**
     * Runs a step.
     *
     * @throws PluginException with one line if it fails
     */
    <T> T run(String step, Duration limit, Callable<T> code) throws PluginException {
        Future<T> task = thread.submit(() -> described(step, code));
        try {
            return task.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
            throw cause instanceof PluginException described
                    ? described
                    : failed(step, cause.getClass().getName());
        } catch (TimeoutException e) {
            giveUp();
            throw failed(step, "did not end within " + limit.toSeconds() + " s");
        } catch (InterruptedException e) {
            giveUp();
            Thread.currentThread().interrupt();
            throw failed(step, "interrupted");
        }
    }

    /** Describes a failure on the plugin's thread, because the text of an exception is plugin code too. */
    private <T> T described(String step, Callable<T> code) throws PluginException {
        try {
            return code.call();
        } catch (Throwable e) {
            OutOfMemory.check(e);
            // A constructor's own failure is wrapped.
            Throwable cause = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
            LOG.debug("plugin {}: {}", pluginId, step, cause);
            throw failed(step, message(cause));
        }
    }

    private void giveUp() {
        thread.shutdownNow();
        thread = newThread();
    }

    private ExecutorService newThread() {
        return Executors.newSingleThreadExecutor(task -> {
            Thread made = new Thread(null, task, "weir-plugin-" + pluginId + "-life", 0, false);
            made.setDaemon(true);
            made.setContextClassLoader(classes);
            return made;
        });
    }

    private PluginException failed(String step, String reason) {
        return new PluginException("plugin " + pluginId + ": " + step + ": " + reason);
    }

    /** Returns the plugin's own message for the operator if it chose one, else the kind of failure. */
    private static String message(Throwable failure) {
        String text = failure.getMessage();
        boolean chosen = failure instanceof Exception
                && !(failure instanceof NullPointerException)
                && !(failure instanceof ReflectiveOperationException)
                && !(failure instanceof ClassCastException);
        return chosen && text != null && !text.isBlank()
                ? text.lines().findFirst().orElse("")
                : LinkProblem.text(failure);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
