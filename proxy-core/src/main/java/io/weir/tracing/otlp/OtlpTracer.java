package io.weir.tracing.otlp;

import com.codahale.metrics.Counter;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.weir.config.WeirConfig.TracingConfig;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.metrics.RateLimitedLogger;
import io.weir.tracing.CallSpan;
import io.weir.tracing.CallSpan.AttemptSpan;
import io.weir.tracing.CallTracer;
import io.weir.tracing.TraceHeaders;
import java.time.Duration;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Tracer that sends spans to a collector. Attributes follow OpenTelemetry's conventions for JSON-RPC. They never hold parameters,
 * addresses of nodes, keys or ids of calls. Thread-safe.
 */
public final class OtlpTracer implements CallTracer {

    static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static final long CLOSE_SECONDS = 5;

    /** A collector that tells several proxies apart has a resource of its own for each. */
    private static final String SERVICE_NAME = "weir";

    private static final AttributeKey<String> SERVICE = AttributeKey.stringKey("service.name");
    private static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("rpc.system.name");
    private static final AttributeKey<String> METHOD = AttributeKey.stringKey("rpc.method");
    private static final AttributeKey<String> CODE = AttributeKey.stringKey("rpc.response.status_code");
    private static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");
    private static final AttributeKey<String> NETWORK = AttributeKey.stringKey("weir.network");
    private static final AttributeKey<String> KEY = AttributeKey.stringKey("weir.key");
    private static final AttributeKey<String> CACHE = AttributeKey.stringKey("weir.cache");
    private static final AttributeKey<String> NODE = AttributeKey.stringKey("weir.node");
    private static final AttributeKey<String> CAUSE = AttributeKey.stringKey("weir.cause");

    private static final W3CTraceContextPropagator W3C = W3CTraceContextPropagator.getInstance();

    /** Held, so that its level stays. The SDK would write to standard error by itself, past the log. */
    private static final Logger SDK_LOG = Logger.getLogger("io.opentelemetry");

    private final SdkTracerProvider provider;
    private final Tracer tracer;

    private OtlpTracer(SdkTracerProvider provider) {
        this.provider = provider;
        this.tracer = provider.get("io.weir");
    }

    /** Creates a tracer. Connects to the collector with the first spans. */
    public static OtlpTracer open(String endpoint, TracingConfig config, Meters meters) {
        SDK_LOG.setLevel(Level.OFF);
        // A batch is sent once: while it is repeated, spans would be lost all the same.
        OtlpHttpSpanExporterBuilder exporter = OtlpHttpSpanExporter.builder()
                .setEndpoint(endpoint)
                .setTimeout(TIMEOUT)
                .setRetryPolicy(null);
        config.headers().forEach(exporter::addHeader);
        return new OtlpTracer(SdkTracerProvider.builder()
                .setResource(Resource.create(Attributes.of(SERVICE, SERVICE_NAME)))
                .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(config.sample())))
                .addSpanProcessor(new SpanQueue(exporter.build(), meters))
                .build());
    }

    @Override
    public CallSpan begin(String method, String network, String key, @Nullable TraceHeaders client) {
        Context parent = client == null ? Context.root() : W3C.extract(Context.root(), client, Getter.INSTANCE);
        Span span = tracer.spanBuilder(method)
                .setParent(parent)
                .setSpanKind(SpanKind.SERVER)
                .setAttribute(SYSTEM, "jsonrpc")
                .setAttribute(METHOD, method)
                .setAttribute(NETWORK, network)
                .setAttribute(KEY, key)
                .startSpan();
        return new OtlpCallSpan(span, method);
    }

    @Override
    public void close() {
        provider.shutdown().join(CLOSE_SECONDS, TimeUnit.SECONDS);
    }

    private static void code(Span span, int errorCode) {
        if (errorCode != 0) {
            span.setAttribute(CODE, Integer.toString(errorCode));
        }
    }

    /** Span of a call. Confined to the call's event loop. */
    private final class OtlpCallSpan implements CallSpan {

        private final Span span;
        private final String method;
        private final Context context;

        OtlpCallSpan(Span span, String method) {
            this.span = span;
            this.method = method;
            this.context = Context.root().with(span);
        }

        @Override
        public AttemptSpan attempt(String node, String cause) {
            return new OtlpAttemptSpan(tracer.spanBuilder(method)
                    .setParent(context)
                    .setSpanKind(SpanKind.CLIENT)
                    .setAttribute(SYSTEM, "jsonrpc")
                    .setAttribute(METHOD, method)
                    .setAttribute(NODE, node)
                    .setAttribute(CAUSE, cause)
                    .startSpan());
        }

        @Override
        public void end(CacheOutcome cache, int errorCode, boolean failed) {
            if (cache != CacheOutcome.NONE) {
                span.setAttribute(CACHE, cache.name().toLowerCase(Locale.ROOT));
            }
            code(span, errorCode);
            if (failed) {
                span.setAttribute(ERROR, Integer.toString(errorCode));
                span.setStatus(StatusCode.ERROR);
            }
            span.end();
        }
    }

    /** Span of an attempt. Confined to the call's event loop. */
    private record OtlpAttemptSpan(Span span) implements AttemptSpan {

        @Override
        public TraceHeaders headers() {
            Map<String, String> headers = new TreeMap<>();
            W3C.inject(Context.root().with(span), headers, (carrier, name, value) -> headers.put(name, value));
            return new TraceHeaders(headers.getOrDefault(TraceHeaders.PARENT, ""), headers.get(TraceHeaders.STATE));
        }

        @Override
        public void end(@Nullable String fault, int errorCode) {
            code(span, errorCode);
            if (fault != null) {
                span.setAttribute(ERROR, fault);
                span.setStatus(StatusCode.ERROR);
            }
            span.end();
        }
    }

    /** Reader of headers. Stateless. */
    private enum Getter implements TextMapGetter<TraceHeaders> {
        INSTANCE;

        @Override
        public @Nullable String get(@Nullable TraceHeaders carrier, String name) {
            if (carrier == null) {
                return null;
            }
            return name.equals(TraceHeaders.PARENT) ? carrier.parent() : carrier.state();
        }
    }

    /**
     * Queue of ended spans before an exporter. Spans over its bound, which holds until they are sent, are dropped and counted. Thread-safe;
     * adding a span never blocks.
     */
    private static final class SpanQueue implements SpanProcessor {

        private static final RateLimitedLogger LOG = new RateLimitedLogger(LoggerFactory.getLogger(OtlpTracer.class));

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
}
