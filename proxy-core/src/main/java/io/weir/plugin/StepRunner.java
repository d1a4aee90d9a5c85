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
 * Runs the steps of one plugin's life on a thread of its own that can be given up: a step that throws anything, or does not
 * end, is a problem of its plugin and not of the host. Confined to the thread that owns the host.
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
     * @throws PluginException when it fails, in one line
     */
    <T> T run(String step, Duration limit, Callable<T> code) throws PluginException {
        Future<T> task = thread.submit(() -> told(step, code));
        try {
            return task.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
            throw cause instanceof PluginException told
                    ? told
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

    /** An exception's text is the plugin's code too, so it is asked for on the plugin's thread. */
    private <T> T told(String step, Callable<T> code) throws PluginException {
        try {
            return code.call();
        } catch (Throwable e) {
            OutOfMemory.check(e);
            // A constructor's own failure comes wrapped.
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

    /** A plugin's own words to the operator where it chose them, else what went wrong in it. */
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
