package io.weir.plugin;

import io.weir.plugin.load.LinkProblem;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs the steps of one plugin's life, each on a thread that can be given up: a step that throws anything, or does not end, is
 * a problem of its plugin and not of the host. Confined to the thread that owns the host.
 */
final class StepRunner {

    private final String pluginId;
    private final ClassLoader classes;

    StepRunner(String pluginId, ClassLoader classes) {
        this.pluginId = pluginId;
        this.classes = classes;
    }

    /**
     * Runs a step.
     *
     * @throws PluginException when it fails, in one line
     */
    <T> T run(String step, Duration limit, Callable<T> code) throws PluginException {
        FutureTask<T> task = new FutureTask<>(code);
        Thread thread = new Thread(null, task, "weir-plugin-" + pluginId + "-" + step, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(classes);
        thread.start();
        try {
            return task.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw failed(step, message(e.getCause()));
        } catch (TimeoutException e) {
            task.cancel(true);
            throw failed(step, "did not end within " + limit.toSeconds() + " s");
        } catch (InterruptedException e) {
            task.cancel(true);
            Thread.currentThread().interrupt();
            throw failed(step, "interrupted");
        }
    }

    private PluginException failed(String step, String reason) {
        return new PluginException("plugin " + pluginId + ": " + step + ": " + reason);
    }

    /** A plugin's own words to the operator where it chose its exception, else what went wrong in it. */
    private static String message(Throwable failure) {
        boolean chosen = failure instanceof Exception
                && failure.getMessage() != null
                && !(failure instanceof NullPointerException)
                && !(failure instanceof ClassNotFoundException)
                && !(failure instanceof ClassCastException);
        return chosen ? failure.getMessage().lines().findFirst().orElse("") : LinkProblem.text(failure);
    }
}
