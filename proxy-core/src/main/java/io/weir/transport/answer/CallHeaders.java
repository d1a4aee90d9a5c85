package io.weir.transport.answer;

import io.weir.pipeline.CallContext;
import io.weir.pipeline.CallTrace;

/** The headers that say what became of a single call. */
final class CallHeaders {

    private CallHeaders() {}

    /** The header lines, each with its line end. */
    static String of(CallContext context, long nowNanos) {
        CallTrace trace = context.trace();
        StringBuilder lines = new StringBuilder(128);
        addCacheStatus(lines, trace);
        lines.append("Server-Timing: total;dur=");
        addMillis(lines, nowNanos - context.startNanos());
        String upstream = trace.upstreamId();
        if (upstream != null) {
            lines.append(", upstream;dur=");
            addMillis(lines, trace.upstreamNanos());
            lines.append(";desc=\"");
            addQuoted(lines, upstream);
            lines.append('"');
        }
        lines.append("\r\n");
        if (trace.degraded()) {
            lines.append("Weir-Degraded: 1\r\n");
        }
        return lines.toString();
    }

    /** What the cache had to do with it, and what is proven of the answer. */
    private static void addCacheStatus(StringBuilder lines, CallTrace trace) {
        String status = trace.cacheStatus();
        if (status != null) {
            lines.append("Cache-Status: weir; ").append(status).append("\r\n");
        }
        if (!trace.verified().isEmpty()) {
            lines.append("Weir-Verified: ").append(trace.verified()).append("\r\n");
        }
    }

    /** Milliseconds with three digits of their fraction. */
    private static void addMillis(StringBuilder lines, long nanos) {
        long micros = Math.max(0, nanos / 1000);
        long fraction = micros % 1000;
        lines.append(micros / 1000).append('.');
        lines.append(fraction < 100 ? "0" : "").append(fraction < 10 ? "0" : "").append(fraction);
    }

    private static void addQuoted(StringBuilder lines, String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean plain = c >= ' ' && c < 0x7f && c != '"' && c != '\\';
            lines.append(plain ? c : '_');
        }
    }
}
