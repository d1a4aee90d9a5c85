package io.weir.plugin.call;

import io.weir.metrics.EnumCounters;

/**
 * The shared resources of one plugin's calls. Thread-safe.
 *
 * @param bulkhead their threads
 * @param trees their JSON
 * @param log the log of their failures
 * @param outcomes counts their outcomes
 */
public record PluginRuntime(Bulkhead bulkhead, Trees trees, FailureLog log, EnumCounters<Outcome> outcomes)
        implements AutoCloseable {

    /** The outcomes of calls and of requests for pages. The names are label values of a meter. */
    public enum Outcome {
        /** The code returned a value. */
        RESULT,
        /** The code answered with an error of its own. */
        ERROR,
        /** The code failed. */
        FAILURE,
        /** The code had begun, and had not ended at the deadline. */
        TIMEOUT,
        /** None of the code ran. */
        REJECTED
    }

    public String pluginId() {
        return bulkhead.pluginId();
    }

    void count(Ending<?> ending) {
        outcomes.count(outcome(ending));
    }

    private static Outcome outcome(Ending<?> ending) {
        if (ending instanceof Ending.Value) {
            return Outcome.RESULT;
        }
        if (ending instanceof Ending.ErrorReply) {
            return Outcome.ERROR;
        }
        if (ending instanceof Ending.Broken) {
            return Outcome.FAILURE;
        }
        // Calls whose code had no thread until their deadline get the same answer as those that were never accepted.
        return ending instanceof Ending.Late<?> late && late.begun() ? Outcome.TIMEOUT : Outcome.REJECTED;
    }

    /** Rejects all later calls and removes the meters. */
    @Override
    public void close() {
        bulkhead.close();
        outcomes.remove();
    }
}
