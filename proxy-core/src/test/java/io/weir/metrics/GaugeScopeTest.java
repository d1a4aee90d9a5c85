package io.weir.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;

class GaugeScopeTest {

    private final MetricRegistry registry = new MetricRegistry();
    private final Meters meters = new Meters(registry);

    private List<Object> values() {
        return registry.getGauges().values().stream()
                .map(gauge -> (Object) ((Gauge<?>) gauge).getValue())
                .toList();
    }

    @Test
    void theGaugesOfACandidateReplaceTheRunningOnesOnceItShows() {
        meters.gauge(Meter.HEAD, () -> 1, "net");
        GaugeScope candidate = meters.scope();
        candidate.meters().gauge(Meter.HEAD, () -> 2, "net");
        assertThat(values()).containsExactly(1L);
        candidate.show();
        assertThat(values()).containsExactly(2L);
    }

    @Test
    void aCandidateThatNeverShowsLeavesTheRunningGauges() {
        meters.gauge(Meter.HEAD, () -> 1, "net");
        GaugeScope candidate = meters.scope();
        Runnable removal = candidate.meters().gauge(Meter.HEAD, () -> 2, "net");
        candidate.meters().gauge(Meter.HEAD_ANNOUNCED, () -> 2, "net");
        removal.run();
        candidate.close();
        candidate.show();
        assertThat(values()).containsExactly(1L);
    }

    @Test
    void gaugesThatComeLaterShowAtOnce() {
        GaugeScope scope = meters.scope();
        scope.show();
        Runnable removal = scope.meters().gauge(Meter.HEAD, () -> 3, "net");
        assertThat(values()).containsExactly(3L);
        removal.run();
        assertThat(values()).isEmpty();
    }

    @Test
    void theEndOfAScopeLeavesTheGaugesThatReplacedItsOwn() {
        GaugeScope first = meters.scope();
        first.meters().gauge(Meter.HEAD, () -> 1, "net");
        first.meters().gauge(Meter.HEAD, () -> 1, "gone");
        first.show();
        GaugeScope second = meters.scope();
        second.meters().gauge(Meter.HEAD, () -> 2, "net");
        second.show();
        first.close();
        assertThat(values()).containsExactly(2L);
    }

    @Test
    void aScopeThatIsShownAgainTakesItsGaugesBack() {
        GaugeScope first = meters.scope();
        first.meters().gauge(Meter.HEAD, () -> 1, "net");
        first.show();
        GaugeScope second = meters.scope();
        second.meters().gauge(Meter.HEAD, () -> 2, "net");
        second.show();
        first.show();
        second.close();
        assertThat(values()).containsExactly(1L);
    }

    @Test
    void countersAreThoseOfTheWholeProxy() {
        GaugeScope scope = meters.scope();
        scope.meters().counter(Meter.RELOADS, "applied").inc();
        scope.close();
        assertThat(meters.counter(Meter.RELOADS, "applied").getCount()).isEqualTo(1);
    }
}
