package io.weir.api;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Meters of one plugin. Names are lower-case words joined by underscores. Thread-safe; asked once per meter. */
public interface PluginMeters {

    /** A number that only grows. */
    Counter counter(String name, String help);

    /** A number that is read when the metrics are. */
    void gauge(String name, String help, LongSupplier value);

    /** How long something takes. */
    Timer timer(String name, String help);

    /** Counts events. Thread-safe. */
    interface Counter {
        /** Counts one. */
        default void increment() {
            add(1);
        }

        /** Counts several; never a negative number. */
        void add(long events);
    }

    /** Records durations. Thread-safe. */
    interface Timer {
        /** Records one. */
        void record(Duration duration);
    }
}
