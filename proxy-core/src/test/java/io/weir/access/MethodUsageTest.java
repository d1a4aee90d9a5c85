package io.weir.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.upstream.budget.UnitLedger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MethodUsageTest {

    private final MetricRegistry registry = new MetricRegistry();
    private final Meters meters = new Meters(registry);
    private final KeyAccounts accounts = new KeyAccounts(meters, UnitLedger.inMemory(System::currentTimeMillis));
    private final MethodUsage usage = new MethodUsage(meters, "main", "eth_call");

    private long counted(Meter meter, String key) {
        return meters.counter(meter, "main", key, "eth_call").getCount();
    }

    @Test
    void eachKeyHasItsOwnLine() {
        KeyAccount shop = accounts.of("shop");
        KeyAccount desk = accounts.of("desk");
        usage.count(desk, 5, 10);
        usage.count(shop, 5, 20);
        usage.count(desk, 5, 1);
        assertThat(counted(Meter.KEY_CALLS, "desk")).isEqualTo(2);
        assertThat(counted(Meter.KEY_UNITS, "desk")).isEqualTo(10);
        assertThat(counted(Meter.KEY_BYTES, "desk")).isEqualTo(11);
        assertThat(counted(Meter.KEY_BYTES, "shop")).isEqualTo(20);
    }

    @Test
    void anotherConfigurationGoesOnWithTheLineOfAKey() {
        usage.count(accounts.of("shop"), 5, 10);
        new MethodUsage(meters, "main", "eth_call").count(accounts.of("shop"), 5, 10);
        assertThat(counted(Meter.KEY_CALLS, "shop")).isEqualTo(2);
    }

    @Test
    void keysWithoutCallsHaveNoLine() {
        accounts.of("idle");
        usage.count(KeyAccount.NONE, 5, 10);
        assertThat(registry.getMetrics()).isEmpty();
    }

    @Test
    void noCallOfSeveralThreadsIsLost() {
        IntStream.range(0, 8)
                .parallel()
                .forEach(thread ->
                        IntStream.range(0, 1_000).forEach(call -> usage.count(accounts.of("key" + call % 10), 1, 1)));
        for (int key = 0; key < 10; key++) {
            assertThat(counted(Meter.KEY_CALLS, "key" + key)).isEqualTo(800);
        }
    }
}
