package io.weir.tracing;

import org.jspecify.annotations.Nullable;

/** Tracer of calls. There is none while tracing is off. Thread-safe; no method blocks but {@link #close}. */
public interface CallTracer extends AutoCloseable {

    /**
     * Begins the span of a client's call.
     *
     * @param method one of a bounded set of names
     * @param key the name of the caller, never its secret
     * @param client the headers of the client's request, not checked; null if it had none
     */
    CallSpan begin(String method, String network, String key, @Nullable TraceHeaders client);

    /** Sends the spans that wait, within a few seconds. */
    @Override
    void close();
}
