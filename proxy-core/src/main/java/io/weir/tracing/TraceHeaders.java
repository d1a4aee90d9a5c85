package io.weir.tracing;

import org.jspecify.annotations.Nullable;

/** The headers of a request that name its place in a trace, by W3C Trace Context. Immutable. */
public record TraceHeaders(String parent, @Nullable String state) {

    /** The name of the header with the ids and the decision about sampling. */
    public static final String PARENT = "traceparent";

    /** The name of the header with the words of other systems. */
    public static final String STATE = "tracestate";
}
