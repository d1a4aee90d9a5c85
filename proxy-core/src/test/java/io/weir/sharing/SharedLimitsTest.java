package io.weir.sharing;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.weir.access.HashedKeyRing;
import io.weir.access.KeyAccounts;
import io.weir.access.RateGate;
import io.weir.access.SharedRateGate;
import io.weir.config.AccessConfig;
import io.weir.config.AccessConfig.BoundConfig;
import io.weir.config.AccessConfig.KeyConfig;
import io.weir.config.AccessConfig.RateConfig;
import io.weir.config.NetworkConfig.Unverifiable;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.upstream.budget.DayUnits.OwnUse;
import io.weir.upstream.budget.UnitLedger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is told to others, and when. */
class SharedLimitsTest {

    private static final RateConfig RATE = new RateConfig(1, 1_000, false);
    private static final RateConfig NO_RATE = new RateConfig(0, 0, false);

    private final AtomicLong wall = new AtomicLong(1_700_000_000_000L);
    private final Meters meters = new Meters(new MetricRegistry());
    private final UnitLedger ledger = UnitLedger.inMemory(wall::get);
    private final FakeStore store = new FakeStore();
    private HashedKeyRing keys = HashedKeyRing.of(access("shop", "bank"), new KeyAccounts(meters, ledger, true));
    private final SharedLimits limits = new SharedLimits(store, () -> keys.sharedRates(), ledger, meters);

    @AfterEach
    void close() {
        limits.close();
    }

    /** Remembers what it was told, and answers at once or when a test lets it. */
    private static final class FakeStore implements SharedLimits.LimitStore {

        private final List<String> told = new ArrayList<>();
        private final Map<String, Long> others = new HashMap<>();
        private boolean up = true;
        private boolean fails;

        @Override
        public boolean isUp() {
            return up;
        }

        @Override
        public String state() {
            return "fake";
        }

        @Override
        public void take(SharedRateGate rate, long units, Consumer<@Nullable Long> sink) {
            told.add(rate.name() + " " + units);
            sink.accept(fails ? null : 1_000 - units - others.getOrDefault(rate.name(), 0L));
        }

        @Override
        public void tell(String count, OwnUse use, Consumer<@Nullable Uses> sink) {
            told.add(count + " " + use.units());
            sink.accept(fails ? null : new Uses(use.units(), others.getOrDefault(count, 0L)));
        }

        @Override
        public void close() {}
    }

    private static AccessConfig access(String... names) {
        Map<String, KeyConfig> configured = new HashMap<>();
        for (String name : names) {
            BoundConfig bounds = new BoundConfig(Set.of(), List.of(), Set.of(), 500, null);
            configured.put(
                    name,
                    new KeyConfig(digest(name), Set.of("*"), Set.of("*"), false, Unverifiable.PASS, RATE, bounds));
        }
        return new AccessConfig(false, NO_RATE, configured);
    }

    private static String digest(String name) {
        return "%02x".formatted(name.charAt(0) & 0xff).repeat(32);
    }

    private RateGate rate(String key) {
        return keys.sharedRates().stream()
                .filter(rate -> rate.name().startsWith(key))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void onlyWhatChangedIsTold() {
        limits.round();
        assertThat(store.told).isEmpty();
        rate("shop").admit(3);
        ledger.ofKey("bank").add(7);
        limits.round();
        limits.round();

        assertThat(store.told).containsExactlyInAnyOrder("shop:1:1000 3", "key:bank 7");
        assertThat(meters.counter(Meter.SHARING_REPORTS, "told").getCount()).isEqualTo(2);
    }

    @Test
    void whatOthersUsedIsNotAdmittedHere() {
        store.others.put("shop:1:1000", 990L);
        store.others.put("key:shop", 490L);
        RateGate rate = rate("shop");
        rate.admit(1);
        ledger.ofKey("shop").add(1);
        limits.round();

        assertThat(rate.admit(100)).isPositive();
        assertThat(ledger.ofKey("shop").tryAdd(10, 500)).isFalse();
        assertThat(ledger.ofKey("shop").tryAdd(9, 500)).isTrue();
    }

    @Test
    void aReportThatFailedIsToldWithTheNextOne() {
        store.fails = true;
        rate("shop").admit(3);
        ledger.ofKey("bank").add(7);
        limits.round();
        store.fails = false;
        store.told.clear();
        rate("shop").admit(2);
        limits.round();

        assertThat(store.told).containsExactlyInAnyOrder("shop:1:1000 5", "key:bank 7");
        assertThat(meters.counter(Meter.SHARING_REPORTS, "failed").getCount()).isEqualTo(2);
    }

    @Test
    void nothingIsToldWhileTheStoreIsAwayAndTheWholeLimitIsGivenOut() {
        store.up = false;
        ledger.ofKey("shop");
        limits.round();
        RateGate rate = rate("shop");

        assertThat(rate.admit(1_000)).as("the burst").isZero();
        assertThat(ledger.ofKey("shop").tryAdd(501, 500)).isFalse();
        assertThat(ledger.ofKey("shop").tryAdd(500, 500)).isTrue();
        limits.round();
        assertThat(store.told).isEmpty();
        assertThat(limits.isUp()).isFalse();
        store.up = true;
        limits.round();

        assertThat(store.told).hasSize(2).contains("key:shop 500");
    }

    @Test
    void theRateOfARemovedKeyIsNotToldAnyMore() {
        RateGate removed = rate("shop");
        rate("bank").admit(1);
        removed.admit(3);
        keys = keys.next(access("bank"));
        limits.round();

        assertThat(keys.sharedRates()).hasSize(1);
        assertThat(store.told).containsExactly("bank:1:1000 1");
    }

    @Test
    void everyCountIsToldThoughThereAreMoreThanOneRoundTells() {
        for (int i = 0; i < 1_500; i++) {
            ledger.ofKey("key" + i).add(1);
        }
        limits.round();
        assertThat(store.told).hasSize(1_000);
        // Those that come first in the order change again.
        ledger.forEach((name, units) -> units.add(1));
        limits.round();
        assertThat(store.told.stream().map(line -> line.split(" ")[0]).distinct())
                .hasSize(1_502);
    }
}
