package io.weir.metrics;

import com.codahale.metrics.Gauge;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The gauges of one part of the proxy, which show together and go together. A part that is only a candidate replaces no gauge of the part
 * that runs. Thread-safe.
 */
public final class GaugeScope implements AutoCloseable {

    private final Meters all;
    private final Meters own;
    private final Map<String, Gauge<Long>> gauges = new LinkedHashMap<>();
    private boolean shown;

    GaugeScope(Meters all) {
        this.all = all;
        this.own = all.within(this);
    }

    /** Returns the meters for the part. Their counters and timers are those of the whole proxy. */
    public Meters meters() {
        return own;
    }

    /** Shows the gauges so far, in place of others with the same labels, and later ones at once. */
    public synchronized void show() {
        shown = true;
        gauges.forEach(all::show);
    }

    synchronized Runnable add(String name, Gauge<Long> gauge) {
        gauges.put(name, gauge);
        if (shown) {
            all.show(name, gauge);
        }
        return () -> remove(name, gauge);
    }

    private synchronized void remove(String name, Gauge<Long> gauge) {
        gauges.remove(name, gauge);
        all.remove(name, gauge);
    }

    /** Removes the gauges that no other part has replaced. */
    @Override
    public synchronized void close() {
        shown = false;
        gauges.forEach(all::remove);
        gauges.clear();
    }
}
