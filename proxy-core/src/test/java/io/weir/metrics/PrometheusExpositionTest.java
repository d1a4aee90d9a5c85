package io.weir.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PrometheusExpositionTest {

    private final MetricRegistry registry = new MetricRegistry();
    private final Meters meters = new Meters(registry);

    @Test
    void labelsOfOneMeterStandInOneFamily() {
        meters.counter(Meter.CALLS, "devnet", "eth_call", "result").inc(3);
        meters.counter(Meter.CALLS, "devnet", "eth_call", "error").inc();

        assertThat(text())
                .containsOnlyOnce("# TYPE weir_calls_total counter")
                .contains("weir_calls_total{method=\"eth_call\",network=\"devnet\",outcome=\"result\"} 3.0")
                .contains("weir_calls_total{method=\"eth_call\",network=\"devnet\",outcome=\"error\"} 1.0");
    }

    @Test
    void durationsAreHistogramsInSeconds() {
        var timer = meters.timer(Meter.CALL_SECONDS, "devnet", "eth_call");
        timer.update(2, TimeUnit.MILLISECONDS);
        timer.update(2, TimeUnit.MILLISECONDS);
        timer.update(2, TimeUnit.HOURS);

        assertThat(text())
                .contains("# TYPE weir_call_seconds histogram")
                .contains("weir_call_seconds_bucket{method=\"eth_call\",network=\"devnet\",le=\"0.001\"} 0")
                .contains("weir_call_seconds_bucket{method=\"eth_call\",network=\"devnet\",le=\"0.0025\"} 2")
                .contains("weir_call_seconds_bucket{method=\"eth_call\",network=\"devnet\",le=\"+Inf\"} 3")
                .contains("weir_call_seconds_count{method=\"eth_call\",network=\"devnet\"} 3");
    }

    @Test
    void gaugesAreReadWhenTheTextIs() {
        long[] value = {1};
        meters.gauge(Meter.CONNECTIONS, () -> value[0]);
        value[0] = 42;

        assertThat(text()).contains("weir_connections 42.0");
    }

    @Test
    void entriesOutsideTheCatalogueKeepTheirNameInPrometheusLetters() {
        registry.counter("jvm.gc.pauses").inc();

        assertThat(text()).contains("jvm_gc_pauses_total 1.0");
    }

    private String text() {
        return new String(new PrometheusExposition(new Meters(registry), null).text(), UTF_8);
    }
}
