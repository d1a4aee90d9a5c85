package io.weir.admin;

import io.weir.config.load.ConfigChanges;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The reload of the configuration while the proxy runs. Thread-safe. */
public interface Reload {

    /** Origin of a reload. */
    enum Cause {
        /** An operator, by {@code POST /reload}. */
        OPERATION,
        /** A SIGHUP. */
        SIGNAL,
        /** A changed file. */
        FILES;

        /** Returns the name for operators. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Result of a reload. */
    enum Outcome {
        /** The next configuration is in force. */
        APPLIED,
        /** Nothing changed that a reload puts in force. */
        UNCHANGED,
        /** The next configuration is wrong. The one before stays. */
        REFUSED,
        /** The proxy shuts down. The next configuration was not read. */
        ABANDONED;

        /** Returns the name for operators and in metrics. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Result of a reload. Immutable.
     *
     * @param problems why it was refused or abandoned, one line each
     */
    record Result(Outcome outcome, Cause cause, Instant at, ConfigChanges changes, List<String> problems) {}

    /** Reads the configuration anew and puts it in force. Completes on any thread, and never with a failure. */
    CompletionStage<Result> request(Cause cause);

    /** Returns the result of the last reload; null if there was none. */
    @Nullable
    Result last();
}
