package io.weir.plugin;

import io.weir.api.PluginMeters;
import io.weir.metrics.MeterGroup;
import io.weir.plugin.bulkhead.FailureLog;
import java.util.function.LongSupplier;

/** A plugin's meters, as a group of the host's. Thread-safe. */
final class HostMeters implements PluginMeters {

    private final MeterGroup group;
    private final FailureLog log;

    HostMeters(MeterGroup group, FailureLog log) {
        this.group = group;
        this.log = log;
    }

    @Override
    public Counter counter(String name, String help) {
        com.codahale.metrics.Counter counter = group.counter(name, help);
        return events -> {
            if (events < 0) {
                throw new IllegalArgumentException("events: " + events + " (expected: >= 0)");
            }
            counter.inc(events);
        };
    }

    @Override
    public void gauge(String name, String help, LongSupplier value) {
        group.gauge(name, help, () -> read(name, value));
    }

    /** A gauge of one plugin that throws must not break the metrics of all others. */
    private long read(String name, LongSupplier value) {
        try {
            return value.getAsLong();
        } catch (Throwable e) {
            log.failed("the gauge " + name, e);
            return -1;
        }
    }

    @Override
    public Timer timer(String name, String help) {
        com.codahale.metrics.Timer timer = group.timer(name, help);
        return timer::update;
    }
}
