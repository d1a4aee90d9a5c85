package io.weir.metrics;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.Metric;
import com.codahale.metrics.Timer;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.core.metrics.Info;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.instrumentation.jvm.JvmGarbageCollectorMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmMemoryMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmThreadsMetrics;
import io.prometheus.metrics.instrumentation.jvm.ProcessMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.weir.metrics.BucketReservoir.BucketSnapshot;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The export of a Dropwizard registry as Prometheus text. Prometheus' own bridge has no labels and rejects two names
 * that it maps to one. So this class converts the registry to that library's model, with the labels of the catalogue,
 * and the library writes the text. Thread-safe.
 */
public final class PrometheusExposition {

    public static final String CONTENT_TYPE = PrometheusTextFormatWriter.CONTENT_TYPE;

    private static final double NANOS = 1e9;

    private final Meters meters;
    private final @Nullable String version;
    private final PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.create();
    private @Nullable PrometheusRegistry process;

    /** @param version of the program, whose build, process and JVM are exported too; null to leave them out */
    public PrometheusExposition(Meters meters, @Nullable String version) {
        this.meters = meters;
        this.version = version;
    }

    /** Returns the metrics of the build, the process and the JVM, by the names that Prometheus' dashboards know. */
    private static PrometheusRegistry process(String version) {
        PrometheusRegistry process = new PrometheusRegistry();
        Info.builder()
                .name("weir_build")
                .help("Version of the proxy and of its Java")
                .labelNames("version", "java")
                .register(process)
                .setLabelValues(version, Runtime.version().toString());
        ProcessMetrics.builder().register(process);
        JvmMemoryMetrics.builder().register(process);
        JvmGarbageCollectorMetrics.builder().register(process);
        JvmThreadsMetrics.builder().register(process);
        return process;
    }

    /** Returns the current values of the whole registry as text. */
    public synchronized byte[] text() {
        Map<String, List<Sample>> families = new TreeMap<>();
        meters.registry().getMetrics().forEach((name, metric) -> {
            Sample sample = Sample.of(name, metric, meters.help(name));
            families.computeIfAbsent(sample.family(), family -> new ArrayList<>())
                    .add(sample);
        });
        List<MetricSnapshot> snapshots = new ArrayList<>();
        families.forEach((family, samples) -> {
            MetricSnapshot snapshot = snapshot(family, samples);
            if (snapshot != null) {
                snapshots.add(snapshot);
            }
        });
        if (version != null) {
            // Made by the first request: a start needs none of it.
            process = process == null ? process(version) : process;
            process.scrape().forEach(snapshots::add);
        }
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try {
            writer.write(text, new MetricSnapshots(snapshots), EscapingScheme.UNDERSCORE_ESCAPING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toByteArray();
    }

    private static @Nullable MetricSnapshot snapshot(String family, List<Sample> samples) {
        MetricMetadata metadata = new MetricMetadata(family, samples.get(0).help());
        Metric first = samples.get(0).metric();
        if (first instanceof Counter) {
            return new CounterSnapshot(
                    metadata,
                    points(
                            samples,
                            (sample, labels) -> new CounterDataPointSnapshot(
                                    ((Counter) sample.metric()).getCount(), labels, null, 0)));
        }
        if (first instanceof Timer) {
            return new HistogramSnapshot(metadata, points(samples, PrometheusExposition::histogram));
        }
        if (first instanceof Gauge<?> gauge && gauge.getValue() instanceof Number) {
            return new GaugeSnapshot(
                    metadata,
                    points(
                            samples,
                            (sample, labels) -> new GaugeDataPointSnapshot(
                                    ((Number) ((Gauge<?>) sample.metric()).getValue()).doubleValue(), labels, null)));
        }
        return null;
    }

    private static HistogramDataPointSnapshot histogram(Sample sample, Labels labels) {
        BucketSnapshot snapshot = (BucketSnapshot) ((Timer) sample.metric()).getSnapshot();
        long[] nanos = snapshot.boundsNanos();
        double[] bounds = new double[nanos.length + 1];
        for (int i = 0; i < nanos.length; i++) {
            bounds[i] = nanos[i] / NANOS;
        }
        bounds[nanos.length] = Double.POSITIVE_INFINITY;
        return HistogramDataPointSnapshot.builder()
                .classicHistogramBuckets(ClassicHistogramBuckets.of(bounds, snapshot.counts()))
                .sum(snapshot.sumNanos() / NANOS)
                .labels(labels)
                .build();
    }

    private static <T> List<T> points(List<Sample> samples, PointMaker<T> maker) {
        List<T> points = new ArrayList<>(samples.size());
        for (Sample sample : samples) {
            points.add(maker.make(sample, sample.labels()));
        }
        return points;
    }

    private interface PointMaker<T> {
        T make(Sample sample, Labels labels);
    }

    /** One entry of the registry, with its description from the catalogue. Immutable. */
    private record Sample(String family, String help, Labels labels, Metric metric) {

        private static final Map<String, Meter> CATALOGUE = catalogue();

        static Sample of(String name, Metric metric, @Nullable String help) {
            Meter meter = CATALOGUE.get(MeterName.id(name));
            if (meter == null) {
                String family = name.replaceAll("[^a-zA-Z0-9_]", "_");
                return new Sample(family, help == null ? name : help, Labels.EMPTY, metric);
            }
            return new Sample(
                    "weir_" + meter.id(), meter.help(), Labels.of(meter.labels(), MeterName.labelValues(name)), metric);
        }

        private static Map<String, Meter> catalogue() {
            Map<String, Meter> meters = new LinkedHashMap<>();
            for (Meter meter : Meter.values()) {
                meters.put(meter.id(), meter);
            }
            return meters;
        }
    }
}
