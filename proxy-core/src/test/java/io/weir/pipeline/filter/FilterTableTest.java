package io.weir.pipeline.filter;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import com.github.benmanes.caffeine.cache.Ticker;
import io.weir.access.BypassingCaller;
import io.weir.access.Caller;
import io.weir.access.ContractBound;
import io.weir.access.HashedKeyRing;
import io.weir.access.TestAccounts;
import io.weir.config.AccessConfig;
import io.weir.config.AccessConfig.BoundConfig;
import io.weir.config.AccessConfig.KeyConfig;
import io.weir.config.AccessConfig.RateConfig;
import io.weir.config.NetworkConfig.FilterConfig;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Filters that a reload ends: their key is bound to other contracts, or nobody asks for them any more. */
class FilterTableTest {

    private static final RateConfig NO_RATE = new RateConfig(0, 0, false);
    private static final String SHA256 = "2a97516c354b68848cdbd8f54a226a0a55b21ed138e207ad6c5cbb9c00aa5aea";

    private final Meters meters = new Meters(new MetricRegistry());
    private final FilterTable table = new FilterTable(
            new FilterConfig(10, 1, 60_000, 1_000, 1_000), new FilterMeters(meters, "net"), Ticker.systemTicker());

    private record OfKey(String caller, @Nullable ContractBound contracts) implements OpenFilter {

        @Override
        public void ended(String id, boolean idle) {}
    }

    private static Caller boundTo(String... contracts) {
        BoundConfig bounds = new BoundConfig(Set.of(), List.of(), Set.of(contracts), 0, null);
        KeyConfig key = new KeyConfig(SHA256, Set.of("*"), Set.of("*"), true, NO_RATE, bounds, false);
        HashedKeyRing keys =
                HashedKeyRing.of(new AccessConfig(false, NO_RATE, Map.of("shop", key)), TestAccounts.create());
        return Objects.requireNonNull(keys.find("demo"));
    }

    private static String contract(int number) {
        return "0x" + Integer.toString(number).repeat(40);
    }

    private String open(Caller caller) {
        assertThat(table.reserve(caller.name())).isNull();
        return table.add(new OfKey(caller.name(), caller.bounds().contracts()));
    }

    @Test
    void aFilterGoesOnWhileTheContractsOfItsKeyAreTheSame() {
        String id = open(boundTo(contract(1), contract(2)));

        assertThat(table.find(id, boundTo(contract(2), contract(1)))).isNotNull();
        assertThat(table.find(id, BypassingCaller.of(boundTo(contract(1), contract(2)))))
                .isNotNull();
    }

    @Test
    void aFilterEndsOnceItsKeyMayReachOtherContracts() {
        String id = open(boundTo());

        assertThat(table.find(id, boundTo(contract(1)))).isNull();
        assertThat(table.find(id, boundTo())).as("it is gone").isNull();
        assertThat(meters.counter(Meter.FILTERS_ENDED, "net", "revoked").getCount())
                .isEqualTo(1);
        assertThat(table.reserve("shop")).as("its position is free").isNull();
    }

    /** The network of the table was replaced: no call and no gauge reaches it any more. */
    @Test
    void anIdleFilterEndsAlthoughNobodyAsksTheTable() throws Exception {
        FilterTable left = new FilterTable(
                new FilterConfig(10, 1, 1, 1_000, 1_000), new FilterMeters(meters, "net"), Ticker.systemTicker());
        CountDownLatch ended = new CountDownLatch(1);
        assertThat(left.reserve("shop")).isNull();
        left.add(new OpenFilter() {
            @Override
            public String caller() {
                return "shop";
            }

            @Override
            public @Nullable ContractBound contracts() {
                return null;
            }

            @Override
            public void ended(String id, boolean idle) {
                ended.countDown();
            }
        });
        assertThat(ended.await(1, TimeUnit.MINUTES)).isTrue();
        assertThat(meters.counter(Meter.FILTERS_ENDED, "net", "idle").getCount())
                .isEqualTo(1);
    }
}
