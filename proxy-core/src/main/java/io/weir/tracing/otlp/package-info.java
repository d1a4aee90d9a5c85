/**
 * Export of traces with the SDK of OpenTelemetry, by OTLP over HTTP. Loaded only if tracing is on. Start at {@link
 * io.weir.tracing.otlp.OtlpTracer}.
 */
@NullMarked
package io.weir.tracing.otlp;

import org.jspecify.annotations.NullMarked;
