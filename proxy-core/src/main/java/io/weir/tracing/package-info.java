/**
 * Traces of calls: what the pipeline tells of a call, and the headers that link it to the traces of clients and nodes. Without
 * {@code otlp} it knows no exporter. Start at {@link io.weir.tracing.CallTracer}.
 */
@NullMarked
package io.weir.tracing;

import org.jspecify.annotations.NullMarked;
