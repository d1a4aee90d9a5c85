package io.weir.transport.answer;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.weir.framing.DecimalText;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.CallTrace;

/** The headers that describe the processing of a single call. */
final class CallHeaders {

    private static final byte[] CACHE_STATUS = ascii("Cache-Status: weir; ");
    private static final byte[] VERIFIED = ascii("Weir-Verified: form");
    private static final byte[] AND = ascii(", ");
    private static final byte[] TOTAL = ascii("Server-Timing: total;dur=");
    private static final byte[] UPSTREAM = ascii(", upstream;dur=");
    private static final byte[] DESCRIPTION = ascii(";desc=\"");
    private static final byte[] DEGRADED = ascii("Weir-Degraded: 1\r\n");
    private static final byte[] LINE_END = ascii("\r\n");

    private CallHeaders() {}

    /** Writes the header lines, each with its line end, to a buffer, which remains the caller's. */
    static void write(ByteBuf out, CallContext context, long nowNanos) {
        CallTrace trace = context.trace();
        writeCacheStatus(out, trace);
        out.writeBytes(TOTAL);
        writeMillis(out, nowNanos - context.startNanos());
        String upstream = trace.upstreamId();
        if (upstream != null) {
            out.writeBytes(UPSTREAM);
            writeMillis(out, trace.upstreamNanos());
            out.writeBytes(DESCRIPTION);
            writeQuoted(out, upstream);
            out.writeByte('"');
        }
        out.writeBytes(LINE_END);
        if (trace.degraded()) {
            out.writeBytes(DEGRADED);
        }
    }

    /** Writes the part of the cache, and what was judged of the answer. */
    private static void writeCacheStatus(ByteBuf out, CallTrace trace) {
        String status = trace.cacheStatus();
        if (status != null) {
            out.writeBytes(CACHE_STATUS);
            ByteBufUtil.writeAscii(out, status);
            out.writeBytes(LINE_END);
        }
        if (trace.isJudged()) {
            out.writeBytes(VERIFIED);
            if (!trace.verified().isEmpty()) {
                out.writeBytes(AND);
                ByteBufUtil.writeAscii(out, trace.verified());
            }
            out.writeBytes(LINE_END);
        }
    }

    /** Writes milliseconds with three decimals. */
    private static void writeMillis(ByteBuf out, long nanos) {
        long micros = Math.max(0, nanos / 1000);
        int fraction = (int) (micros % 1000);
        DecimalText.write(out, micros / 1000);
        out.writeByte('.');
        out.writeByte('0' + fraction / 100);
        out.writeByte('0' + fraction / 10 % 10);
        out.writeByte('0' + fraction % 10);
    }

    private static void writeQuoted(ByteBuf out, String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean plain = c >= ' ' && c < 0x7f && c != '"' && c != '\\';
            out.writeByte(plain ? c : '_');
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(US_ASCII);
    }
}
