package io.weir.tracing.otlp;

import com.codahale.metrics.Counter;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.metrics.RateLimitedLogger;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.LoggerFactory;

/**
 * Queue of ended spans before an exporter. Spans over its bound, which holds until they are sent, are dropped and counted. Thread-safe;
 * adding a span never blocks.
 */
final class SpanQueue implements SpanProcessor {

    private static final RateLimitedLogger LOG = new RateLimitedLogger(LoggerFactory.getLogger(SpanQueue.class));

    /** Spans that may wait: four batches, and a few megabytes while the collector is silent. */
    private static final int MAX_WAITING = 2_048;

    private static final int MAX_BATCH = 512;
    private static final Duration DELAY = Duration.ofSeconds(1);

    private final SpanProcessor batches;
    private final AtomicInteger waiting = new AtomicInteger();
    private final Counter dropped;

    SpanQueue(SpanExporter exporter, Meters meters) {
        this.dropped = meters.counter(Meter.TRACE_SPANS, "dropped");
        // Its own bound is never reached, because it holds only spans that were counted here.
        this.batches = BatchSpanProcessor.builder(new Counting(exporter, waiting, meters))
                .setMaxQueueSize(MAX_WAITING)
                .setMaxExportBatchSize(MAX_BATCH)
                .setScheduleDelay(DELAY)
                .setExporterTimeout(OtlpTracer.TIMEOUT)
                .build();
    }

    @Override
    public void onStart(Context parent, ReadWriteSpan span) {}

    @Override
    public boolean isStartRequired() {
        return false;
    }

    @Override
    public void onEnd(ReadableSpan span) {
        if (!span.getSpanContext().isSampled()) {
            return;
        }
        if (waiting.incrementAndGet() > MAX_WAITING) {
            waiting.decrementAndGet();
            dropped.inc();
        } else {
            batches.onEnd(span);
        }
    }

    @Override
    public boolean isEndRequired() {
        return true;
    }

    @Override
    public CompletableResultCode shutdown() {
        return batches.shutdown();
    }

    /** Exporter that counts what becomes of spans. Thread-safe. */
    private static final class Counting implements SpanExporter {

        private final SpanExporter exporter;
        private final AtomicInteger waiting;
        private final Counter exported;
        private final Counter failed;

        Counting(SpanExporter exporter, AtomicInteger waiting, Meters meters) {
            this.exporter = exporter;
            this.waiting = waiting;
            this.exported = meters.counter(Meter.TRACE_SPANS, "exported");
            this.failed = meters.counter(Meter.TRACE_SPANS, "failed");
        }

        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            int count = spans.size();
            CompletableResultCode result = exporter.export(spans);
            result.whenComplete(() -> {
                waiting.addAndGet(-count);
                if (result.isSuccess()) {
                    exported.inc(count);
                } else {
                    failed.inc(count);
                    LOG.warn("tracing.endpoint: the collector took no spans; they are lost and calls go on");
                }
            });
            return result;
        }

        @Override
        public CompletableResultCode flush() {
            return exporter.flush();
        }

        @Override
        public CompletableResultCode shutdown() {
            return exporter.shutdown();
        }
    }
}
