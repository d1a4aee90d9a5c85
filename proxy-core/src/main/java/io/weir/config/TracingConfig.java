package io.weir.config;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The traces of calls. Immutable.
 *
 * @param endpoint the URL of the collector; null if tracing is off
 * @param sample the share of the calls that are traced, from 0 to 1, unless the client has decided
 * @param headers of requests to the collector; they may hold credentials
 * @param serviceName the name of this proxy in traces
 */
public record TracingConfig(@Nullable String endpoint, double sample, Map<String, String> headers, String serviceName) {

    /** No traces. */
    public static final TracingConfig OFF = new TracingConfig(null, 0, Map.of(), "weir");

    /** Returns whether calls are traced. */
    public boolean isOn() {
        return endpoint != null;
    }

    /** Names neither the address nor the headers, which may hold credentials. */
    @Override
    public String toString() {
        return "TracingConfig[on=" + isOn() + ", sample=" + sample + "]";
    }
}
